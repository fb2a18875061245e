#if !hasFeature(Embedded)

  extension ChipFact {
    static let bno085 = [
      ChipFact(
        .scale,
        "rates have 512 counts a radian per second, forces 256 a metre per second squared, fields 16 a microtesla",
        by: "CEVA sh2_SensorValue.c",
        "SparkFun BNO080 library (gyro_Q1 9, accelerometer_Q1 8, magnetometer_Q1 4)"),
      ChipFact(
        .boot, "it does not acknowledge for at least 90 ms after its power or a reset",
        .silence(milliseconds: 90),
        by:
          "BNO08X data sheet 1000-3927, section 6.5.3, as Adafruit_BNO08x pull request 38 quotes it",
        "Adafruit_BNO08x.cpp (five attempts, then 300 ms)",
        "CodeCell, issue 26 (a refusal at a reset)"),
      ChipFact(
        .mode,
        "after a reset by itself no report is on, and nothing says so but a packet on channel 1",
        by: "CodeCell, issue 26", "Adafruit_BNO08x.cpp (wasReset)"),
    ]
  }

#endif
