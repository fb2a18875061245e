/// The ranges, by their bits in CTRL_REG4_A.
public enum LSM303DLHCRange: UInt8, SpecificForceRange {
  case g2 = 0x00, g4 = 0x10, g8 = 0x20, g16 = 0x30

  /// Full scale, metres per second squared.
  public var metresPerSecondSquared: Double { Double(2 << Int(rawValue >> 4)) * Unit.gravity }
  /// The last of all.
  public static var widest: Self { .g16 }
  /// A 12-bit count in metres per second squared: 1, 2, 4 and 12 milli-g, in the LSM303AGR 0.98,
  /// 1.95, 3.9 and 11.72 milli-g.
  /// - Source: LSM303AGR: ST data sheet DocID027765, table 3 (LA_So, high-resolution mode), and
  ///   ST's `lsm303agr_reg.c`; Linux `st_accel_core.c` has the LSM303DLHC's figures for both.
  func metresPerSecondSquaredPerCount(of model: ChipModel) -> Double {
    let isAGR = model == .lsm303agrAccelerometer
    return switch self {
    case .g2: (isAGR ? 0.98e-3 : 1e-3) * Unit.gravity
    case .g4: (isAGR ? 1.95e-3 : 2e-3) * Unit.gravity
    case .g8: (isAGR ? 3.9e-3 : 4e-3) * Unit.gravity
    case .g16: (isAGR ? 11.72e-3 : 12e-3) * Unit.gravity
    }
  }
}
