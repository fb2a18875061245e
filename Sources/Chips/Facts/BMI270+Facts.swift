#if !hasFeature(Embedded)

  extension ChipFact {
    static let bmi270 = [
      ChipFact(
        .layout,
        "a sample in the FIFO without headers is gyroscope, accelerometer, low bytes first",
        .samples(SampleLayout(.angularRate, from: 0x26, at: 0, .little16, "+x +y +z", boschRates)),
        by: "ArduPilot AP_InertialSensor_BMI270.cpp (gyroscope before accelerometer in a frame)",
        "Linux bmi270_core.c (byte order)"),
      ChipFact(
        .scale, "the range over 2^15 counts",
        .samples(
          SampleLayout(.specificForce, from: 0x26, at: 6, .little16, "+x +y +z", boschForces)),
        by: "ArduPilot AP_InertialSensor_BMI270.cpp", "Linux bmi270_core.c"),
      ChipFact(
        .crossAxis,
        "x of the gyroscope shows GYR_CAS.factor_zx 512ths of z: seven bits with a sign in 0x3C of the first page of features",
        by: "Bosch bmi2_ois.c and bmi2_defs.h (x - factor * z / 512; masks 0x7F and 0x40)",
        "a driver of SlimeVR's trackers, which cites the data sheet",
        "two Python drivers, which cite the data sheet"),
      ChipFact(
        .identity, "0x24", .identity(register: 0x00, values: [0x24]),
        by: "ArduPilot AP_InertialSensor_BMI270.cpp", "Linux bmi270_core.c"),
      ChipFact(
        .scale, "at ±2000 degrees per second GYR_RANGE's bit 3 (ois_range) is set too",
        by:
          "ArduPilot AP_InertialSensor_BMI270.cpp (else ±250 in the FIFO of data before the filter)",
        dispute:
          "Linux bmi270_core.c leaves the bit, and a register description has it for data before the filter and the second interface only, "
          + "and this library reads filtered data",
        proof: "a turn by a known angle at ±2000 with and without the bit"),
    ]
  }

#endif
