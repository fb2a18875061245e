/// The gyroscope's ranges, smallest first.
public enum LSM6DSGyroscopeRange: Int, CaseIterable, Sendable {
  case degrees250, degrees500, degrees1000, degrees2000

  /// Full scale, radians per second.
  public var radiansPerSecond: Double { Double(250 << rawValue) * Unit.degree }
  /// The smallest range that holds a rate in radians per second; ±1000 degrees a second without one.
  static func least(for wanted: Double?) -> Self {
    allCases.first { Unit.range($0.radiansPerSecond, holds: wanted ?? ChipSettings.handHeldRate) }
      ?? .degrees2000
  }
  /// A count in radians per second (8.75, 17.5, 35 and 70 millidegrees).
  public var radiansPerSecondPerCount: Double { 8.75e-3 * Double(1 << rawValue) * Unit.degree }
}

/// The accelerometer's ranges, smallest first.
public enum LSM6DSAccelerometerRange: Int, CaseIterable, Sendable {
  case g2, g4, g8, g16

  /// Full scale, metres per second squared.
  public var metresPerSecondSquared: Double { Double(2 << rawValue) * Unit.gravity }
  /// The smallest range that holds a force in metres per second squared; ±8 g without one.
  static func least(for wanted: Double?) -> Self {
    allCases.first {
      Unit.range($0.metresPerSecondSquared, holds: wanted ?? ChipSettings.handHeldForce)
    }
      ?? .g16
  }
  /// A count in metres per second squared (0.061, 0.122, 0.244 and 0.488 milli-g).
  public var metresPerSecondSquaredPerCount: Double {
    0.061e-3 * Double(1 << rawValue) * Unit.gravity
  }
}
