#if !hasFeature(Embedded)

  extension ChipFact {
    static let mpl3115a2 = [
      ChipFact(
        .identity, "0xC4 in WHO_AM_I", .identity(register: 0x0C, values: [0xC4]),
        by: "Linux mpl3115.c",
        "Adafruit_MPL3115A2.cpp"),
      ChipFact(
        .layout,
        "pressure at 0x01: 20 bits, high byte first, left-aligned; temperature at 0x04: 12 bits with sign, left-aligned",
        by: "Linux mpl3115.c", "Adafruit_MPL3115A2.cpp"),
      ChipFact(
        .scale, "0.25 Pa and 1/16 of a degree a count, in the barometer mode (ALT clear)",
        by: "Linux mpl3115.c",
        "Adafruit_MPL3115A2.cpp", "SparkFunMPL3115A2.cpp"),
      ChipFact(
        .compensation, "inside the chip, with the user's offsets of OFF_P and OFF_T added",
        by: "Linux mpl3115.c (its list of what it leaves out)"),
      ChipFact(
        .mode, "OST starts one measurement and clears itself; 64 samples take 258 ms, 128 take 512",
        by: "Linux mpl3115.c",
        "SparkFunMPL3115A2.cpp"),
      ChipFact(
        .boot, "a reset is not acknowledged", by: "Linux mpl3115.c",
        dispute:
          "Adafruit_MPL3115A2.cpp does not look at the answer and asks whether the bit has cleared",
        proof: "the acknowledge bit after a reset, on an oscilloscope"),
    ]
  }

#endif
