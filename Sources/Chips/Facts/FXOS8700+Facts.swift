#if !hasFeature(Embedded)

  extension ChipFact {
    static let fxos8700 = [
      ChipFact(
        .axes, "right-handed; the magnetometer's are the accelerometer's",
        by: "PX4 FXOS8701CQ.cpp (both taken as they are)",
        "NXP sensor fusion, hal_frdm_fxs_mult2_b.c (north, east, down: force y, x, z as gravity, field -y, -x, -z)"
      ),
      ChipFact(
        .layout,
        "force from 01H on, high byte first, 14 bits left-aligned: 4096, 2048 and 1024 counts a g by range",
        .samples(
          SampleLayout(
            .specificForce, from: 0x00, at: 1, .big16, "+x +y +z",
            [
              .force(2, 9.806_65 / 16_384), .force(4, 9.806_65 / 8192),
              .force(8, 9.806_65 / 4096),
            ])),
        by: "PX4 FXOS8701CQ.cpp", "Zephyr fxos8700.c", "Adafruit_FXOS8700.cpp",
        "Linux fxos8700_core.c (run; 244, 488 and 976 micro-g, where its ABI has m/s2)"),
      ChipFact(
        .scale,
        "field 0.1 microtesla a count, one range of 1200 microtesla; with hyb_autoinc_mode it follows the force in one transfer",
        .samples(
          SampleLayout(.field, from: 0x00, at: 7, .big16, "+x +y +z", [.field(1200, 0.1)])),
        by: "PX4 FXOS8701CQ.cpp (1 milligauss)", "Zephyr fxos8700.c", "Adafruit_FXOS8700.h",
        "Linux fxos8700_core.c since commit 2acd031347f6 (run); a fifth more before"),
      ChipFact(
        .identity, "0xC7 in 0DH; 0xC4 before production",
        .identity(register: 0x0D, values: [0xC7]),
        by: "Linux fxos8700_core.c", "Zephyr fxos8700.c", "Adafruit_FXOS8700.h"),
      ChipFact(
        .mode,
        "settings are taken in standby only; in the hybrid mode the rates are half of the accelerometer's alone",
        by: "Linux fxos8700_core.c", "Adafruit_FXOS8700.cpp", "Zephyr fxos8700.c"),
      ChipFact(
        .boot, "a reset over I2C is not acknowledged",
        by: "Zephyr fxos8700.c (ignores the error of that write)"),
    ]

    static let fxas21002 = [
      ChipFact(
        .axes,
        "right-handed, those of an FXOS8700 in the same package orientation; high byte first",
        .samples(
          SampleLayout(
            .angularRate, from: 0x00, at: 1, .big16, "+x +y +z",
            [
              .rate(250, 7.8125e-3 * .pi / 180), .rate(500, 15.625e-3 * .pi / 180),
              .rate(1000, 31.25e-3 * .pi / 180), .rate(2000, 62.5e-3 * .pi / 180),
            ])),
        by: "PX4 FXAS21002C.cpp (taken as they are)",
        "NXP sensor fusion, hal_frdm_fxs_mult2_b.c (north, east, down: -y, -x, -z, as the field of the FXOS8700)",
        dispute:
          "OrientationSensorFusion-ESP negates z alone for Adafruit's board (its issue 5)",
        proof:
          "turn the board to the left as seen from above, z up: z must read positive"),
      ChipFact(
        .scale,
        "7.8125, 15.625, 31.25 and 62.5 millidegrees per second a count: 32,000 counts to the full scale",
        by: "PX4 FXAS21002C.cpp", "Adafruit_FXAS21002C.h",
        "Linux fxas21002c_core.c (run; in millidegrees, where its ABI has radians)"),
      ChipFact(
        .mode, "the range's bits: 2000 is 0, 1000 is 1, 500 is 2, 250 is 3",
        by: "PX4 FXAS21002C.cpp",
        "Linux fxas21002c_core.c (run; as it reads them: it writes a place in its list of five, half of the range)"
      ),
      ChipFact(
        .identity, "0xD7 in 0CH; 0xD6 before production",
        .identity(register: 0x0C, values: [0xD7]),
        by: "Linux fxas21002c_core.c", "PX4 FXAS21002C.cpp"),
      ChipFact(
        .mode,
        "settings are taken in standby and ready only; the first sample comes 60 ms and a period after ACTIVE",
        by: "Linux fxas21002c_core.c", "Adafruit_FXAS21002C.cpp (waits 100 ms)"),
    ]
  }

#endif
