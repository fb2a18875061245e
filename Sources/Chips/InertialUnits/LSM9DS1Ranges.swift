/// The gyroscope's ranges, by their bits in CTRL_REG1_G.
public enum LSM9DS1GyroscopeRange: UInt8, CaseIterable, Sendable {
  case degrees245 = 0x00, degrees500 = 0x08, degrees2000 = 0x18

  /// Full scale, radians per second.
  public var radiansPerSecond: Double {
    switch self {
    case .degrees245: 245 * Unit.degree
    case .degrees500: 500 * Unit.degree
    case .degrees2000: 2000 * Unit.degree
    }
  }
  /// The smallest range that holds a rate in radians per second; ±1000 degrees a second, or
  /// more, without one.
  static func least(for wanted: Double?) -> Self {
    allCases.first { Unit.range($0.radiansPerSecond, holds: wanted ?? ChipSettings.handHeldRate) }
      ?? .degrees2000
  }
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
public enum LSM9DS1AccelerometerRange: UInt8, CaseIterable, Sendable {
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
  /// The smallest range that holds a force in metres per second squared; ±8 g without one.
  static func least(for wanted: Double?) -> Self {
    allCases.first {
      Unit.range($0.metresPerSecondSquared, holds: wanted ?? ChipSettings.handHeldForce)
    }
      ?? .g16
  }
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
