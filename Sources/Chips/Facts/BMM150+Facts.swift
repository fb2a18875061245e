#if !hasFeature(Embedded)

  extension ChipFact {
    static let bmm150 = [
      ChipFact(
        .axes, "right-handed as the registers have them",
        by: "PX4 BMM150.cpp (taken as they are, with a rotation)",
        "ArduPilot AP_Compass_BMM150.cpp (the same)"),
      ChipFact(
        .compensation,
        "trim from 5DH on and the Hall resistance; x and y have 13 bits, z 15, the resistance 14; 16 steps a microtesla",
        by: "ArduPilot AP_Compass_BMM150.cpp", "PX4 BMM150.cpp (after Bosch's BMM150-Sensor-API)"),
      ChipFact(
        .identity, "0x32 in 40H, which can be read only after the power bit was set",
        .identity(register: 0x40, values: [0x32]),
        by: "ArduPilot AP_Compass_BMM150.cpp", "PX4 BMM150.cpp (zero while it sleeps)"),
      ChipFact(
        .boot, "3 ms from suspend to sleep mode",
        by: "PX4 BMM150.cpp", "ArduPilot AP_Compass_BMM150.cpp (waits 2 ms and tries again)"),
    ]
  }

#endif
