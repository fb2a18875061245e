/// A quantity that a sensor measures.
public enum SampleQuantity: String, CaseIterable, Sendable {
  /// The magnetic field, microtesla.
  case field
  /// The angular rate, radians per second.
  case rate
  /// The specific force, metres per second squared.
  case force
  /// The pressure of the air, hectopascal.
  case pressure

  /// What measures it.
  public var sensor: String {
    switch self {
    case .field: "magnetometer"
    case .rate: "gyroscope"
    case .force: "accelerometer"
    case .pressure: "barometer"
    }
  }
}

/// A unit in which other programs and chips give their numbers.
/// - Source: the SI brochure, appendix; 1 inHg and 1 mmHg at 0 degrees Celsius.
public struct SampleUnit: Equatable, Sendable {
  /// Its name in messages.
  public let name: String
  /// Its symbol in a file's header.
  public let symbol: String
  /// A number in this unit, times this, is in the quantity's own unit.
  public let factor: Double

  /// The unit in which this project has a quantity.
  public static func own(of quantity: SampleQuantity) -> SampleUnit {
    switch quantity {
    case .field: SampleUnit("microtesla", "uT", 1)
    case .rate: SampleUnit("rad/s", "rad/s", 1)
    case .force: SampleUnit("m/s2", "m/s2", 1)
    case .pressure: SampleUnit("hPa", "hPa", 1)
    }
  }

  /// Other units of a quantity.
  public static func others(of quantity: SampleQuantity) -> [SampleUnit] {
    switch quantity {
    case .field:
      [
        SampleUnit("milligauss", "mG", 0.1), SampleUnit("gauss", "G", 100),
        SampleUnit("nanotesla", "nT", 1e-3), SampleUnit("millitesla", "mT", 1e3),
        SampleUnit("tesla", "T", 1e6),
      ]
    case .rate:
      [
        SampleUnit("degrees/s", "deg/s", .pi / 180),
        SampleUnit("millidegrees/s", "mdps", .pi / 180_000),
        SampleUnit("mrad/s", "mrad/s", 1e-3),
      ]
    case .force:
      [
        SampleUnit("g", "g", 9.806_65), SampleUnit("mg", "mg", 9.806_65e-3),
        SampleUnit("mm/s2", "mm/s2", 1e-3),
      ]
    case .pressure:
      [
        SampleUnit("Pa", "Pa", 0.01), SampleUnit("kPa", "kPa", 10),
        SampleUnit("inHg", "inHg", 33.863_886), SampleUnit("mmHg", "mmHg", 1.333_224),
        SampleUnit("bar", "bar", 1000), SampleUnit("psi", "psi", 68.947_573),
      ]
    }
  }

  /// The unit that a file's header names, such as `mG` or `deg/s`; nil for an unknown name.
  public init?(symbol: String, of quantity: SampleQuantity) {
    let plain = Self.spellings.first { $0.0 == symbol }?.1 ?? symbol
    let units = [Self.own(of: quantity)] + Self.others(of: quantity)
    guard let unit = units.first(where: { $0.symbol == plain }) else { return nil }
    self = unit
  }

  /// The symbols of a quantity's units in a header.
  public static func symbols(of quantity: SampleQuantity) -> [String] {
    ([own(of: quantity)] + others(of: quantity)).map { $0.symbol }
  }

  /// Other spellings of symbols.
  private static let spellings = [
    ("µT", "uT"), ("μT", "uT"), ("dps", "deg/s"), ("°/s", "deg/s"), ("m/s²", "m/s2"),
    ("mbar", "hPa"),
  ]

  private init(_ name: String, _ symbol: String, _ factor: Double) {
    (self.name, self.symbol, self.factor) = (name, symbol, factor)
  }
}
