#if !hasFeature(Embedded)

  extension ChipFact {
    static let bmm350 = [
      ChipFact(
        .axes,
        "right-handed as the registers have them; x, y, z and the temperature with 24 bits, low byte first",
        by: "PX4 BMM350.cpp (taken as they are, with a rotation)",
        "ArduPilot AP_Compass_BMM350.cpp (the same)"),
      ChipFact(
        .compensation,
        "offset, sensitivity and their temperature terms of each axis, then the cross-axis terms, from the factory's memory",
        by: "ArduPilot AP_Compass_BMM350.cpp", "PX4 BMM350.cpp"),
      ChipFact(
        .layout, "each read begins with two bytes that are no registers",
        by: "ArduPilot AP_Compass_BMM350.cpp", "PX4 BMM350.cpp"),
      ChipFact(
        .identity, "0x33 in 00H",
        by: "ArduPilot AP_Compass_BMM350.cpp", "PX4 BMM350.cpp (chip_identification_number)"),
    ]
  }

#endif
