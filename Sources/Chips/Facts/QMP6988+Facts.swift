#if !hasFeature(Embedded)

  extension ChipFact {
    static let qmp6988 = [
      ChipFact(
        .identity,
        "0x5C, in the 2SMPB-02E, which is alike, and in the 2SMPB-02B, which has other coefficients",
        .identity(register: 0xD1, values: [0x5C]),
        by: "ghismary/embedded-qmp6988 lib.rs", "Betaflight barometer_qmp6988.c",
        "Betaflight barometer_2smpb_02b.c"),
      ChipFact(
        .compensation,
        "25 bytes from 0xA0, high byte first: b00, bt1, bt2, bp1, b11, bp2, b12, b21, bp3, a0, a1, a2 of 16 bits, and four bits more of b00 and a0 in the last; a polynomial",
        by: "ghismary/embedded-qmp6988 lib.rs", "Betaflight barometer_qmp6988.c",
        "Seeed Grove_2SMPB_02E SMPB.cpp"),
      words, thermometer, averages,
    ]

    static let smpb02b = [
      ChipFact(
        .identity, "0x5C, as in the QMP6988 and 2SMPB-02E, whose coefficients are others",
        .identity(register: 0xD1, values: [0x5C]), by: "Betaflight barometer_2smpb_02b.c",
        "Betaflight barometer_qmp6988.c"),
      ChipFact(
        .compensation,
        "21 bytes from 0xA0, high byte first: cp of 24 bits, bp, ap, ct, bt, at of 16, ca of 24, one unused, ba, aa of 16; two quadratic equations, and a quotient by 1 + ct + bt Tr + at Tr^2 with Tr in 1/256 of a degree",
        by: "Betaflight barometer_2smpb_02b.c",
        "a Python program of a balloon's leak detector (constants)",
        dispute:
          "the Python program puts degrees in place of 1/256 of a degree into the quotient, which is 4 percent off at 25 °C; Betaflight divides the term of bp in whole numbers",
        proof: "the pressure beside another barometer"),
      words, thermometer, averages,
    ]

    private static let words = ChipFact(
      .layout,
      "pressure at 0xF7, temperature at 0xFA: 24 bits without sign, high byte first, from which 2^23 is subtracted",
      by: "Betaflight barometer_qmp6988.c", "ghismary/embedded-qmp6988 lib.rs",
      "Betaflight barometer_2smpb_02b.c")
    private static let thermometer = ChipFact(
      .thermometer,
      "the compensation needs its own, measured before each pressure; 1/256 of a degree",
      by: "Betaflight barometer_qmp6988.c", "ghismary/embedded-qmp6988 lib.rs")
    private static let averages = ChipFact(
      .mode,
      "press_average and temp_average of CTRL_MEAS: 1 to 6 for 1 to 32; 32 with 4 take 34 ms",
      by: "ghismary/embedded-qmp6988 lib.rs", "catie-aq/mbed_omron-2smpb-02e 2SMPB02E.h",
      dispute: "Betaflight barometer_2smpb_02b.c writes 5 for what it calls 32",
      proof: "the time until the flag of a measurement clears")
  }

#endif
