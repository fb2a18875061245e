/// The accelerometer's ranges of the FXOS8700, by their bits in XYZ_DATA_CFG.
public enum FXOS8700Range: UInt8, UniformForceRange {
  case g2, g4, g8

  /// Full scale, metres per second squared.
  public var metresPerSecondSquared: Double { Double(2 << Int(rawValue)) * Unit.gravity }
  /// The last of all.
  public static var widest: Self { .g8 }
  /// A count of the 16 bits, of which the lowest two are zero, in metres per second squared: a
  /// fourth of the 14-bit counts of 4096, 2048 and 1024 a g.
  public var metresPerSecondSquaredPerCount: Double {
    Unit.gravity / Double(16_384 >> Int(rawValue))
  }
}

/// The ranges of the FXAS21002, smallest first.
public enum FXAS21002Range: UInt8, AngularRateRange {
  case degrees250, degrees500, degrees1000, degrees2000

  /// Full scale, radians per second.
  public var radiansPerSecond: Double { Double(250 << Int(rawValue)) * Unit.degree }
  /// The last of all.
  public static var widest: Self { .degrees2000 }
  /// A count in radians per second: 7.8125, 15.625, 31.25 and 62.5 millidegrees per second, so that
  /// 32,000 are the full scale.
  public var radiansPerSecondPerCount: Double { radiansPerSecond / 32_000 }
  /// FS[1:0] of CTRL_REG0.
  var bits: UInt8 { 3 - rawValue }
}
