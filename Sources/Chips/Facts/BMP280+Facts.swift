#if !hasFeature(Embedded)

  extension ChipFact {
    static let bmp280 = [
      ChipFact(
        .identity,
        "0x58 in production parts; 0x56 and 0x57 are samples (BST-BME280-DS002-15, table 17)",
        .identity(register: 0xD0, values: [0x56, 0x57, 0x58]),
        by: "Betaflight barometer_bmp280.c", "ArduPilot AP_Baro_BMP280.cpp"),
      bmp280Compensation,
      bmp280Layout,
      bmp280Thermometer,
      bmp280Times,
    ]

    static let bme280 = [
      ChipFact(
        .identity, "0x60", .identity(register: 0xD0, values: [0x60]),
        by: "Betaflight barometer_bmp280.c", "ArduPilot AP_Baro_BMP280.cpp"),
      bmp280Compensation,
      bmp280Layout,
      bmp280Thermometer,
      bmp280Times,
    ]

    private static let bmp280Compensation = ChipFact(
      .compensation,
      "twelve words from 0x88, low byte first, T1 and P1 without sign; 32 bits for the temperature, 64 for the pressure in 1/256 Pa",
      by: "Betaflight barometer_bmp280.c", "ArduPilot AP_Baro_BMP280.cpp")

    private static let bmp280Layout = ChipFact(
      .layout, "pressure at 0xF7, temperature at 0xFA: 20 bits, high byte first, left-aligned",
      by: "Betaflight barometer_bmp280.c", "ArduPilot AP_Baro_BMP280.cpp")

    private static let bmp280Thermometer = ChipFact(
      .thermometer, "its own, measured with each pressure",
      by: "Betaflight barometer_bmp280.c", "ArduPilot AP_Baro_BMP280.cpp")

    private static let bmp280Times = ChipFact(
      .mode, "at the longest 1.25 ms, 2.3 ms for each temperature and each pressure, and 0.6 ms",
      by: "Betaflight barometer_bmp280.c")
  }

#endif
