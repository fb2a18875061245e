#if !hasFeature(Embedded)

  extension ChipFact {
    static let l3g4200d = l3g([0xD3], "0xD3")
    static let l3gd20 = l3g([0xD4], "0xD4, in the LSM9DS0 too")
    static let l3gd20h = l3g([0xD7], "0xD7")

    private static func l3g(_ identities: [UInt8], _ text: String) -> [ChipFact] {
      [
        ChipFact(
          .scale, "8.75, 17.5, 70 mdps, low byte first",
          .samples(
            SampleLayout(
              .angularRate, from: 0xA8, at: 0, .little16, "+x +y +z",
              [
                .rate(245, 8.75e-3 * Unit.degree), .rate(500, 17.5e-3 * Unit.degree),
                .rate(2000, 70e-3 * Unit.degree),
              ])), by: "Linux st_gyro_core.c", "ST l3gd20h_reg.c"),
        ChipFact(
          .axes, "right-handed", by: "ArduPilot AP_InertialSensor_L3G4200D.cpp (y and z negated)"),
        ChipFact(
          .identity, text, .identity(register: 0x0F, values: identities),
          by: "Linux st_gyro_core.c", "PX4 l3gd20.cpp"),
      ]
    }

    static let itg3205 = [
      ChipFact(
        .scale, "14.375 counts a degree a second, high byte first",
        .samples(
          SampleLayout(
            .angularRate, from: 0x15, at: 8, .big16, "+x +y +z",
            [.rate(2000, 1_214_142e-9)])),
        by: "Linux itg3200_core.c", "ArduPilot AP_InertialSensor_Flymaple.cpp"),
      ChipFact(
        .axes, "right-handed",
        by: "ArduPilot AP_InertialSensor_Flymaple.cpp (-y -x -z, a rotation)"),
      ChipFact(
        .identity, "0x68 or 0x69: the lowest bit of register 0x00 is not defined",
        .identity(register: 0x00, values: [0x68, 0x69]),
        by: "Linux itg3200_core.c (bits 1 to 6 are 0x34)",
        "ArduPilot AP_InertialSensor_Flymaple.cpp (0x68 at 0x68)"),
    ]

    static let adxl345 = [
      ChipFact(
        .scale, "256 counts a g in full resolution, low byte first",
        .samples(
          SampleLayout(
            .specificForce, from: 0x32, at: 0, .little16, "+x +y +z",
            [.force(15.9, Unit.gravity / 256)])),
        by: "Linux adxl345_core.c (38.3 mm/s2)", "ArduPilot AP_InertialSensor_L3G4200D.cpp"),
      ChipFact(
        .axes, "right-handed", by: "ArduPilot AP_InertialSensor_L3G4200D.cpp (y and z negated)",
        "ArduPilot AP_InertialSensor_Flymaple.cpp (-y -x -z, a rotation)"),
      ChipFact(
        .identity, "0xE5, in the ADXL343 too, and in the ADXL375, whose counts are 49 mg",
        .identity(register: 0x00, values: [0xE5]), by: "Linux adxl345_core.c",
        "ArduPilot AP_InertialSensor_L3G4200D.cpp"),
    ]
  }

#endif
