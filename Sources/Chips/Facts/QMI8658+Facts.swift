#if !hasFeature(Embedded)

  extension ChipFact {
    static let qmi8658 = [
      ChipFact(
        .layout,
        "accelerometer from 0x35 on, gyroscope from 0x3B on, low bytes first where CTRL1's bit 5 is off",
        .samples(
          SampleLayout(.specificForce, from: 0x35, at: 0, .little16, "+x +y +z", boschForces)),
        by: "LewisHe SensorLib SensorQMI8658.hpp",
        "an ESPHome component of the QMI8658 (CTRL1 0x40)"),
      ChipFact(
        .scale, "the range over 2^15 counts; 256, 512, 1024 and 2048 degrees per second",
        .samples(
          SampleLayout(
            .angularRate, from: 0x35, at: 6, .little16, "+x +y +z",
            [256.0, 512, 1024, 2048].map { .rate($0, $0 * Unit.degree / 32_768) })),
        by: "LewisHe SensorLib SensorQMI8658.hpp (up to 1024)",
        "a driver for Zephyr, qmi8658_reg.h and qmi8658.c (up to 2048)"),
      ChipFact(
        .identity, "0x05", .identity(register: 0x00, values: [0x05]),
        by: "a driver for Zephyr, qmi8658_reg.h", "an ESPHome component of the QMI8658"),
      ChipFact(
        .mode, "with both halves on the rate is 7174.4 Hz over a power of two",
        by: "LewisHe SensorLib SensorQMI8658.hpp",
        dispute: "a driver for Zephyr, qmi8658_reg.h, has 8000 Hz and its parts for the same bits",
        proof: "the samples of ten seconds"),
      ChipFact(
        .boot, "a reset takes at most 15 ms, after which 0x4D reads 0x80",
        by: "LewisHe SensorLib SensorQMI8658.hpp",
        dispute:
          "another board's driver has DQY_L at 0x4D and leaves the check out, as this library does",
        proof: "0x4D after a reset"),
    ]
  }

#endif
