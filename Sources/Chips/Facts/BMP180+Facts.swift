#if !hasFeature(Embedded)

  extension ChipFact {
    static let bmp180 = [
      ChipFact(
        .identity, "0x55, in the BMP085 too", .identity(register: 0xD0, values: [0x55]),
        by: "Betaflight barometer_bmp085.c"),
      ChipFact(
        .compensation,
        "eleven words from 0xAA, high byte first, AC4 to AC6 without sign; the sheet's formulas in whole numbers",
        by: "Betaflight barometer_bmp085.c", "ArduPilot AP_Baro_BMP085.cpp"),
      ChipFact(
        .layout,
        "the result at 0xF6, high byte first: 16 bits of temperature; of pressure 24 bits, shifted right by 8 less the oversampling",
        by: "Betaflight barometer_bmp085.c", "ArduPilot AP_Baro_BMP085.cpp"),
      ChipFact(
        .thermometer,
        "its own: a conversion by 0x2E before the pressures by 0x34 and the oversampling in the top two bits",
        by: "Betaflight barometer_bmp085.c", "ArduPilot AP_Baro_BMP085.cpp"),
      ChipFact(
        .mode, "a temperature takes 4.5 ms, a pressure of the highest oversampling 25.5 ms",
        by: "Betaflight barometer_bmp085.c", "ArduPilot AP_Baro_BMP085.cpp (5 ms and 26 ms)"),
      ChipFact(
        .boot, "answers 10 ms after power-on",
        by: "Betaflight barometer_bmp085.c"),
    ]
  }

#endif
