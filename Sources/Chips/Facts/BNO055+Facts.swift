#if !hasFeature(Embedded)

  extension ChipFact {
    static let bno055 = [
      ChipFact(
        .layout, "100 counts a metre per second squared in every range, low bytes first",
        .samples(
          SampleLayout(
            .specificForce, from: 0x08, at: 0, .little16, "+x +y +z",
            [2.0, 4, 8, 16].map { .force($0, 0.01) })),
        by: "Linux bno055.c (order of the registers, byte order)", "Adafruit_BNO055.cpp"),
      ChipFact(
        .layout, "16 counts a microtesla",
        .samples(
          SampleLayout(
            .field, from: 0x08, at: 6, .little16, "+x +y +z", [.field(1250, 1.0 / 16)])),
        by: "Adafruit_BNO055.cpp", "Bosch BST-BNO055-DS000-14, table 3-19"),
      ChipFact(
        .scale, "the gyroscope's range over 2^15 counts in the mode of raw samples",
        .samples(
          SampleLayout(.angularRate, from: 0x08, at: 12, .little16, "+x +y +z", boschRates)),
        by:
          "Linux bno055.c (measured; Bosch's forum \"Wrong sensitivity resolution in datasheet\")",
        dispute:
          "Adafruit_BNO055.cpp and the data sheet's table 3-22 have 16 counts a degree per second in every range, 2.4 % from it at ±2000",
        proof: "a turn by 360 degrees at ±250 and at ±2000 degrees per second"),
      ChipFact(
        .identity, "0xA0", .identity(register: 0x00, values: [0xA0]),
        by: "Adafruit_BNO055.h (BNO055_ID)", "Bosch BST-BNO055-DS000-14, CHIP_ID"),
      ChipFact(
        .boot, "it does not acknowledge for 400 ms after its power, 650 ms after a reset",
        .silence(milliseconds: 400),
        by: "eupn/bno055, pull request 9 (refusals after a reset) and 35 (400 and 650 ms)",
        "Linux bno055.c (650 ms after a reset)", "Bosch BST-BNO055-DS000-14, section 1.2"),
    ]
  }

#endif
