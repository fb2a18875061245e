#if !hasFeature(Embedded)

  extension ChipFact {
    static let lis3mdl = [
      ChipFact(
        .axes, "right-handed, x, y, z low byte first",
        .samples(
          SampleLayout(
            .field, from: 0xA0, at: 8, .little16, "+x +y +z",
            [
              .field(400, 100 / 6842.0), .field(800, 100 / 3421.0), .field(1200, 100 / 2281.0),
              .field(1600, 100 / 1711.0),
            ])),
        by: "PX4 lis3mdl.cpp (taken as they are, with a rotation)",
        "ArduPilot AP_Compass_LIS3MDL.cpp (the same)"),
      ChipFact(
        .scale, "6842, 3421, 2281 and 1711 counts a gauss by range",
        by: "PX4 lis3mdl.cpp", "Linux st_magn_core.c (146, 292, 438 and 584 microgauss)"),
      ChipFact(
        .identity, "0x3D in 0FH, of the LSM9DS1's magnetometer and an LSM303C's too",
        .identity(register: 0x0F, values: [0x3D]),
        by: "ArduPilot AP_Compass_LIS3MDL.cpp", "Linux st_magn_core.c"),
      ChipFact(
        .mode, "the highest bit of a register's number counts it up in a transfer",
        by: "Linux st_magn_core.c (multi_read_bit)",
        "ArduPilot AP_Compass_LSM9DS1.cpp (the same registers)"),
    ]
  }

#endif
