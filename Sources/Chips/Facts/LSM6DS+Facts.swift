#if !hasFeature(Embedded)

  extension ChipFact {
    static let lsm6ds3 =
      untagged + [
        ChipFact(
          .identity, "0x69, in the LSM6DS33 and LSM6DS3H too",
          .identity(register: 0x0F, values: [0x69]),
          by: "Linux st_lsm6dsx_core.c", "Adafruit_LSM6DS33.h")
      ]
    static let lsm6ds3trc =
      untagged + [
        ChipFact(
          .identity, "0x6A, in the LSM6DSL, LSM6DSM and ISM330DLC too",
          .identity(register: 0x0F, values: [0x6A]),
          by: "Linux st_lsm6dsx_core.c", "ST lsm6ds3tr-c_reg.h")
      ]
    static let lsm6dso =
      tagged + [
        usual, reset,
        ChipFact(
          .identity, "0x6C; the LSM6DSO32, of twice the accelerometer's ranges, answers alike",
          .identity(register: 0x0F, values: [0x6C]),
          by: "Linux st_lsm6dsx_core.c", "ST lsm6dso_reg.h and lsm6dso32_reg.h"),
      ]
    static let lsm6dso32 =
      tagged + [
        wide("lsm6dso32_reg.c", and: "Adafruit_LSM6DSO32.cpp"), reset,
        ChipFact(
          .identity, "0x6C, as an LSM6DSO's; read as one, gravity is 4.9 m/s²",
          .identity(register: 0x0F, values: [0x6C]),
          by: "ST lsm6dso32_reg.h", "Adafruit_LSM6DSO32.h"),
      ]
    static let lsm6dsv =
      tagged + [
        usual,
        ChipFact(
          .identity, "0x70; the LSM6DSV32X, of twice the accelerometer's ranges, answers alike",
          .identity(register: 0x0F, values: [0x70]),
          by: "Linux st_lsm6dsx_core.c", "ST lsm6dsv_reg.h and lsm6dsv32x_reg.h"),
      ]
    static let lsm6dsv32x =
      tagged + [
        wide("lsm6dsv32x_reg.c", and: "Zephyr st,lsm6dsv32x-common.yaml"),
        ChipFact(
          .identity, "0x70, as an LSM6DSV's; read as one, gravity is 4.9 m/s²",
          .identity(register: 0x0F, values: [0x70]), by: "ST lsm6dsv32x_reg.h"),
      ]
    static let ism330dhcx =
      tagged + [
        usual, reset,
        ChipFact(
          .identity, "0x6B, in the LSM6DSR too", .identity(register: 0x0F, values: [0x6B]),
          by: "Linux st_lsm6dsx_core.c", "ST ism330dhcx_reg.h"),
      ]

    private static let reset = ChipFact(
      .boot, "a software reset with samples in the FIFO is not acknowledged; in bypass it is",
      by: "imud, issue 72: 12 of 12 and 0 of 6 resets of an LSM6DSOX on I2C")

    private static let untagged = [
      ChipFact(
        .scale, "8.75, 17.5, 35, 70 mdps; the registers' axes are right-handed",
        .samples(
          SampleLayout(.angularRate, from: 0x3E, at: 0, .little16, "+x +y +z", rates)),
        by: "Linux st_lsm6dsx_core.c", "ST lsm6ds3tr-c_reg.c"),
      ChipFact(
        .scale, "0.061, 0.122, 0.244, 0.488 mg",
        .samples(
          SampleLayout(.specificForce, from: 0x3E, at: 6, .little16, "+x +y +z", usualForces)),
        by: "Linux st_lsm6dsx_core.c", "ST lsm6ds3tr-c_reg.c"),
      ChipFact(
        .layout, "a set of the FIFO has the gyroscope first",
        by: "Linux st_lsm6dsx_buffer.c", "ST AN4650, FIFO"),
    ]

    private static let tagged = [
      ChipFact(
        .scale, "8.75, 17.5, 35, 70 mdps; the registers' axes are right-handed",
        .samples(
          SampleLayout(
            .angularRate, from: 0x78, at: 1, .little16, "+x +y +z", frame: (7, 0xF8, 0x08), rates)),
        by: "Linux st_lsm6dsx_core.c and st_lsm6dsx_buffer.c (tag 1)", "ST lsm6dso_reg.c")
    ]

    private static let usual = ChipFact(
      .scale, "0.061, 0.122, 0.244, 0.488 mg", .samples(forces(usualForces)),
      by: "Linux st_lsm6dsx_core.c and st_lsm6dsx_buffer.c (tag 2)", "ST lsm6dso_reg.c")

    private static func wide(_ file: String, and other: String) -> ChipFact {
      ChipFact(
        .scale, "0.122, 0.244, 0.488, 0.976 mg by the bits of ±2 to ±16 g of the other part",
        .samples(
          forces([
            .force(4, 0.122e-3 * Unit.gravity), .force(8, 0.244e-3 * Unit.gravity),
            .force(16, 0.488e-3 * Unit.gravity), .force(32, 0.976e-3 * Unit.gravity),
          ])), by: "ST \(file)", other)
    }

    private static func forces(_ scales: [SampleLayout.Scale]) -> SampleLayout {
      SampleLayout(
        .specificForce, from: 0x78, at: 1, .little16, "+x +y +z", frame: (7, 0xF8, 0x10), scales)
    }

    private static let rates: [SampleLayout.Scale] = [
      .rate(250, 8.75e-3 * Unit.degree), .rate(500, 17.5e-3 * Unit.degree),
      .rate(1000, 35e-3 * Unit.degree), .rate(2000, 70e-3 * Unit.degree),
    ]
    private static let usualForces: [SampleLayout.Scale] = [
      .force(2, 0.061e-3 * Unit.gravity), .force(4, 0.122e-3 * Unit.gravity),
      .force(8, 0.244e-3 * Unit.gravity), .force(16, 0.488e-3 * Unit.gravity),
    ]
  }

#endif
