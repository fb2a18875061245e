#if !hasFeature(Embedded)

  extension ChipFact {
    static let ak09916 = [
      ChipFact(
        .axes,
        "right-handed, x, y, z low byte first; in an ICM-20948 x lies along the unit's x, y and z against its y and z",
        .samples(
          SampleLayout(.field, from: 0x10, at: 1, .little16, "+x +y +z", [.field(4900, 0.15)])),
        by: "PX4 AK09916.cpp (\"+X forward, +Y right, +Z down\")",
        "InvenSense ICM-20948 DS-000189, figures 12 and 13",
        "ArduPilot AP_Compass_AK09916.cpp (taken as they are)"),
      ChipFact(
        .scale, "0.15 microtesla a count",
        by: "PX4 AK09916.cpp", "ArduPilot AP_Compass_AK09916.cpp"),
      ChipFact(
        .identity, "0x09 in 01H, beside the maker's 0x48 in 00H",
        .identity(register: 0x01, values: [0x09]),
        by: "ArduPilot AP_Compass_AK09916.cpp", "PX4 AK09916.cpp"),
    ]
  }

#endif
