extension ChipModel {
  /// The MPU-6050.
  public static let mpu6050 = ChipModel(
    "MPU-6050", .inertia, at: [0x68, 0x69], Identity(0x75, 0x68))
  /// The MPU-6500.
  public static let mpu6500 = ChipModel(
    "MPU-6500", .inertia, at: [0x68, 0x69],
    Identity(0x75, 0x70, "MPU-6500 (often sold as MPU-6050)")
  )
  // Source: PS-MPU-6500A-01, SPI: 1 MHz; RM, USER_CTRL: I2C_IF_DIS.
  .over(SPIFraming(fastestHertz: 1_000_000, interface: RegisterSetting(0x6A, 0x10)))
  /// The MPU-9250 and the MPU-9255.
  public static let mpu9250 = ChipModel(
    "MPU-9250", .inertia, at: [0x68, 0x69], Identity(0x75, 0x71), Identity(0x75, 0x73, "MPU-9255")
  )
  // Source: PS-MPU-9250A-01, SPI: 1 MHz; RM, USER_CTRL: I2C_IF_DIS.
  .over(SPIFraming(fastestHertz: 1_000_000, interface: RegisterSetting(0x6A, 0x10)))
}

/// The differences within the MPU-6050's family.
public struct MPUVariant: Sendable {
  /// The part.
  public let model: ChipModel
  /// WHO_AM_I's content.
  public let identity: UInt8
  /// WHO_AM_I's content in a related part with the same behaviour; nil for none.
  let sisterIdentity: UInt8?
  /// What its registers do.
  let build: MPUBuild
  /// WHO_AM_I's contents of other parts that are sold under its name, with what their registers do. They are accepted where
  /// the board file names this part; a scan takes none of them for it.
  let substitutes: [Substitute]

  /// A part that is sold under another's name.
  struct Substitute: Sendable {
    /// WHO_AM_I's content.
    let identity: UInt8
    /// What its registers do.
    let build: MPUBuild

    init(_ identity: UInt8, _ build: MPUBuild) {
      (self.identity, self.build) = (identity, build)
    }
  }

  init(
    model: ChipModel, identity: UInt8, sisterIdentity: UInt8? = nil, build: MPUBuild,
    substitutes: [Substitute] = []
  ) {
    (self.model, self.identity, self.sisterIdentity) = (model, identity, sisterIdentity)
    (self.build, self.substitutes) = (build, substitutes)
  }

  /// What the registers of the part with an identity do; nil for a part that is not accepted.
  func build(of identity: UInt8) -> MPUBuild? {
    if identity == self.identity || identity == sisterIdentity { return build }
    return substitutes.first { $0.identity == identity }?.build
  }

  /// The MPU-6050 of the GY-521 and GY-87 boards.
  ///
  /// Boards of that name also carry an MPU-6500 (0x70), an MPU-6515 (0x74), an MPU-6880 (0x78), an ICM-20689 (0x98) or a part
  /// that no data sheet names (0x72, 0x75). All of them have ACCEL_CONFIG 2, which the MPU-6050 has not, and a FIFO of at least
  /// 512 bytes, where the MPU-6050 has 1024.
  /// - Source: of the identities: ElectronicCats/mpu6050 issue 21 (0x98), IMU-WhoAmIVerifier issues 1, 2 and 5, Moddable
  ///   discussion 1007 (0x72, 0x74), kriswiner/MPU9250 issues 378 and 486 (0x78, 0x75); Linux `inv_mpu_iio.h` and
  ///   `inv_mpu_core.c` (names, register sets).
  public static var mpu6050: MPUVariant {
    MPUVariant(
      model: .mpu6050, identity: 0x68, build: .mpu6050,
      substitutes: [Substitute(0x70, .mpu6500)] + unnamed + [Substitute(0x98, .mpu6500)])
  }

  /// The MPU-6500, which is also sold as an MPU-6050 or an MPU-9250; it has no magnetometer.
  /// - Source: InvenSense MPU-6500 as Linux has it (`inv_mpu_core.c`: WHO_AM_I, scales, registers); filters
  ///   and FIFO as the MPU-9250, which holds the same die.
  public static var mpu6500: MPUVariant {
    MPUVariant(model: .mpu6500, identity: 0x70, build: .mpu6500, substitutes: unnamed)
  }

  /// The MPU-9250, an MPU-6500 with an AK8963 beside it, and its sister MPU-9255.
  ///
  /// The AK8963 answers at 0x0C once the bypass is on, which `start` does. Its axes are not those of
  /// this driver: its x lies along the accelerometer's y, its y along the accelerometer's x, and its z
  /// against the accelerometer's z.
  /// - Source: InvenSense RM-MPU-9250A-00 revision 1.4 (map, FIFO_R_W, WHO_AM_I) and 1.6 (registers 26
  ///   and 29, filters, read from copies of their tables); PS-MPU-9250A-01 revision 1.0 tables 1 and 2
  ///   (scales) and its section on axes, page 38 of revision 1.1.
  ///   MPU-9255's 0x73: Linux, `inv_mpu_iio.h`.
  public static var mpu9250: MPUVariant {
    MPUVariant(model: .mpu9250, identity: 0x71, sisterIdentity: 0x73, build: .mpu6500)
  }

  /// Parts with the MPU-6500's registers that are sold under several names.
  private static var unnamed: [Substitute] {
    [0x72, 0x74, 0x75, 0x78].map { Substitute($0, .mpu6500) }
  }
}

/// What the registers of a part of the MPU-6050's family do.
struct MPUBuild: Sendable {
  /// The FIFO's size, bytes; of parts with a larger one by choice the size that they have without one.
  let fifoBytes: Int
  /// Whether the accelerometer has a filter register of its own, ACCEL_CONFIG 2.
  let hasAccelerometerFilter: Bool
  /// The low-pass filters, widest first, beginning with setting 1.
  let filters: [Filter]

  /// One setting of the digital low-pass filter.
  struct Filter: Sendable {
    /// Bandwidth of the gyroscope and of the accelerometer, whichever is greater, hertz.
    let bandwidth: Double
    /// Delay of the gyroscope's path, seconds.
    let delay: Double

    init(_ bandwidth: Double, milliseconds: Double) {
      self.bandwidth = bandwidth
      delay = milliseconds * 1e-3
    }
  }

  /// The MPU-6050.
  /// - Source: InvenSense RM-MPU-6000A-00 revision 4.2: register 26 (filters: the accelerometer's delay
  ///   differs from the gyroscope's by at most 0.4 ms), registers 114 to 117; PS-MPU-6000A-00
  ///   section 7.17 (FIFO). The filters were read from copies of the register map's table.
  static var mpu6050: MPUBuild {
    MPUBuild(
      fifoBytes: 1024, hasAccelerometerFilter: false,
      filters: [
        Filter(188, milliseconds: 1.9), Filter(98, milliseconds: 2.8),
        Filter(44, milliseconds: 4.8),
        Filter(21, milliseconds: 8.3), Filter(10, milliseconds: 13.4),
        Filter(5, milliseconds: 18.6),
      ])
  }

  /// The MPU-6500's die. Setting 1's accelerometer is wider than its gyroscope (218.1 and 184 Hz), the others' about equal.
  static var mpu6500: MPUBuild {
    MPUBuild(
      fifoBytes: 512, hasAccelerometerFilter: true,
      filters: [
        Filter(218.1, milliseconds: 2.9), Filter(99, milliseconds: 3.9),
        Filter(44.8, milliseconds: 5.9), Filter(21.2, milliseconds: 9.9),
        Filter(10.2, milliseconds: 17.85), Filter(5.05, milliseconds: 33.48),
      ])
  }
}
