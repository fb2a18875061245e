/// The ranges of the family's gyroscopes, by their two bits.
public enum MPUGyroscopeRange: UInt8, AngularRateRange {
  case degrees250, degrees500, degrees1000, degrees2000

  /// Full scale, radians per second.
  public var radiansPerSecond: Double { Double(250 << Int(rawValue)) * Unit.degree }
  /// The last of all.
  public static var widest: Self { .degrees2000 }
  /// A count in radians per second.
  ///
  /// The data sheets' 131, 65.5, 32.8 and 16.4 counts a degree are rounded, and good to ±3 %. These
  /// are Linux's figures (inv_mpu_core.c, gyro_scale_6050), a thousandth less, so that a
  /// calibration holds whether the kernel's driver or this one reads the chip.
  public var radiansPerSecondPerCount: Double {
    switch self {
    case .degrees250: 133_090e-9
    case .degrees500: 266_181e-9
    case .degrees1000: 532_362e-9
    case .degrees2000: 1_064_724e-9
    }
  }
}

/// The ranges of the family's accelerometers, by their two bits.
public enum MPUAccelerometerRange: UInt8, UniformForceRange {
  case g2, g4, g8, g16

  /// Full scale, metres per second squared.
  public var metresPerSecondSquared: Double { Double(2 << Int(rawValue)) * Unit.gravity }
  /// The last of all.
  public static var widest: Self { .g16 }
  /// A count in metres per second squared (16,384, 8192, 4096 and 2048 counts a g).
  public var metresPerSecondSquaredPerCount: Double {
    Unit.gravity / Double(16_384 >> Int(rawValue))
  }
  /// The bits of the same ranges in Bosch's BMI160 and BMX055.
  var boschBits: UInt8 {
    switch self {
    case .g2: 0x03
    case .g4: 0x05
    case .g8: 0x08
    case .g16: 0x0C
    }
  }
}
