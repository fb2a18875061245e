#if !hasFeature(Embedded)

  extension ChipFact {
    static let dps310 = [
      ChipFact(
        .thermometer,
        "the coefficients belong to the thermometer that bit 7 of register 0x28 names, and TMP_CFG has to choose it",
        by: "Infineon DPS310 data sheet 1.2, COEF_SRCE", "PX4 DPS310.cpp",
        "Betaflight barometer_dps310.c",
        dispute:
          "Linux dps310.c always takes the pressure element's; an SPL06-001, which has this chip's identity and reads 0 there, needs that one too (Infineon/DPS310-Pressure-Sensor issue 20)",
        proof:
          "the print on the package, and register 0x28: where it reads 0 and the temperature is tens of degrees off, the chip is an SPL06-001, to be named in the board file"
      ),
      ChipFact(
        .identity, "0x10, in the SPL06-001 and SPL06-007 too",
        .identity(register: 0x0D, values: [0x10]),
        by: "PX4 DPS310.cpp", "ArduPilot AP_Baro_SPL06.cpp",
        "Infineon/DPS310-Pressure-Sensor issue 20"),
      scaleFactors, highByteFirst, compensation,
      ChipFact(
        .boot, "the coefficients can be read 40 ms after a reset", by: "PX4 DPS310.cpp",
        "Linux dps310.c",
        "Betaflight barometer_dps310.c"),
      ChipFact(
        .thermometer,
        "some read about 40 degrees too high, which register 0x32 shows by a clear bit 1 and a sequence of writes corrects",
        by: "Linux dps310.c", "Infineon/DPS310-Pressure-Sensor issue 27"),
    ]

    static let spl06 = [
      ChipFact(
        .thermometer,
        "the coefficients belong to the pressure element's thermometer (bit 7 of TMP_CFG); no register says so, and 0x28 reads without an error",
        by: "ArduPilot AP_Baro_SPL06.cpp", "PX4 SPL06.hpp",
        "Infineon/DPS310-Pressure-Sensor issue 20"),
      ChipFact(
        .identity, "0x10, as in the DPS310", .identity(register: 0x0D, values: [0x10]),
        by: "ArduPilot AP_Baro_SPL06.cpp", "PX4 SPL06.cpp"),
      scaleFactors, highByteFirst, compensation,
      ChipFact(
        .boot, "COEF_RDY and SENSOR_RDY of MEAS_CFG are set before 40 ms after a reset",
        by: "PX4 SPL06.cpp (10 ms, then polled)",
        "Betaflight barometer_dps310.c"),
    ]

    static let spl07 = [
      ChipFact(
        .thermometer,
        "the coefficients belong to the thermometer that a reset chooses; TMP_EXT is bit 3 of MEAS_CFG, as bit 7 of TMP_CFG is a part of the rate",
        by: "Kenneract SPL07-003.h", "PX4 SPL07.hpp (TMP_CFG 0x50, MEAS_CFG 0x07)",
        "Betaflight barometer_dps310.c, pull request 13427"),
      ChipFact(
        .identity, "0x11, in the SPA06-003 too", .identity(register: 0x0D, values: [0x11]),
        by: "PX4 spl07.h", "adafruit_spa06_003.py"),
      scaleFactors,
      ChipFact(
        .layout, "pressure at 0x00, temperature at 0x03: 24 bits with sign, high byte first",
        by: "PX4 SPL07.cpp", "adafruit_spa06_003.py"),
      ChipFact(
        .compensation,
        "as the DPS310's, with 12 bits of c31 from 0x22 and 12 of c40 in 0x23 and 0x24: c40 p^4 and c31 p^3 t are added",
        by: "adafruit_spa06_003.py", "Kenneract SPL07-003.cpp",
        dispute:
          "PX4 SPL07.cpp takes c40 p^3 and c31 p^2 t, ArduPilot AP_Baro_SPL06.cpp c40 p^4 but c31 p^2 t: parentheses that close early",
        proof: "the pressure beside a barometer of another kind at 500 and at 1000 hPa"),
      ChipFact(
        .boot, "COEF_RDY and SENSOR_RDY of MEAS_CFG are set before 40 ms after a reset",
        by: "PX4 SPL07.cpp (10 ms, then polled)", "Kenneract SPL07-003.cpp (12 ms at most)"),
    ]

    private static let scaleFactors = ChipFact(
      .scale,
      "a raw value of 1, 2, 4, 8, 16, 32, 64 or 128 measurements is divided by 524288, 1572864, 3670016, 7864320, 253952, 516096, 1040384 or 2088960; above 8 the shift bit of CFG_REG has to be set",
      by: "Linux dps310.c", "ArduPilot AP_Baro_SPL06.cpp", "PX4 SPL06.hpp")
    private static let highByteFirst = ChipFact(
      .layout, "pressure at 0x00, temperature at 0x03: 24 bits with sign, high byte first",
      by: "Linux dps310.c",
      "Betaflight barometer_dps310.c")
    private static let compensation = ChipFact(
      .compensation,
      "18 bytes from 0x10: c0 and c1 of 12 bits, c00 and c10 of 20, c01, c11, c20, c21 and c30 of 16, all with sign; T = c0/2 + c1 t, p = c00 + p (c10 + p (c20 + p c30)) + t (c01 + p (c11 + p c21))",
      by: "Linux dps310.c", "PX4 DPS310.cpp", "ArduPilot AP_Baro_SPL06.cpp")
  }

#endif
