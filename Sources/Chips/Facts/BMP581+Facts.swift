#if !hasFeature(Embedded)

  extension ChipFact {
    static let bmp581 = [
      ChipFact(
        .identity, "0x50, in the BMP580 too", .identity(register: 0x01, values: [0x50]),
        by: "ArduPilot AP_Baro_BMP581.cpp", "Betaflight barometer_bmp5xx.c",
        dispute: "Betaflight calls 0x50 a BMP580 and 0x51 a BMP581",
        proof: "the print on the package: both compute alike"),
      bmp581Compensation,
      bmp581Layout,
      bmp581Scale,
    ]

    static let bmp585 = [
      ChipFact(
        .identity, "0x51", .identity(register: 0x01, values: [0x51]),
        by: "Betaflight barometer_bmp5xx.c",
        dispute: "Betaflight calls it a BMP581",
        proof: "the print on the package: both compute alike"),
      bmp581Compensation,
      bmp581Layout,
      bmp581Scale,
    ]

    private static let bmp581Compensation = ChipFact(
      .compensation, "inside the chip",
      by: "Betaflight barometer_bmp5xx.c (DSP_CONFIG)", "ArduPilot AP_Baro_BMP581.cpp")

    private static let bmp581Layout = ChipFact(
      .layout,
      "temperature at 0x1D, pressure at 0x20: 24 bits, low byte first, the temperature with sign; 0x7F7F7F where not measured",
      by: "ArduPilot AP_Baro_BMP581.cpp", "Betaflight barometer_bmp5xx.c (registers)",
      dispute: "Betaflight drops a dummy byte before them on SPI, ArduPilot does not",
      proof: "a read of the identity on SPI")

    private static let bmp581Scale = ChipFact(
      .scale, "1/64 Pa and 1/65536 of a degree a count",
      by: "ArduPilot AP_Baro_BMP581.cpp")
  }

#endif
