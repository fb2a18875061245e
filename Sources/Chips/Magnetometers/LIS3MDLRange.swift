/// The ranges of the LIS3MDL and of the LSM9DS1's magnetometer, by their bits in CTRL_REG2.
public enum LIS3MDLRange: UInt8, CaseIterable, Sendable {
  case gauss4 = 0x00, gauss8 = 0x20, gauss12 = 0x40, gauss16 = 0x60

  /// Full scale, microtesla.
  public var microtesla: Double {
    switch self {
    case .gauss4: 400
    case .gauss8: 800
    case .gauss12: 1200
    case .gauss16: 1600
    }
  }
  /// Counts a gauss.
  /// - Source: ST LIS3MDL data sheet DocID024204 revision 6, table 3.
  var countsPerGauss: Double {
    switch self {
    case .gauss4: 6842
    case .gauss8: 3421
    case .gauss12: 2281
    case .gauss16: 1711
    }
  }
  /// The smallest range that holds a field in microtesla; the smallest of all without one.
  static func holding(_ field: Double?) -> LIS3MDLRange {
    allCases.first { $0.microtesla >= field ?? 0 } ?? .gauss16
  }
}
