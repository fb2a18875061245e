#if !hasFeature(Embedded)

  extension ChipFact {
    static let icp10125 = [
      ChipFact(
        .identity, "0x08 in the lower six bits of the answer to 0xEFC8",
        by: "Linux icp10100.c",
        dispute:
          "PX4 ICP10100.cpp takes the six bits of the byte that its little-endian word has above",
        proof: "the two bytes of the answer"),
      ChipFact(
        .compensation,
        "four words with sign from the memory; the curve A + B / (C + raw) through 450, 800 and 1050 hPa, whose places move with the square of the temperature",
        by: "Linux icp10100.c", "PX4 ICP10100.cpp"),
      ChipFact(
        .layout,
        "pressure of 24 bits in the first two words of an answer, temperature of 16 in the third; a check byte after each word (CRC-8, 0x31, from 0xFF)",
        by: "Linux icp10100.c",
        dispute: "PX4 ICP10100.cpp reads the temperature first, by commands of that order",
        proof: "the command that was sent"),
      ChipFact(
        .thermometer, "its own: -45 °C and 175 degrees by 65536 counts",
        by: "Linux icp10100.c", "PX4 ICP10100.cpp"),
      ChipFact(
        .mode, "measurements take at most 1.8, 6.3, 23.8 or 94.5 ms",
        by: "Linux icp10100.c", "PX4 ICP10100.cpp"),
      ChipFact(
        .boot, "a reset takes 170 µs, power-on at most 100 ms",
        by: "Linux icp10100.c", "PX4 ICP10100.cpp (power-on)"),
    ]
  }

#endif
