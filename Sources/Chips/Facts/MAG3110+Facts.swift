#if !hasFeature(Embedded)

  extension ChipFact {
    static let mag3110 = [
      ChipFact(
        .axes, "the registers' axes are left-handed: z points against a right-handed package's",
        .samples(
          SampleLayout(.field, from: 0x00, at: 1, .big16, "+x +y -z", [.field(1000, 0.1)])),
        by: "INAV compass_mag3110.c (\"Z is down, not up in this sensor\": z alone is negated)",
        "codal-core MAG3110.cpp (east -y, north x, up -z)",
        "NXP sensor fusion, hal_frdm_fxs_mult2_b.c (its MAG3110 driver \"inverts the MAG3110 Z-axis reading to enforce +Z = up\")",
        dispute:
          "ArduPilot AP_Compass_MAG3110.cpp and Betaflight compass_mag3110.c take the three axes as they are",
        proof:
          "level, z up: with x to the north and then to the west, x and y read positive; z reads positive north of the magnetic "
          + "equator where it points down"),
      ChipFact(
        .scale, "0.1 microtesla a count, one range",
        by: "Linux mag3110.c", "ArduPilot AP_Compass_MAG3110.cpp (a milligauss)"),
      ChipFact(
        .identity, "0xC4 in 07H", .identity(register: 0x07, values: [0xC4]),
        by: "Linux mag3110.c", "ArduPilot AP_Compass_MAG3110.cpp", "INAV compass_mag3110.c"),
      ChipFact(
        .mode,
        "settings are taken in standby only, which begins when the conversion in progress has ended",
        by: "Linux mag3110.c", "codal-core MAG3110.cpp (waits for SYSMOD 0)"),
    ]
  }

#endif
