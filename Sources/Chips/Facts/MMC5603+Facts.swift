#if !hasFeature(Embedded)

  extension ChipFact {
    static let mmc5603 = [
      ChipFact(
        .polarity, "the output rises with the field after SET and falls with it after RESET",
        by: "ArduPilot AP_Compass_MMC5603.cpp (the field is half of SET minus RESET)",
        "Betaflight compass_mmc560x.c (read after SET as it is)",
        "PX4 mmc5616.cpp (a sister part; read after SET as it is)",
        dispute:
          "Linux mmc5633.c (\"the axis polarity being naturally aligned after RESET\") and Adafruit_MMC56x3.cpp leave the bridge after "
          + "RESET and do not change the sign",
        proof: setResetProof),
      ChipFact(
        .scale, "16,384 counts a gauss with 20 bits: 0.0061 microtesla a count",
        by: "ArduPilot AP_Compass_MMC5603.cpp", "Betaflight compass_mmc560x.c",
        dispute:
          "Linux mmc5633.c, Adafruit_MMC56x3.cpp and PX4 mmc5616.cpp have 0.0625 milligauss, 2.4 % more, which is the data sheet's rounded "
          + "figure for the same 64 gauss in 20 bits",
        proof:
          "the magnitude of the calibrated field beside that of the magnetic model: 2.4 % apart"),
      ChipFact(
        .layout,
        "the 16 high bits of x, y and z from 00H on, high byte first; their four low bits in the upper halves of 06H to 08H; the zero is "
          + "524,288",
        by: "Linux mmc5633.c", "Adafruit_MMC56x3.cpp", "PX4 mmc5616.cpp",
        dispute:
          "ArduPilot AP_Compass_MMC5603.cpp adds the last three bytes without a shift: at most 240 counts, 1.5 microtesla",
        proof: "the lower halves of 06H to 08H read zero"),
      ChipFact(
        .identity, "0x10 in 39H, of an MMC5633 too",
        .identity(register: 0x39, values: [0x10]),
        by: "ArduPilot AP_Compass_MMC5603.cpp", "Betaflight compass_mmc560x.c",
        "Linux mmc5633.c (one driver for both parts)"),
    ]

    /// What decides the sign of a bridge that is magnetised by pulses.
    static let setResetProof =
      "level, with the chip's z up and x to the north: x reads positive, and north of the magnetic equator z reads negative; the other "
      + "polarity negates all three axes, which no mount does"
  }

#endif
