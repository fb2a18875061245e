/// What the parts with the MPU-6050's registers differ in.
public struct MPU6050Variant: Equatable, Sendable {
  /// The part.
  public let model: ChipModel
  /// What its WHO_AM_I holds; the first is the part's own.
  public let identities: [UInt8]
  /// The size of its FIFO.
  public let fifoBytes: Int
  /// Whether the accelerometer has a filter setting of its own.
  public let hasAccelerometerFilter: Bool
  /// The low-passes, by their DLPF_CFG code, the widest first.
  let filters: [Filter]

  /// One low-pass of the gyroscope.
  struct Filter: Equatable, Sendable {
    let code: UInt8
    let hertz: Double
    let gyroscopeDelaySeconds: Double
  }

  /// The widest low-pass below a bandwidth, or the narrowest one.
  func filter(below hertz: Double) -> Filter {
    var chosen = filters[0]
    for filter in filters {
      chosen = filter
      if filter.hertz < hertz { break }
    }
    return chosen
  }

  /// - Source: RM-MPU-6000A-00 revision 4.2, register 26 (filters), 117 (identity), 116 (1024 bytes).
  public static var mpu6050: MPU6050Variant {
    MPU6050Variant(
      model: .mpu6050, identities: [0x68], fifoBytes: 1024, hasAccelerometerFilter: false,
      filters: filters(
        (188, 0.0019), (98, 0.0028), (42, 0.0048), (20, 0.0083), (10, 0.0134), (5, 0.0186)))
  }
  /// - Source: RM-MPU-6500A-00 revision 2.1, register 26 and 117; PS-MPU-6500A-01: 512 bytes.
  public static var mpu6500: MPU6050Variant {
    MPU6050Variant(
      model: .mpu6500, identities: [0x70], fifoBytes: 512, hasAccelerometerFilter: true,
      filters: filters6500)
  }
  /// - Source: RM-MPU-9250A-00 revision 1.6, register 26 and 117; the MPU-9255 differs by its identity.
  public static var mpu9250: MPU6050Variant {
    MPU6050Variant(
      model: .mpu9250, identities: [0x71, 0x73], fifoBytes: 512, hasAccelerometerFilter: true,
      filters: filters6500)
  }

  private static var filters6500: [Filter] {
    filters((184, 0.0029), (92, 0.0039), (41, 0.0059), (20, 0.0099), (10, 0.017_85), (5, 0.033_48))
  }

  private static func filters(_ rows: (Double, Double)...) -> [Filter] {
    rows.enumerated().map {
      Filter(code: UInt8($0 + 1), hertz: $1.0, gyroscopeDelaySeconds: $1.1)
    }
  }
}

/// The ranges of the MPU-6050 and its successors.
public enum MPU6050Range {
  /// Of the gyroscope, by its bits in GYRO_CONFIG.
  public enum Rotation: UInt8, CaseIterable, Sendable {
    case degrees250 = 0x00, degrees500 = 0x08, degrees1000 = 0x10, degrees2000 = 0x18

    /// Radians a second of one count.
    ///
    /// The data sheet's 131 counts a degree a second is rounded and good to ±3 %; these are the figures
    /// of Linux (inv_mpu_core.c), 0.1 % beside it, so that a calibration holds for either driver.
    public var radiansPerSecondPerCount: Double {
      switch self {
      case .degrees250: 133_090e-9
      case .degrees500: 266_181e-9
      case .degrees1000: 532_362e-9
      case .degrees2000: 1_064_724e-9
      }
    }
    /// Full scale, degrees a second.
    public var degrees: Double {
      switch self {
      case .degrees250: 250
      case .degrees500: 500
      case .degrees1000: 1000
      case .degrees2000: 2000
      }
    }
    /// The smallest range that holds a rate, radians a second; 500 degrees a second without a wish.
    static func holding(_ rate: Double?) -> Rotation {
      guard let rate else { return .degrees500 }
      return allCases.first { $0.degrees * .pi / 180 >= rate * (1 - 1e-9) } ?? .degrees2000
    }
  }

  /// Of the accelerometer, by its bits in ACCEL_CONFIG.
  public enum Force: UInt8, CaseIterable, Sendable {
    case gravity2 = 0x00, gravity4 = 0x08, gravity8 = 0x10, gravity16 = 0x18

    /// Counts a standard gravity.
    public var countsPerGravity: Double { 32_768 / gravities }
    /// Full scale, standard gravities.
    public var gravities: Double {
      switch self {
      case .gravity2: 2
      case .gravity4: 4
      case .gravity8: 8
      case .gravity16: 16
      }
    }
    /// The smallest range that holds a force, m/s²; 4 g without a wish.
    static func holding(_ force: Double?) -> Force {
      guard let force else { return .gravity4 }
      return allCases.first { $0.gravities * 9.806_65 >= force * (1 - 1e-9) } ?? .gravity16
    }
  }
}
