import Quantities
import RealModule

/// The pressure at sea level that an earlier run of the program has learnt from altitude and
/// pressure. It gives an altitude before the receiver's first fix.
public struct LearntQNH: Equatable, Sendable {
  /// The pressure at sea level, hPa.
  public var hectopascal: Double
  /// Its error as a height, one sigma, m.
  public var sigmaMetres: Double

  /// Age above which it is not used, s: weather may then have changed.
  private static let longestAge = 12 * 3600.0
  /// The usual change of pressure with the weather, metres of height in a second: 1 hPa, 8.3 m, in
  /// three hours.
  private static let weather = 8.3 / (3 * 3600)

  /// Makes a QNH from a pressure, hPa, and its error as a height, one sigma, m.
  public init(hectopascal: Double, sigmaMetres: Double) {
    (self.hectopascal, self.sigmaMetres) = (hectopascal, sigmaMetres)
  }

  /// The QNH in an estimate; nil if it has none, is older than `longestAge` or from the future.
  public init?(_ earlier: Estimate, at now: UTCTime) {
    guard let hectopascal = earlier.qnhHectopascal, (850...1100).contains(hectopascal),
      let sigma = earlier.verticalAccuracyMetres, let then = earlier.utc
    else { return nil }
    let age = now.seconds(since: then)
    guard (0...Self.longestAge).contains(age) else { return nil }
    let changed = Self.weather * age
    self.init(
      hectopascal: hectopascal, sigmaMetres: (sigma * sigma + changed * changed).squareRoot())
  }
}
