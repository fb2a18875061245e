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

extension ChipModel {
  /// The MPU-6886 of M5Stack's modules.
  public static let mpu6886 = ChipModel(
    "MPU-6886", .inertia, at: [0x68, 0x69], Identity(0x75, 0x19))
  /// The ICM-20689.
  public static let icm20689 = ChipModel(
    "ICM-20689", .inertia, at: [0x68, 0x69],
    Identity(0x75, 0x98, "ICM-20689 (also sold as MPU-6050)")
  )
  // Source: PX4 `InvenSense_ICM20689_registers.hpp`: 8 MHz; USER_CTRL: I2C_IF_DIS.
  .over(SPIFraming(fastestHertz: 8_000_000, interface: RegisterSetting(0x6A, 0x10)))
  /// The ICM-20602.
  public static let icm20602 = ChipModel(
    "ICM-20602", .inertia, at: [0x68, 0x69], Identity(0x75, 0x12)
  )
  // Source: PX4 `InvenSense_ICM20602_registers.hpp`: 10 MHz; I2C_IF: I2C_IF_DIS.
  .over(SPIFraming(fastestHertz: 10_000_000, interface: RegisterSetting(0x70, 0x40)))
  /// The ICM-20608-G and the ICM-20608-D.
  public static let icm20608 = ChipModel(
    "ICM-20608", .inertia, at: [0x68, 0x69], Identity(0x75, 0xAF),
    Identity(0x75, 0xAE, "ICM-20608-D")
  )
  // Source: PX4 `InvenSense_ICM20608G_registers.hpp`: 8 MHz; USER_CTRL: I2C_IF_DIS.
  .over(SPIFraming(fastestHertz: 8_000_000, interface: RegisterSetting(0x6A, 0x10)))
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
  /// WHO_AM_I's contents of other parts that are sold under its name, with what their registers do.
  /// They are accepted where the board file names this part; a scan takes none of them for it.
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
  /// Boards of that name also carry an MPU-6500 (0x70), an MPU-6515 (0x74), an MPU-6880 (0x78), an
  /// ICM-20689 (0x98) or a part that no data sheet names (0x72, 0x75). All of them have
  /// ACCEL_CONFIG 2, which the MPU-6050 has not, and a FIFO of at least 512 bytes, where the
  /// MPU-6050 has 1024.
  /// - Source: of the identities: ElectronicCats/mpu6050 issue 21 (0x98), IMU-WhoAmIVerifier issues
  ///   1, 2 and 5, Moddable discussion 1007 (0x72, 0x74), kriswiner/MPU9250 issues 378 and 486
  ///   (0x78, 0x75); Linux `inv_mpu_iio.h` and `inv_mpu_core.c` (names, register sets).
  public static var mpu6050: MPUVariant {
    MPUVariant(
      model: .mpu6050, identity: 0x68, build: .mpu6050,
      substitutes: [Substitute(0x70, .mpu6500)] + unnamed + [Substitute(0x98, .icm20689)])
  }

  /// The MPU-6500, which is also sold as an MPU-6050 or an MPU-9250; it has no magnetometer.
  /// - Source: InvenSense MPU-6500 as Linux has it (`inv_mpu_core.c`: WHO_AM_I, scales, registers);
  ///   filters and FIFO as the MPU-9250, which holds the same die.
  public static var mpu6500: MPUVariant {
    MPUVariant(model: .mpu6500, identity: 0x70, build: .mpu6500, substitutes: unnamed)
  }

  /// The MPU-9250, an MPU-6500 with an AK8963 beside it, and its sister MPU-9255.
  ///
  /// The AK8963 answers at 0x0C once the bypass is on, which `start` does. Its axes are not those
  /// of this driver: its x lies along the accelerometer's y, its y along the accelerometer's x, and
  /// its z against the accelerometer's z.
  /// - Source: InvenSense RM-MPU-9250A-00 revision 1.4 (map, FIFO_R_W, WHO_AM_I) and 1.6 (registers
  ///   26 and 29, filters, read from copies of their tables); PS-MPU-9250A-01 revision 1.0 tables 1
  ///   and 2 (scales) and its section on axes, page 38 of revision 1.1. MPU-9255's 0x73: Linux,
  ///   `inv_mpu_iio.h`.
  public static var mpu9250: MPUVariant {
    MPUVariant(model: .mpu9250, identity: 0x71, sisterIdentity: 0x73, build: .mpu6500)
  }

  /// The MPU-6886, an ICM-20602 in M5Stack's modules.
  /// - Source: M5Stack `M5StickC/src/utility/MPU6886.cpp` (identity, registers, scales), which has
  ///   no FIFO; FIFO as the ICM-20602's.
  public static var mpu6886: MPUVariant {
    MPUVariant(model: .mpu6886, identity: 0x19, build: .icm20602)
  }

  /// The ICM-20602, whose FIFO always has the temperature between the two halves.
  /// - Source: PX4 `InvenSense_ICM20602_registers.hpp` (registers, bits, FIFO); Linux
  ///   `inv_mpu_iio.h` and `inv_mpu_core.c` (identity, register set, scales).
  public static var icm20602: MPUVariant {
    MPUVariant(model: .icm20602, identity: 0x12, build: .icm20602)
  }

  /// The ICM-20689.
  /// - Source: PX4 `InvenSense_ICM20689_registers.hpp` (registers, bits, FIFO); Linux
  ///   `inv_mpu_iio.h` (identity). No reserved bit is written: Betaflight pull request 11584 has
  ///   chips that were damaged by one.
  public static var icm20689: MPUVariant {
    MPUVariant(model: .icm20689, identity: 0x98, build: .icm20689)
  }

  /// The ICM-20608-G and its sister ICM-20608-D.
  /// - Source: PX4 `InvenSense_ICM20608G_registers.hpp` (registers, bits, FIFO); Linux
  ///   `inv_mpu_iio.h` (identities).
  public static var icm20608: MPUVariant {
    MPUVariant(model: .icm20608, identity: 0xAF, sisterIdentity: 0xAE, build: .icm20689)
  }

  /// Parts with the MPU-6500's registers that are sold under several names.
  private static var unnamed: [Substitute] {
    [0x72, 0x74, 0x75, 0x78].map { Substitute($0, .mpu6500) }
  }
}

/// What the registers of a part of the MPU-6050's family do.
struct MPUBuild: Sendable {
  /// The FIFO's size, bytes, of parts with a larger one by choice the size that they have without
  /// one, and whether its samples have the temperature between the accelerometer and the gyroscope.
  let fifo: (bytes: Int, hasTemperature: Bool)
  /// Whether auxiliary lines can be connected to the main ones.
  let hasAuxiliaryBus: Bool
  /// Whether the output ends before the end of 16 bits unless OUTPUT_LIMIT is set.
  var isLimited = false
  /// Whether the interface has a register of its own, I2C_IF.
  var hasInterfaceRegister = false
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
  /// - Source: InvenSense RM-MPU-6000A-00 revision 4.2: register 26 (filters: the accelerometer's
  ///   delay differs from the gyroscope's by at most 0.4 ms), registers 114 to 117; PS-MPU-6000A-00
  ///   section 7.17 (FIFO). The filters were read from copies of the register map's table.
  static var mpu6050: MPUBuild {
    MPUBuild(
      fifo: (1024, false), hasAuxiliaryBus: true, hasAccelerometerFilter: false,
      filters: [
        Filter(188, milliseconds: 1.9), Filter(98, milliseconds: 2.8),
        Filter(44, milliseconds: 4.8),
        Filter(21, milliseconds: 8.3), Filter(10, milliseconds: 13.4),
        Filter(5, milliseconds: 18.6),
      ])
  }

  /// The MPU-6500's die. Setting 1's accelerometer is wider than its gyroscope (218.1 and 184 Hz),
  /// the others' about equal.
  static var mpu6500: MPUBuild {
    MPUBuild(
      fifo: (512, false), hasAuxiliaryBus: true, hasAccelerometerFilter: true, filters: filters6500)
  }

  /// The ICM-20689 and ICM-20608. Their filters have the MPU-6500's bandwidths, so that its delays
  /// are taken.
  static var icm20689: MPUBuild {
    MPUBuild(
      fifo: (512, false), hasAuxiliaryBus: false, hasAccelerometerFilter: true, filters: filters6500
    )
  }

  /// The ICM-20602 and MPU-6886. OUTPUT_LIMIT is quoted from data sheet DS-000176 by two drivers,
  /// one in Python and one in Ada.
  static var icm20602: MPUBuild {
    MPUBuild(
      fifo: (1008, true), hasAuxiliaryBus: false, isLimited: true, hasInterfaceRegister: true,
      hasAccelerometerFilter: true, filters: filters6500)
  }

  private static var filters6500: [Filter] {
    [
      Filter(218.1, milliseconds: 2.9), Filter(99, milliseconds: 3.9),
      Filter(44.8, milliseconds: 5.9), Filter(21.2, milliseconds: 9.9),
      Filter(10.2, milliseconds: 17.85), Filter(5.05, milliseconds: 33.48),
    ]
  }
}
