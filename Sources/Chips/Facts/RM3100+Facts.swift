#if !hasFeature(Embedded)

  extension ChipFact {
    static let rm3100 = [
      ChipFact(
        .axes,
        "right-handed as the board with the coils has them; x, y, z with 24 bits, high byte first",
        .samples(
          SampleLayout(.field, from: 0x24, at: 0, .big24, "+x +y +z", [.field(800, 1 / 75.0)])),
        by: "PX4 rm3100.cpp (taken as they are, with a rotation)",
        "ArduPilot AP_Compass_RM3100.cpp (the same)"),
      ChipFact(
        .scale, "20, 38 and 75 counts a microtesla by cycle counts of 50, 100 and 200",
        by: "ArduPilot AP_Compass_RM3100.cpp", "Linux rm3100-core.c (500, 263 and 133 microgauss)"),
      ChipFact(
        .identity, "0x22 in 36H", .identity(register: 0x36, values: [0x22]),
        by: "PX4 rm3100.h", "PNI RM3100 user manual, REVID",
        dispute:
          "ArduPilot AP_Compass_RM3100.cpp does not read it and compares the cycle counts' defaults, which a warm start falsifies",
        proof: "read 36H"),
    ]
  }

#endif
