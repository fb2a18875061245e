/// The ranges of the family's gyroscopes, by their two bits.
public enum MPUGyroscopeRange: UInt8, CaseIterable, Sendable {
  case degrees250, degrees500, degrees1000, degrees2000

  /// Full scale, radians per second.
  public var radiansPerSecond: Double { Double(250 << Int(rawValue)) * Unit.degree }
  /// The smallest range that holds a rate in radians per second; ±500 degrees a second without one.
  static func least(for wanted: Double?) -> Self {
    allCases.first { Unit.range($0.radiansPerSecond, holds: wanted ?? 500 * Unit.degree) }
      ?? .degrees2000
  }
  /// A count in radians per second (the data sheets' 131, 65.5, 32.8 and 16.4 counts a degree).
  public var radiansPerSecondPerCount: Double {
    switch self {
    case .degrees250: Unit.degree / 131
    case .degrees500: Unit.degree / 65.5
    case .degrees1000: Unit.degree / 32.8
    case .degrees2000: Unit.degree / 16.4
    }
  }
}

/// The ranges of the family's accelerometers, by their two bits.
public enum MPUAccelerometerRange: UInt8, CaseIterable, Sendable {
  case g2, g4, g8, g16

  /// Full scale, metres per second squared.
  public var metresPerSecondSquared: Double { Double(2 << Int(rawValue)) * Unit.gravity }
  /// The smallest range that holds a force in metres per second squared; ±4 g without one.
  static func least(for wanted: Double?) -> Self {
    allCases.first { Unit.range($0.metresPerSecondSquared, holds: wanted ?? 4 * Unit.gravity) }
      ?? .g16
  }
  /// A count in metres per second squared (16,384, 8192, 4096 and 2048 counts a g).
  public var metresPerSecondSquaredPerCount: Double {
    Unit.gravity / Double(16_384 >> Int(rawValue))
  }
}
