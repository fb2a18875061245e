/// The gyroscope's ranges, smallest first.
public enum LSM6DSGyroscopeRange: Int, AngularRateRange {
  case degrees250, degrees500, degrees1000, degrees2000

  /// Full scale, radians per second.
  public var radiansPerSecond: Double { Double(250 << rawValue) * Unit.degree }
  /// The last of all.
  public static var widest: Self { .degrees2000 }
  /// A count in radians per second (8.75, 17.5, 35 and 70 millidegrees).
  public var radiansPerSecondPerCount: Double { 8.75e-3 * Double(1 << rawValue) * Unit.degree }
}

/// The accelerometer's ranges, smallest first; each part has four of them.
public enum LSM6DSAccelerometerRange: Int, UniformForceRange {
  case g2, g4, g8, g16, g32

  /// Full scale, metres per second squared.
  public var metresPerSecondSquared: Double { Double(2 << rawValue) * Unit.gravity }
  /// The last of all.
  public static var widest: Self { .g32 }
  /// A count in metres per second squared (0.061, 0.122, 0.244, 0.488 and 0.976 milli-g).
  public var metresPerSecondSquaredPerCount: Double {
    0.061e-3 * Double(1 << rawValue) * Unit.gravity
  }
}
