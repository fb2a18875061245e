/// The gyroscope's ranges, by their bits in CTRL_REG1_G.
public enum LSM9DS1GyroscopeRange: UInt8, AngularRateRange {
  case degrees245 = 0x00, degrees500 = 0x08, degrees2000 = 0x18

  /// Full scale, radians per second.
  public var radiansPerSecond: Double {
    switch self {
    case .degrees245: 245 * Unit.degree
    case .degrees500: 500 * Unit.degree
    case .degrees2000: 2000 * Unit.degree
    }
  }
  /// The last of all.
  public static var widest: Self { .degrees2000 }
  /// A count in radians per second (table 3: 8.75, 17.50 and 70 millidegrees).
  public var radiansPerSecondPerCount: Double {
    switch self {
    case .degrees245: 8.75e-3 * Unit.degree
    case .degrees500: 17.5e-3 * Unit.degree
    case .degrees2000: 70e-3 * Unit.degree
    }
  }
}

/// The accelerometer's ranges, by their bits in CTRL_REG6_XL, smallest first.
public enum LSM9DS1AccelerometerRange: UInt8, UniformForceRange {
  case g2 = 0x00, g4 = 0x10, g8 = 0x18, g16 = 0x08

  /// Full scale, metres per second squared.
  public var metresPerSecondSquared: Double {
    switch self {
    case .g2: 2 * Unit.gravity
    case .g4: 4 * Unit.gravity
    case .g8: 8 * Unit.gravity
    case .g16: 16 * Unit.gravity
    }
  }
  /// The last of all.
  public static var widest: Self { .g16 }
  /// A count in metres per second squared (table 3: 0.061, 0.122, 0.244 and 0.732 milli-g).
  public var metresPerSecondSquaredPerCount: Double {
    switch self {
    case .g2: 0.061e-3 * Unit.gravity
    case .g4: 0.122e-3 * Unit.gravity
    case .g8: 0.244e-3 * Unit.gravity
    case .g16: 0.732e-3 * Unit.gravity
    }
  }
}
