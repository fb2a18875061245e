#if !hasFeature(Embedded)

  extension ChipFact {
    static let bmi088Accelerometer = [
      ChipFact(
        .layout,
        "a frame in the FIFO is the header 0x84 and x, y, z, low bytes first; the range over 2^15 counts",
        .samples(
          SampleLayout(
            .specificForce, from: 0x26, at: 1, .little16, "+x +y +z", frame: (7, 0xFC, 0x84),
            [3.0, 6, 12, 24].map { .force($0, $0 * Unit.gravity / 32_768) })),
        by: "ArduPilot AP_InertialSensor_BMI088.cpp",
        "PX4 BMI088_Accelerometer.cpp and its registers"),
      ChipFact(
        .identity, "0x1E", .identity(register: 0x00, values: [0x1E]),
        by: "ArduPilot AP_InertialSensor_BMI088.cpp",
        "PX4 Bosch_BMI088_Accelerometer_Registers.hpp"),
    ]

    static let bmi088Gyroscope = [
      ChipFact(
        .layout, "a frame in the FIFO is x, y, z, low bytes first; the range over 2^15 counts",
        .samples(SampleLayout(.angularRate, from: 0x3F, at: 0, .little16, "+x +y +z", boschRates)),
        by: "ArduPilot AP_InertialSensor_BMI088.cpp",
        "PX4 Bosch_BMI088_Gyroscope_Registers.hpp"),
      ChipFact(
        .scale, "GYRO_RANGE is 3 at ±250 degrees per second",
        by: "Linux bmg160_core.c", "Bosch's BMI08x_SensorAPI (BMI08X_GYRO_RANGE_250_DPS)",
        dispute: "PX4 Bosch_BMI088_Gyroscope_Registers.hpp has 4, which the others have at ±125",
        proof: "a turn by a known angle at ±250"),
      ChipFact(
        .identity, "0x0F", .identity(register: 0x00, values: [0x0F]),
        by: "ArduPilot AP_InertialSensor_BMI088.cpp",
        "PX4 Bosch_BMI088_Gyroscope_Registers.hpp"),
    ]
  }

#endif
