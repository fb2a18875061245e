#if !hasFeature(Embedded)

  extension ChipFact {
    static let ak8963 = [
      ChipFact(
        .axes,
        "right-handed, x, y, z low byte first; in an MPU-9250 x lies along the unit's y, y along its x, z against its z",
        by: "PX4 AK8963.cpp (y, -x, z: a rotation)",
        "InvenSense MPU-9250 PS-MPU-9250A-01, section 9.1", "INAV pull request 707 (tested by hand)"
      ),
      ChipFact(
        .scale,
        "0.15 microtesla a count with 16 bits, times the factory's adjustment, 1 + (ASA - 128) / 256, of the same axis",
        by: "ArduPilot AP_Compass_AK8963.cpp", "PX4 AK8963.cpp",
        dispute: "PX4 AK8963.cpp multiplies y by ASAX and x by ASAY, after exchanging the axes",
        proof:
          "the data sheet names each ASA by its axis; the ellipsoid of a calibration is rounder with the right ones"
      ),
      ChipFact(
        .identity, "0x48 in 00H, the maker's: an AK8975 and the later chips have it too",
        .identity(register: 0x00, values: [0x48]),
        by: "ArduPilot AP_Compass_AK8963.cpp", "PX4 AK09916.cpp (the same \"Company_ID\")"),
      ChipFact(
        .mode, "ST2 must be read for the next measurement to come through",
        by: "AKM AK8963 data sheet MS1356-E-02, section 6.4",
        "ArduPilot AP_Compass_AK8963.cpp (reads it with the data)"),
    ]
  }

#endif
