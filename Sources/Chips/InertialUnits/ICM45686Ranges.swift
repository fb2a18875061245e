/// The ranges of the ICM-45686's gyroscope in use, smallest first; raw values are the bits.
public enum ICM45686GyroscopeRange: UInt8, AngularRateRange {
  case degrees250 = 4
  case degrees500 = 3
  case degrees1000 = 2
  case degrees2000 = 1
  case degrees4000 = 0

  /// Full scale, radians per second.
  public var radiansPerSecond: Double { Double(4000 >> Int(rawValue)) * Unit.degree }
  /// The last of all.
  public static var widest: Self { .degrees4000 }
  /// A count in radians per second: the 16 bits span the range from end to end.
  public var radiansPerSecondPerCount: Double { radiansPerSecond / 32_768 }
}

/// The ranges of the ICM-45686's accelerometer, smallest first; raw values are the bits.
public enum ICM45686ForceRange: UInt8, UniformForceRange {
  case g2 = 4
  case g4 = 3
  case g8 = 2
  case g16 = 1
  case g32 = 0

  /// Full scale, metres per second squared.
  public var metresPerSecondSquared: Double { Double(32 >> Int(rawValue)) * Unit.gravity }
  /// The last of all.
  public static var widest: Self { .g32 }
  /// A count in metres per second squared.
  public var metresPerSecondSquaredPerCount: Double { metresPerSecondSquared / 32_768 }
}
