#if !hasFeature(Embedded)

  extension ChipFact {
    /// Bosch's ranges of 16 bits from end to end.
    static let boschRates: [SampleLayout.Scale] = [250.0, 500, 1000, 2000].map {
      .rate($0, $0 * Unit.degree / 32_768)
    }
    static let boschForces: [SampleLayout.Scale] = [2.0, 4, 8, 16].map {
      .force($0, $0 * Unit.gravity / 32_768)
    }

    static let bmi160 = [
      ChipFact(
        .layout,
        "a sample in the FIFO without headers is gyroscope, accelerometer, low bytes first",
        .samples(SampleLayout(.angularRate, from: 0x24, at: 0, .little16, "+x +y +z", boschRates)),
        by: "ArduPilot AP_InertialSensor_BMI160.cpp (RawData)",
        "Linux bmi160_core.c (scales, byte order)"),
      ChipFact(
        .scale, "16,384 counts a g at ±2 g, the range over 2^15 counts a degree",
        .samples(
          SampleLayout(.specificForce, from: 0x24, at: 6, .little16, "+x +y +z", boschForces)),
        by: "ArduPilot AP_InertialSensor_BMI160.cpp", "Linux bmi160_core.c"),
      ChipFact(
        .identity, "0xD1", .identity(register: 0x00, values: [0xD1]),
        by: "Linux bmi270_core.c (BMI160_CHIP_ID_VAL)", "ArduPilot AP_InertialSensor_BMI160.cpp"),
      ChipFact(
        .boot, "the gyroscope needs 80 ms to start, the accelerometer 3.8 ms",
        by: "Linux bmi160_core.c", "ArduPilot AP_InertialSensor_BMI160.cpp (81 and 4 ms)"),
    ]
  }

#endif
