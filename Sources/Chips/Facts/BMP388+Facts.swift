#if !hasFeature(Embedded)

  extension ChipFact {
    static let bmp388 = [
      ChipFact(
        .identity, "0x50, in the BMP384 too", .identity(register: 0x00, values: [0x50]),
        by: "Betaflight barometer_bmp388.c", "ArduPilot AP_Baro_BMP388.cpp"),
      bmp388Compensation,
      bmp388Layout,
      bmp388Thermometer,
    ]

    static let bmp390 = [
      ChipFact(
        .identity, "0x60", .identity(register: 0x00, values: [0x60]),
        by: "Betaflight barometer_bmp388.c", "ArduPilot AP_Baro_BMP388.cpp"),
      bmp388Compensation,
      bmp388Layout,
      bmp388Thermometer,
    ]

    private static let bmp388Compensation = ChipFact(
      .compensation,
      "21 bytes from 0x31, low byte first: T1, T2, P5, P6 without sign of 16 bits, P1, P2, P9 with sign, T3, P3, P4, P7, P8, P10, P11 of 8",
      by: "Betaflight barometer_bmp388.c", "ArduPilot AP_Baro_BMP388.cpp")

    private static let bmp388Layout = ChipFact(
      .layout,
      "pressure at 0x04, temperature at 0x07: 24 bits without sign, low byte first; a dummy byte before them on SPI",
      by: "Betaflight barometer_bmp388.c", "ArduPilot AP_Baro_BMP388.cpp")

    private static let bmp388Thermometer = ChipFact(
      .thermometer,
      "its own, measured with each pressure; the compensation needs its value in degrees",
      by: "Betaflight barometer_bmp388.c", "ArduPilot AP_Baro_BMP388.cpp")
  }

#endif
