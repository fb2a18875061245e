#if !hasFeature(Embedded)

  extension ChipFact {
    static let lps25hb = [
      ChipFact(
        .identity, "0xBD, in the LPS25H too", .identity(register: 0x0F, values: [0xBD]),
        by: "Linux st_pressure_core.c", "ArduPilot AP_Baro_LPS2XH.cpp"),
      ChipFact(
        .thermometer, "480 counts a degree from 42.5 °C",
        by: "Linux st_pressure_core.c", "ArduPilot AP_Baro_LPS2XH.cpp"),
      lpsScale,
      lpsLayout,
      lpsCompensation,
    ]

    static let lps22hb = [
      ChipFact(
        .identity, "0xB1, in the LPS33HW and LPS35HW too",
        .identity(register: 0x0F, values: [0xB1]),
        by: "Linux st_pressure_core.c", "ArduPilot AP_Baro_LPS2XH.cpp"),
      ChipFact(
        .thermometer, "100 counts a degree from 0 °C",
        by: "Linux st_pressure_core.c", "ArduPilot AP_Baro_LPS2XH.cpp"),
      lpsScale,
      lpsLayout,
      lpsCompensation,
    ]

    static let lps22hh = [
      ChipFact(
        .identity, "0xB3", .identity(register: 0x0F, values: [0xB3]),
        by: "Linux st_pressure_core.c", "ArduPilot AP_Baro_LPS2XH.cpp"),
      ChipFact(
        .thermometer, "100 counts a degree from 0 °C",
        by: "Linux st_pressure_core.c", "ArduPilot AP_Baro_LPS2XH.cpp"),
      lpsScale,
      lpsLayout,
      lpsCompensation,
    ]

    static let lps22df = [
      ChipFact(
        .identity, "0xB4", .identity(register: 0x0F, values: [0xB4]),
        by: "Linux st_pressure_core.c", "Betaflight barometer_lps22df.c"),
      ChipFact(
        .thermometer, "100 counts a degree from 0 °C",
        by: "Linux st_pressure_core.c", "Betaflight barometer_lps22df.c"),
      lpsScale,
      lpsLayout,
      lpsCompensation,
    ]

    private static let lpsScale = ChipFact(
      .scale, "4096 counts a hectopascal",
      by: "Linux st_pressure_core.c", "ArduPilot AP_Baro_LPS2XH.cpp",
      "Betaflight barometer_lps22df.c")

    private static let lpsLayout = ChipFact(
      .layout, "pressure at 0x28, temperature at 0x2B: 24 and 16 bits with sign, low byte first",
      by: "Linux st_pressure_core.c", "ArduPilot AP_Baro_LPS2XH.cpp",
      "Betaflight barometer_lps22df.c")

    private static let lpsCompensation = ChipFact(
      .compensation, "inside the chip",
      by: "Linux st_pressure_core.c", "ArduPilot AP_Baro_LPS2XH.cpp")
  }

#endif
