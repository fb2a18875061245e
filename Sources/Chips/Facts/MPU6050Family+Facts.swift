#if !hasFeature(Embedded)

  extension ChipFact {
    /// The ranges of InvenSense's units: 131, 65.5, 32.8 and 16.4 counts a degree, 16,384 to 2048 a
    /// g.
    static let invenSenseRates: [SampleLayout.Scale] = [
      (250.0, 131.0), (500, 65.5), (1000, 32.8), (2000, 16.4),
    ].map { .rate($0.0, Unit.degree / $0.1) }
    static let invenSenseForces: [SampleLayout.Scale] = [
      (2.0, 16_384.0), (4, 8192), (8, 4096), (16, 2048),
    ].map { .force($0.0, Unit.gravity / $0.1) }

    /// The samples in the FIFO of this family, of 12 bytes or with the temperature 14.
    private static func samples(
      withTemperature: Bool = false, by first: String, _ second: String
    ) -> [ChipFact] {
      let text =
        withTemperature
        ? "a sample in the FIFO is accelerometer, temperature, gyroscope, high bytes first"
        : "a sample in the FIFO is accelerometer, gyroscope, high bytes first"
      return [
        ChipFact(
          .layout, text + "; 16,384 counts a g in the finest range",
          .samples(
            SampleLayout(
              .specificForce, from: 0x74, at: 0, .big16, "+x +y +z", invenSenseForces)),
          by: first, second),
        ChipFact(
          .scale, "131 counts a degree per second in the finest range",
          .samples(
            SampleLayout(
              .angularRate, from: 0x74, at: withTemperature ? 8 : 6, .big16, "+x +y +z",
              invenSenseRates)), by: first, second),
      ]
    }

    static let mpu6050 =
      samples(
        by: "Linux inv_mpu_core.c (scales, order of the registers)",
        "Adafruit_MPU6050.cpp (order, byte order, counts)")
      + [
        ChipFact(
          .identity, "0x68", .identity(register: 0x75, values: [0x68]),
          by: "Linux inv_mpu_iio.h", "adafruit/Adafruit_MPU6050, issue 47"),
        ChipFact(
          .identity,
          "boards of its name also have 0x70 (MPU-6500), 0x72, 0x74 (MPU-6515), 0x75, 0x78 (MPU-6880) or 0x98 (ICM-20689): "
            + "read by their own registers where the board file names an MPU-6050",
          by: "ElectronicCats/mpu6050, issue 21 (0x98)",
          "Moddable, discussion 1007 (0x72, 0x74; compatible registers)",
          "Linux inv_mpu_iio.h (the names of 0x70, 0x74, 0x78, 0x98)"),
        ChipFact(
          .identity, "0x72 and 0x75 have the registers of an MPU-6500",
          by: "Moddable, discussion 1007 (0x72)", "kriswiner/MPU9250, issue 486 (0x75)",
          dispute:
            "both only say that the values follow a turn: no source has a data sheet, the FIFO's size or ACCEL_CONFIG 2",
          proof:
            "whether ACCEL_CONFIG 2 keeps what is written, and at how many bytes FIFO_COUNT stops"),
      ]

    static let mpu6500 =
      samples(
        by: "Linux inv_mpu_core.c (scales)", "PX4 InvenSense_MPU9250_registers.hpp (the same die)")
      + [
        ChipFact(
          .identity, "0x70", .identity(register: 0x75, values: [0x70]),
          by: "Linux inv_mpu_iio.h", "Klipper, issue 5871; bolderflight/invensense-imu, issue 51")
      ]

    static let mpu9250 =
      samples(by: "Linux inv_mpu_core.c (scales)", "PX4 InvenSense_MPU9250_registers.hpp (FIFO)")
      + [
        ChipFact(
          .identity, "0x71, the MPU-9255 0x73", .identity(register: 0x75, values: [0x71, 0x73]),
          by: "Linux inv_mpu_iio.h", "PX4, DriverFramework pull request 183",
          "kriswiner/MPU9250, issue 318")
      ]

    static let mpu6886 =
      samples(
        withTemperature: true,
        by: "PX4 InvenSense_ICM20602_registers.hpp (the FIFO, of the ICM-20602)",
        "M5Stack M5StickC MPU6886.cpp (registers, scales; it has no FIFO)")
      + [
        ChipFact(
          .identity, "0x19", .identity(register: 0x75, values: [0x19]),
          by: "M5Stack M5StickC MPU6886.cpp", "core2foraws, test of mpu6886_init"),
        ChipFact(
          .layout, "its FIFO is the ICM-20602's",
          by: "M5Stack MPU6886.cpp (the registers are the ICM-20602's; it reads no FIFO)",
          dispute: "one library sets ACCEL_CONFIG 2 to 0x40 for 1 KB, which the ICM-20602 has not",
          proof: "the number of bytes that a sample adds to FIFO_COUNT"),
      ]

    static let icm20602 =
      samples(
        withTemperature: true, by: "PX4 InvenSense_ICM20602_registers.hpp (FIFO)",
        "Linux inv_mpu_core.c (scales)")
      + [
        ChipFact(
          .identity, "0x12", .identity(register: 0x75, values: [0x12]),
          by: "Linux inv_mpu_iio.h", "PX4 InvenSense_ICM20602_registers.hpp"),
        ChipFact(
          .mode,
          "the output ends below 0x7FFF unless OUTPUT_LIMIT (0x69, bit 1) is set after each power-on",
          by: "data sheet DS-000176, as a Python and an Ada driver of the ICM-20602 quote it"),
        ChipFact(
          .compensation,
          "the accelerometer's offset on y may jump by 2.7 m/s² until register 0x11 is 0xC9",
          by: "ArduPilot AP_InertialSensor_Invensense.cpp (ICM-20602 and ICM-20608)",
          dispute:
            "PX4's later driver ICM20602.cpp does not write it; Betaflight pull request 11584 warns of reserved registers",
          proof: "the force on y of a board at rest after some hundred starts"),
      ]

    static let icm20608 =
      samples(
        by: "PX4 InvenSense_ICM20608G_registers.hpp (FIFO)", "Linux inv_mpu_core.c (scales)")
      + [
        ChipFact(
          .identity, "0xAF, the ICM-20608-D 0xAE", .identity(register: 0x75, values: [0xAF, 0xAE]),
          by: "Linux inv_mpu_iio.h", "chungwindlojerd/imx6ul icm20608.h")
      ]

    static let icm20689 =
      samples(
        by: "PX4 InvenSense_ICM20689_registers.hpp (FIFO)", "Linux inv_mpu_core.c (scales)")
      + [
        ChipFact(
          .identity, "0x98", .identity(register: 0x75, values: [0x98]),
          by: "Linux inv_mpu_iio.h", "PX4 InvenSense_ICM20689_registers.hpp"),
        ChipFact(
          .layout, "the FIFO has 512 bytes unless ACCEL_CONFIG 2 chooses up to 4 KB",
          by: "PX4 InvenSense_ICM20689_registers.hpp", "Linux inv_mpu_iio.h (BITS_FIFO_SIZE_MAX)"),
        ChipFact(
          .mode, "a write to a reserved register can damage the gyroscope's z for good",
          by: "Betaflight, pull request 11584"),
      ]
  }

#endif
