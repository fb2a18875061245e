#if !hasFeature(Embedded)

  extension ChipFact {
    private static func samples(by first: String, _ second: String) -> [ChipFact] {
      let frame: (bytes: Int, mask: UInt8, value: UInt8) = (16, 0xE0, 0x60)
      return [
        ChipFact(
          .layout,
          "a packet of 16 bytes in the FIFO is a header, accelerometer, gyroscope, temperature, time; high bytes first where "
            + "INTF_CONFIG0 says so",
          .samples(
            SampleLayout(
              .specificForce, from: 0x30, at: 1, .big16, "+x +y +z", frame: frame, invenSenseForces)
          ),
          by: first, second),
        ChipFact(
          .scale, "16.4 counts a degree per second at ±2000",
          .samples(
            SampleLayout(
              .angularRate, from: 0x30, at: 7, .big16, "+x +y +z", frame: frame, invenSenseRates)),
          by: first, second),
      ]
    }

    private static let hold =
      "the gyroscope repeats its value for 1 to 2 ms where the rate crosses about 100 degrees per second, unless the upper bits "
      + "of INTF_CONFIG1 are 01"

    static let icm42688p =
      samples(
        by: "ArduPilot AP_InertialSensor_Invensensev3.cpp (packet, 16.4)",
        "Linux inv_icm42600.h (registers, byte order)")
      + [
        ChipFact(
          .identity, "0x47", .identity(register: 0x75, values: [0x47]),
          by: "ArduPilot AP_InertialSensor_Invensensev3.cpp",
          "a driver that tells it from the ICM-42688-V (0xDB)"),
        ChipFact(
          .mode, hold,
          by: "ArduPilot, issue 25025 and pull request 25332 (measured at 8 kHz)",
          "Betaflight, issue 12970 (measured)", "PX4, pull request 22254"),
      ]

    static let icm42605 =
      samples(
        by: "ArduPilot AP_InertialSensor_Invensensev3.cpp (packet, 16.4)",
        "Linux inv_icm42600.h (registers, byte order)")
      + [
        ChipFact(
          .identity, "0x42", .identity(register: 0x75, values: [0x42]),
          by: "Linux inv_icm42600.h", "ArduPilot AP_InertialSensor_Invensensev3.cpp"),
        ChipFact(
          .mode, hold, by: "iNav, pull request 9409 (its driver of the ICM-426xx)",
          dispute: "ArduPilot pull request 25332 writes it to the ICM-42688 only",
          proof: "whether two samples at 1 kHz are equal where a turn passes 100 degrees per second"
        ),
      ]

    static let iim42652 =
      samples(
        by: "ArduPilot AP_InertialSensor_Invensensev3.cpp (packet, 16.4)",
        "Linux inv_icm42600.h (registers of the family)")
      + [
        ChipFact(
          .identity, "0x6F", .identity(register: 0x75, values: [0x6F]),
          by: "ArduPilot AP_InertialSensor_Invensensev3.cpp"),
        ChipFact(.mode, hold, by: "PX4, pull request 22254"),
      ]
  }

#endif
