#if !hasFeature(Embedded)

  extension ChipFact {
    static let lsm9ds1Magnetometer = [
      ChipFact(
        .axes,
        "right-handed, x, y, z low byte first; its x points against the printed x of accelerometer and gyroscope, which are left-handed",
        .samples(
          SampleLayout(
            .field, from: 0xA0, at: 8, .little16, "+x +y +z",
            [
              .field(400, 100 / 6842.0), .field(800, 100 / 3421.0), .field(1200, 100 / 2281.0),
              .field(1600, 100 / 1711.0),
            ])),
        by: "PX4 LSM9DS1_MAG.cpp (\"sensor X is aligned with -X of lsm9ds1 accel/gyro\")",
        "RTIMULib RTIMULSM9DS1.cpp"),
      ChipFact(
        .scale, "6842, 3421, 2281 and 1711 counts a gauss by range, a LIS3MDL's",
        by: "Linux st_magn_core.c (146, 292, 438 and 584 microgauss, one table for both)",
        dispute:
          "PX4 LSM9DS1_MAG.cpp and ArduPilot AP_Compass_LSM9DS1.cpp have 580 microgauss at 16 gauss, as the data sheet prints it with two "
          + "digits; 0.14 and 0.29 differ by 4 and 1 % from the others",
        proof:
          "the ratio of the calibrated fields in two ranges at one place: 2 by one table, 2.07 by the other"
      ),
      ChipFact(
        .identity, "0x3D in 0FH, a LIS3MDL's; the inertial half on the same bus tells them apart",
        by: "PX4 LSM9DS1_MAG.cpp", "Linux st_magn_core.c"),
    ]
  }

#endif
