#if !hasFeature(Embedded)

  extension ChipFact {
    static let bmx055Accelerometer = [
      ChipFact(
        .axes,
        "right-handed, the gyroscope's; 12 bits left-aligned, low byte first: 1024, 512, 256 and 128 counts a g by range",
        .samples(
          SampleLayout(
            .specificForce, from: 0x3F, at: 0, .little16, "+x +y +z",
            [
              .force(2, 9.806_65 / 16_384), .force(4, 9.806_65 / 8192),
              .force(8, 9.806_65 / 4096), .force(16, 9.806_65 / 2048),
            ])),
        by: "PX4 BMI055_Accelerometer.cpp (forward, left, up as its gyroscope)",
        "Linux bmc150-accel-core.c (scales and layout)",
        "kriswiner BMX-055 sketches (accelerometer and gyroscope taken as they are)"),
      ChipFact(
        .axes,
        "in the BMX055 the magnetometer, a BMM150, is turned by 90 degrees: its -y lies along the accelerometer's x, its x along y",
        by: "kriswiner BMX-055 sketches (-my, mx, mz to the filter)"),
      ChipFact(
        .identity,
        "0xFA in 00H, of BMI055, BMC150, BMC156, BMA253, BMA254 and BMA255 too",
        .identity(register: 0x00, values: [0xFA]),
        by: "Linux bmc150-accel-core.c", "PX4 BMI055_Accelerometer.cpp",
        "kriswiner BMX-055 sketches"),
      ChipFact(
        .mode, "the bandwidth is half of the rate: 62.5 Hz is a sample each 8 ms",
        by: "Linux bmc150-accel-core.c", "kriswiner BMX-055 sketches"),
    ]

    static let bmx055Gyroscope = [
      ChipFact(
        .axes, "right-handed, the accelerometer's; x, y, z, low byte first",
        .samples(
          SampleLayout(
            .angularRate, from: 0x3F, at: 0, .little16, "+x +y +z",
            [250.0, 500, 1000, 2000].map { .rate($0, $0 * .pi / 180 / 32_768) })),
        by: "PX4 BMI055_Gyroscope.cpp (forward, left, up as its accelerometer)",
        "kriswiner BMX-055 sketches"),
      ChipFact(
        .scale, "the range over 2^15 counts",
        by: "Linux bmg160_core.c", "PX4 BMI055_Gyroscope.cpp",
        dispute: "kriswiner's BMX-055 sketches have 0.1 % less (1998 for 2000)",
        proof:
          "ten turns on a table, counted against a mark: the integral shows 0.1 % as 3.6 degrees"),
      ChipFact(
        .mode, "the range's bits: 2000 is 0, 1000 is 1, 500 is 2, 250 is 3",
        by: "Linux bmg160_core.c", "kriswiner BMX-055 sketches",
        dispute:
          "PX4's Bosch_BMI055_Gyroscope_Registers.hpp has 4 for 250, which its driver does not use",
        proof: "a turn by hand at 250 and at 500 degrees a second has the same integral"),
      ChipFact(
        .identity, "0x0F in 00H, of BMI055 and BMG160 too",
        .identity(register: 0x00, values: [0x0F]),
        by: "Linux bmg160_core.c", "PX4 BMI055_Gyroscope.cpp", "kriswiner BMX-055 sketches"),
      ChipFact(
        .boot, "a reset takes 30 ms; in suspend mode only reading and the reset work",
        by: "Linux bmg160_core.c", "PX4 BMI055_Gyroscope.cpp (waits 25 ms and asks again)"),
    ]
  }

#endif
