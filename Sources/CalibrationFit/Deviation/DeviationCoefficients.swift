import Quantities
import RealModule

/// The classical coefficients of deviation by compass heading:
/// `deviation = A + B sin c + C cos c + D sin 2c + E cos 2c`, positive east.
/// - Source: Handbook of Magnetic Compass Adjustment (NGA Pub. 226), chapter II.
public struct DeviationCoefficients: Equatable, Sendable {
  /// Constant: a rotated board.
  public var a: Angle
  /// Semicircular, largest on east and west: iron ahead or astern.
  public var b: Angle
  /// Semicircular, largest on north and south: iron abeam.
  public var c: Angle
  /// Quadrantal, largest on the intercardinal headings: soft iron.
  public var d: Angle
  /// Quadrantal, largest on the cardinal headings: soft iron across.
  public var e: Angle

  /// Makes coefficients.
  public init(a: Angle, b: Angle, c: Angle, d: Angle, e: Angle) {
    (self.a, self.b, self.c, self.d, self.e) = (a, b, c, d, e)
  }

  /// The factors of the coefficients at a compass heading.
  static func factors(_ compass: Angle) -> [Double] {
    let c = compass.radians
    return [1, .sin(c), .cos(c), .sin(2 * c), .cos(2 * c)]
  }

  /// Makes coefficients from five numbers in radians.
  init(radians x: [Double]) {
    self.init(
      a: Angle(radians: x[0]), b: Angle(radians: x[1]), c: Angle(radians: x[2]),
      d: Angle(radians: x[3]), e: Angle(radians: x[4]))
  }

  /// The five coefficients in radians.
  var radians: [Double] { [a.radians, b.radians, c.radians, d.radians, e.radians] }

  /// The deviation at a compass heading.
  public func deviation(atCompassHeading compass: Angle) -> Angle {
    let factors = Self.factors(compass)
    var sum = 0.0
    for (factor, value) in zip(factors, radians) { sum += factor * value }
    return Angle(radians: sum).wrappedToHalfTurn
  }
}
