/// The ranges of gyroscopes whose 16 bits span the range from end to end, smallest first.
public enum SixteenBitGyroscopeRange: UInt8, AngularRateRange {
  case degrees250, degrees500, degrees1000, degrees2000

  /// Full scale, radians per second.
  public var radiansPerSecond: Double { Double(250 << Int(rawValue)) * Unit.degree }
  /// The last of all.
  public static var widest: Self { .degrees2000 }
  /// A count in radians per second. The data sheets' 131, 65.5, 32.8 and 16.4 counts a degree are
  /// rounded from 131.072 and its halves.
  public var radiansPerSecondPerCount: Double { radiansPerSecond / 32_768 }
}
