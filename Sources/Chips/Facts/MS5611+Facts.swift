#if !hasFeature(Embedded)

  extension ChipFact {
    static let ms5611 = [
      ChipFact(
        .identity,
        "no register; an MS5607 has the same commands, PROM and check, and reads half with these formulas",
        by: "Linux ms5611_core.c", "RobTillaart/MS5611 issues 33 and 47",
        dispute:
          "modules that are sold as MS5611 have an MS5607 (RobTillaart/MS5611 issues 33 and 47); ArduPilot has an option for them",
        proof:
          "the first pressure: 425 to 550 hPa below 4 km of altitude is an MS5607, to be named in the board file"
      ),
      ChipFact(
        .compensation,
        "offset C2 2^16 + C4 dT / 2^7, sensitivity C1 2^15 + C3 dT / 2^8; below 20 °C T2 = dT^2 / 2^31, 5/2 and 5/4 of (T - 20)^2, below -15 °C 7 and 11/2 of (T + 15)^2 more",
        by: "Linux ms5611_core.c", "MS5611-01BA03 data sheet, figures 2 and 3",
        "ArduPilot AP_Baro_MS5611.cpp"),
      longPROM, conversions, reload,
    ]

    static let ms5607 = [
      ChipFact(
        .identity, "no register; answers as an MS5611", by: "Linux ms5611_core.c",
        "RobTillaart/MS5611 issue 33"),
      ChipFact(
        .compensation,
        "offset C2 2^17 + C4 dT / 2^6, sensitivity C1 2^16 + C3 dT / 2^7; below 20 °C T2 = dT^2 / 2^31, 61/16 and 2 of (T - 20)^2, below -15 °C 15 and 8 of (T + 15)^2 more",
        by: "Linux ms5611_core.c", "MS5607-02BA03 data sheet 09/2015",
        "ArduPilot AP_Baro_MS5611.cpp"),
      longPROM, conversions, reload,
    ]

    static let ms5637 = [
      ChipFact(
        .compensation,
        "first order as the MS5607; below 20 °C T2 = 3 dT^2 / 2^33, 61/16 and 29/16 of (T - 20)^2, below -15 °C 17 and 9 of (T + 15)^2 more; from 20 °C T2 = 5 dT^2 / 2^38",
        by: "Linux ms_sensors_i2c.c", "Zephyr ms5637.c", "TE MS5637_Generic_C_Driver"),
      ChipFact(
        .layout, "seven words of PROM from 0xA0, the check in the top four bits of the first",
        by: "Linux ms_sensors_i2c.c", "ArduPilot AP_Baro_MS5611.cpp",
        "MS5637-02BA03 data sheet 09/2015",
        dispute:
          "TE MS5637_Generic_C_Driver reads eight with the check in the last, as of an MS5611",
        proof: "the PROM of a chip: its check fits in one place only"),
      conversions, reload,
    ]

    static let ms5837With30Bar = [
      ChipFact(
        .compensation,
        "first order as the MS5611, but tenths of a hectopascal by 2^13; below 20 °C T2 = 3 dT^2 / 2^33, 3/2 and 5/8 of (T - 20)^2, below -15 °C 7 and 4 of (T + 15)^2 more; from 20 °C T2 = 2 dT^2 / 2^37 and 1/16 of (T - 20)^2",
        by: "BlueRobotics MS5837.cpp", "Zephyr ms5837.c", "MS5837-30BA data sheet, revision C2",
        dispute:
          "TE MS5837_Generic_C_Driver takes (T + 15)^2 from 20 °C on and hundredths of a hectopascal, ArduPilot's early versions nothing below -15 °C",
        proof: "the pressure in air beside another barometer"),
      products, shortPROM, conversions, reload,
    ]

    static let ms5837With2Bar = [
      ChipFact(
        .compensation,
        "first order as the MS5607; below 20 °C T2 = 11 dT^2 / 2^35, 31/8 and 63/32 of (T - 20)^2",
        by: "BlueRobotics MS5837.cpp", "Zephyr ms5837.c", "MS5837-02BA data sheet 09/2017"),
      products, shortPROM, conversions, reload,
    ]

    private static let products = ChipFact(
      .identity,
      "bits 11 to 5 of the PROM's first word are 0x1A in an MS5837-30BA26 and 0x15 in an MS5837-02BA21; 0x00 in the -30BA01 and the -02BA01",
      by: "Zephyr issues 60950 and 87870", "BlueRobotics MS5837.cpp",
      "MS5837-30BA data sheet, revision C2")
    private static let longPROM = ChipFact(
      .layout, "eight words of PROM from 0xA0, high byte first, the check in the last four bits",
      by: "Linux ms5611_core.c", "ArduPilot AP_Baro_MS5611.cpp")
    private static let shortPROM = ChipFact(
      .layout,
      "seven words of PROM from 0xA0, high byte first, the check in the top four bits of the first",
      by: "TE MS5837_Generic_C_Driver", "BlueRobotics MS5837.cpp")
    private static let conversions = ChipFact(
      .mode,
      "a result is 24 bits, high byte first, after 0x40 (pressure) or 0x50 (temperature) with twice the step of the ratio; read early or twice it is 0",
      by: "MS5637-02BA03 data sheet 09/2015, conversion sequence", "Linux ms5611_core.c",
      "MS5837-02BA data sheet 09/2017, conversion sequence")
    private static let reload = ChipFact(
      .boot, "a reset reloads the PROM in 3 ms", by: "Linux ms5611_core.c", "Linux ms5637.c")
  }

#endif
