#if !hasFeature(Embedded)

  extension ChipFact {
    static let icm20948 = [
      ChipFact(
        .layout, "a sample in the FIFO is accelerometer, gyroscope, high bytes first",
        .samples(
          SampleLayout(.specificForce, from: 0x72, at: 0, .big16, "+x +y +z", invenSenseForces)),
        by: "PX4 InvenSense_ICM20948_registers.hpp (FIFO)",
        "Adafruit_ICM20948.cpp (16,384 counts a g in the finest range)"),
      ChipFact(
        .scale, "131 counts a degree per second in the finest range",
        .samples(
          SampleLayout(.angularRate, from: 0x72, at: 6, .big16, "+x +y +z", invenSenseRates)),
        by: "PX4 InvenSense_ICM20948_registers.hpp (FIFO, ranges)", "Adafruit_ICM20948.cpp (counts)"
      ),
      ChipFact(
        .identity, "0xEA", .identity(register: 0x00, values: [0xEA]),
        by: "PX4 InvenSense_ICM20948_registers.hpp", "Adafruit_ICM20948.h (ICM20948_CHIP_ID)"),
    ]
  }

#endif
