#if !hasFeature(Embedded)

  extension ChipFact {
    static let bme680 = [
      ChipFact(
        .identity, "0x61, in the BME688 too", .identity(register: 0xD0, values: [0x61]),
        by: "Linux bme680.h", "Bosch BME68x_SensorAPI bme68x.c"),
      ChipFact(
        .compensation,
        "par_t2 from 0x8A, par_p1 from 0x8E to par_p10 at 0xA0, low byte first, par_p7 before par_p6, par_t1 alone at 0xE9; formulas with the BMP280's terms, other powers of two, and a cubic term by par_p10",
        by: "Linux bme680_core.c (run)", "Bosch BME68x_SensorAPI bme68x.c"),
      ChipFact(
        .compensation,
        "the cubic term, par_p10 / 2^45 of the pressure's cube in pascals, holds over the whole range",
        by: "Bosch BME68x_SensorAPI bme68x.c (its formula of fractions)",
        "Linux bme680_core.c (run; above about 1050 hPa its and Bosch's whole numbers leave 32 bits, 20.48 hPa too little)"
      ),
      ChipFact(
        .layout,
        "pressure at 0x1F, temperature at 0x22: 20 bits, high byte first, left-aligned; 0x80000 where not measured",
        by: "Linux bme680_core.c", "Bosch BME68x_SensorAPI bme68x.c"),
      ChipFact(
        .thermometer, "its own, which the gas heater beside it warms: the heater stays off",
        by: "Bosch BME68x_SensorAPI bme68x.c (heater off)"),
      ChipFact(
        .mode,
        "a forced measurement takes 1963 µs a cycle, 9 changes of 477 µs and a millisecond to wake up",
        by: "Bosch BME68x_SensorAPI bme68x.c", dispute: "Linux bme680_core.c has 1936 µs a cycle",
        proof: "the time until measuring ends: the driver waits for that bit"),
    ]
  }

#endif
