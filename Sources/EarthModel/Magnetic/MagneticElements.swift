import Quantities
import RealModule

/// The seven elements of the field at a place and date, and their rates of change.
public struct MagneticElements: Equatable, Sendable {
  /// Magnetic north, clockwise from true north: east positive.
  public let declination: Angle
  /// The dip below the horizon: down positive.
  public let inclination: Angle
  /// Strength of the horizontal part, nT.
  public let horizontalNanotesla: Double
  /// Towards true north, nT.
  public let northNanotesla: Double
  /// Towards east, nT.
  public let eastNanotesla: Double
  /// Downwards, nT.
  public let downNanotesla: Double
  /// Total strength, nT.
  public let totalNanotesla: Double

  /// Change of the declination in a year.
  public let declinationRate: Angle
  /// Change of the inclination in a year.
  public let inclinationRate: Angle
  /// Change of the horizontal strength, nT a year.
  public let horizontalRateNanotesla: Double
  /// Change of the north component, nT a year.
  public let northRateNanotesla: Double
  /// Change of the east component, nT a year.
  public let eastRateNanotesla: Double
  /// Change of the down component, nT a year.
  public let downRateNanotesla: Double
  /// Change of the total strength, nT a year.
  public let totalRateNanotesla: Double

  /// Limits of the model that affect this result.
  public let warnings: [MagneticModelWarning]

  init(
    north x: Double, east y: Double, down z: Double, northRate dx: Double, eastRate dy: Double,
    downRate dz: Double, outside: ClosedRange<Double>?
  ) {
    let h = (x * x + y * y).squareRoot()
    let f = (h * h + z * z).squareRoot()
    let dh = h > 0 ? (x * dx + y * dy) / h : 0
    declination = Angle(radians: .atan2(y: y, x: x))
    inclination = Angle(radians: .atan2(y: z, x: h))
    horizontalNanotesla = h
    northNanotesla = x
    eastNanotesla = y
    downNanotesla = z
    totalNanotesla = f
    declinationRate = Angle(radians: h > 0 ? (x * dy - y * dx) / (h * h) : 0)
    inclinationRate = Angle(radians: f > 0 ? (h * dz - z * dh) / (f * f) : 0)
    horizontalRateNanotesla = dh
    northRateNanotesla = dx
    eastRateNanotesla = dy
    downRateNanotesla = dz
    totalRateNanotesla = f > 0 ? (h * dh + z * dz) / f : 0
    var warnings: [MagneticModelWarning] = []
    if let outside { warnings.append(.outsideValidity(years: outside)) }
    // WMM technical report, section 1.6: blackout and caution zones around the magnetic poles.
    if h < 2000 {
      warnings.append(.blackoutZone)
    } else if h < 6000 {
      warnings.append(.cautionZone)
    }
    self.warnings = warnings
  }

  /// One sigma of the declination: of the model, and of crustal fields and currents that it omits.
  /// - Source: WMM2025 technical report, error model: sqrt(0.26² + (5417 / H)²) degrees, H in nT.
  public var declinationUncertainty: Angle {
    let byField = 5417 / max(horizontalNanotesla, 1)
    return Angle(degrees: min(180, (0.26 * 0.26 + byField * byField).squareRoot()))
  }

  /// True if the date is outside the years of validity.
  public var isOutOfDate: Bool {
    warnings.contains { if case .outsideValidity = $0 { true } else { false } }
  }

  /// The field along true north, east and down.
  public var field: MagneticField<EarthFrame> {
    MagneticField(microtesla: SIMD3(northNanotesla, eastNanotesla, downNanotesla) * 1e-3)
  }

  /// The true heading of a magnetic heading at this place.
  public func trueHeading(of heading: MagneticHeading) -> TrueHeading {
    TrueHeading(heading.angle + declination)
  }

  /// The magnetic heading of a true heading at this place.
  public func magneticHeading(of heading: TrueHeading) -> MagneticHeading {
    MagneticHeading(heading.angle - declination)
  }
}

/// A limit of a magnetic model that affects a result.
public enum MagneticModelWarning: Equatable, Sendable {
  /// The date is outside the years of validity.
  case outsideValidity(years: ClosedRange<Double>)
  /// Horizontal strength below 2000 nT: a compass is not to be used.
  case blackoutZone
  /// Horizontal strength from 2000 to 6000 nT: a compass is to be used with caution.
  case cautionZone
}

/// Why a magnetic model has no result, or why a coefficients' file was rejected.
public enum MagneticModelError: Error, Equatable, Sendable {
  /// The latitude is not from -90 to 90 degrees.
  case latitudeBeyondPole(degrees: Double)
  /// A value is NaN or infinite.
  case notANumber(StaticText)
  /// The place is inside the earth's core, where the harmonics are not valid.
  case heightInsideCore(metres: Double)
  /// A line of a `.COF` file, counted from 1, is malformed.
  case malformed(line: Int, expected: StaticText)
}

/// A text that is known at compile time; usable without an operating system.
public struct StaticText: Equatable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  private let text: StaticString
  /// Makes a text from a literal.
  public init(stringLiteral value: StaticString) { text = value }
  /// The text.
  public var description: String { text.description }
  /// True if both are equal.
  public static func == (a: StaticText, b: StaticText) -> Bool { a.description == b.description }
}

extension MagneticElements {
  /// The horizontal and downward components, microtesla.
  public var earthField: EarthField {
    EarthField(horizontal: horizontalNanotesla / 1e3, down: downNanotesla / 1e3)
  }
}
