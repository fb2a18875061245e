#if !hasFeature(Embedded)

  extension ChipFact {
    static let lsm9ds1Inertial = [
      ChipFact(
        .axes, "the registers' axes are left-handed: x is against that of the magnetometer half",
        .samples(
          SampleLayout(
            .angularRate, from: 0x18, at: 0, .little16, "-x +y +z",
            [
              .rate(245, 8.75e-3 * Unit.degree), .rate(500, 17.5e-3 * Unit.degree),
              .rate(2000, 70e-3 * Unit.degree),
            ])),
        by: "ArduPilot AP_InertialSensor_LSM9DS1.cpp (z is negated: a reflection too)",
        "aster94/SensorFusion, issue 7"),
      ChipFact(
        .scale, "0.061, 0.122, 0.244, 0.732 mg",
        .samples(
          SampleLayout(
            .specificForce, from: 0x28, at: 0, .little16, "-x +y +z",
            [
              .force(2, 0.061e-3 * Unit.gravity), .force(4, 0.122e-3 * Unit.gravity),
              .force(8, 0.244e-3 * Unit.gravity), .force(16, 0.732e-3 * Unit.gravity),
            ])),
        by: "Linux st_lsm6dsx_core.c", "ArduPilot AP_InertialSensor_LSM9DS1.cpp (0.732 at 16 g)"),
      ChipFact(
        .identity, "0x68", .identity(register: 0x0F, values: [0x68]),
        by: "Linux st_lsm6dsx_core.c", "ArduPilot AP_InertialSensor_LSM9DS1.cpp"),
    ]
  }

#endif
