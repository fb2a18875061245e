/// The accelerometer's ranges of the LSM303D and LSM9DS0, by their bits in CTRL2.
public enum LSM303DForceRange: UInt8, UniformForceRange {
  case g2 = 0x00, g4 = 0x08, g6 = 0x10, g8 = 0x18, g16 = 0x20

  /// Full scale, metres per second squared.
  public var metresPerSecondSquared: Double {
    let g: Double =
      switch self {
      case .g2: 2
      case .g4: 4
      case .g6: 6
      case .g8: 8
      case .g16: 16
      }
    return g * Unit.gravity
  }
  /// The last of all.
  public static var widest: Self { .g16 }
  /// A count in metres per second squared: 0.061, 0.122, 0.183, 0.244 and 0.732 milli-g.
  public var metresPerSecondSquaredPerCount: Double {
    let milliG =
      switch self {
      case .g2: 0.061
      case .g4: 0.122
      case .g6: 0.183
      case .g8: 0.244
      case .g16: 0.732
      }
    return milliG * 1e-3 * Unit.gravity
  }
}

/// The magnetometer's ranges of the LSM303D and LSM9DS0, by their bits in CTRL6.
public enum LSM303DFieldRange: UInt8, CaseIterable, Sendable {
  case gauss2 = 0x00, gauss4 = 0x20, gauss8 = 0x40, gauss12 = 0x60

  /// Full scale, microtesla.
  public var microtesla: Double {
    switch self {
    case .gauss2: 200
    case .gauss4: 400
    case .gauss8: 800
    case .gauss12: 1200
    }
  }
  /// Microtesla a count: 0.080, 0.160, 0.320 and 0.479 milligauss.
  public var microteslaPerCount: Double {
    switch self {
    case .gauss2: 0.008
    case .gauss4: 0.016
    case .gauss8: 0.032
    case .gauss12: 0.0479
    }
  }
  /// The smallest range that holds a field in microtesla; the smallest of all without one.
  static func holding(_ field: Double?) -> LSM303DFieldRange {
    allCases.first { $0.microtesla >= field ?? 0 } ?? .gauss12
  }
}
