/// The ranges, by their bits in CTRL_REG4_A.
public enum LSM303DLHCRange: UInt8, CaseIterable, Sendable {
  case g2 = 0x00, g4 = 0x10, g8 = 0x20, g16 = 0x30

  /// Full scale, metres per second squared.
  public var metresPerSecondSquared: Double { Double(2 << Int(rawValue >> 4)) * Unit.gravity }
  /// The smallest range that holds a force in metres per second squared; ±8 g without one.
  static func least(for wanted: Double?) -> Self {
    allCases.first {
      Unit.range($0.metresPerSecondSquared, holds: wanted ?? ChipSettings.handHeldForce)
    }
      ?? .g16
  }
  /// A 12-bit count in metres per second squared (1, 2, 4 and 12 milli-g).
  public var metresPerSecondSquaredPerCount: Double {
    switch self {
    case .g2: 1e-3 * Unit.gravity
    case .g4: 2e-3 * Unit.gravity
    case .g8: 4e-3 * Unit.gravity
    case .g16: 12e-3 * Unit.gravity
    }
  }
}
