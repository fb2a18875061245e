#if !hasFeature(Embedded)

  extension ChipFact {
    static let mmc5983ma = [
      ChipFact(
        .polarity, "the output falls with the field after SET and rises with it after RESET",
        by: "ArduPilot AP_Compass_MMC5xx3.cpp (the field is half of RESET minus SET)",
        "PX4 mmc5983ma.cpp (8 gauss minus the output, on all axes)",
        dispute: "Linux mmc5983.c has the field as half of SET minus RESET",
        proof: setResetProof),
      ChipFact(
        .scale, "16,384 counts a gauss with 18 bits: 0.0061 microtesla a count",
        by: "Linux mmc5983.c (61,035 nanogauss)",
        "ArduPilot AP_Compass_MMC5xx3.cpp (4096 with the 16 high bits)",
        dispute: "PX4 mmc5983ma.cpp has 0.0625 milligauss, 2.4 % more",
        proof:
          "the magnitude of the calibrated field beside that of the magnetic model: 2.4 % apart"),
      ChipFact(
        .layout,
        "the 16 high bits of x, y and z from 00H on, high byte first; their two low bits in 06H, x's highest; the zero is 131,072",
        by: "Linux mmc5983.c", "PX4 mmc5983ma.cpp"),
      ChipFact(
        .identity, "0x30 in 2FH", .identity(register: 0x2F, values: [0x30]),
        by: "Linux mmc5983.c", "ArduPilot AP_Compass_MMC5xx3.cpp"),
      ChipFact(
        .boot, "10 ms from a reset to the first command",
        by: "Linux mmc5983.c (\"page 15\")", "ArduPilot AP_Compass_MMC5xx3.cpp (waits 15 ms)"),
    ]
  }

#endif
