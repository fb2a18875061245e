#if !hasFeature(Embedded)

  extension ChipFact {
    static let lsm303d = [
      axes(of: "the same as the accelerometer's", "+x +y +z"), lsm303dForces, lsm303dScale,
      lsm303dIdentity, lsm303dMode,
    ]
    static let lsm9ds0 = [
      axes(of: "left-handed: z against the accelerometer's", "+x +y -z"), lsm303dForces,
      lsm303dScale, lsm303dIdentity, lsm303dMode,
    ]

    private static func axes(of field: String, _ words: String) -> ChipFact {
      let isLSM9DS0 = words.hasSuffix("-z")
      let layout = SampleLayout(
        .field, from: 0x87, at: 1, .little16, words,
        [.field(200, 0.008), .field(400, 0.016), .field(800, 0.032), .field(1200, 0.0479)])
      let text = "the magnetometer's are " + field + "; x, y, z from 08H on, low byte first"
      return isLSM9DS0
        ? ChipFact(
          .axes, text, .samples(layout),
          by:
            "RTIMULib RTIMULSM9DS0.cpp (y of the field is negated where y and z of the gyroscope are)",
          "kriswiner LSM9DS0_AHRS.ino (\"magnetometer z-axis (+ down) is opposite to z-axis (+ up) of accelerometer and gyro\")"
        )
        : ChipFact(
          .axes, text, .samples(layout),
          by: "PX4 LSM303D.cpp (both taken as they are)",
          "RTIMULib RTIMUGD20HM303D.cpp (y and z of the field are negated as those of the gyroscope)"
        )
    }

    private static let lsm303dForces = ChipFact(
      .layout,
      "the accelerometer's x, y, z from 28H on, low byte first, right-handed; 0.061, 0.122, 0.183, 0.244 and 0.732 milli-g a count by "
        + "range: the last is not 16 g over 2^15",
      .samples(
        SampleLayout(
          .specificForce, from: 0xA0, at: 8, .little16, "+x +y +z",
          [
            .force(2, 0.061e-3 * 9.806_65), .force(4, 0.122e-3 * 9.806_65),
            .force(6, 0.183e-3 * 9.806_65), .force(8, 0.244e-3 * 9.806_65),
            .force(16, 0.732e-3 * 9.806_65),
          ])),
      by: "PX4 LSM303D.cpp", "RTIMULib RTIMULSM9DS0.cpp and RTIMUGD20HM303D.cpp",
      "Adafruit_LSM9DS0.h")

    private static let lsm303dScale = ChipFact(
      .scale, "0.080, 0.160, 0.320 and 0.479 milligauss a count by range",
      by: "PX4 LSM303D.cpp", "RTIMULib RTIMULSM9DS0.cpp", "Adafruit_LSM9DS0.h (0.48 for the last)",
      dispute: "Linux st_magn_core.c has 0.073, 0.146, 0.292 and 0.438 milligauss, 9 % less",
      proof:
        "the length of a calibrated field beside that of the World Magnetic Model, out of doors")

    private static let lsm303dIdentity = ChipFact(
      .identity,
      "0x49 in 0FH in both; an LSM9DS0 has a gyroscope of identity 0xD4 beside it, which a board with an LSM303D may have too (L3GD20)",
      .identity(register: 0x0F, values: [0x49]),
      by: "PX4 LSM303D.cpp", "RTIMULib RTIMULSM9DS0.cpp", "Linux st_magn_core.c")

    private static let lsm303dMode = ChipFact(
      .mode, "after power-on both sensors are off; MD 00 in 26H starts the magnetometer",
      by: "Linux st_magn_core.c", "PX4 LSM303D.cpp", "RTIMULib RTIMUGD20HM303D.cpp")
  }

#endif
