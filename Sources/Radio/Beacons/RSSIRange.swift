import Glibc

/// Distance from signal strength, by the log-distance path-loss model.
///
/// strength = measured power - 10 n log10(distance / 1 m) + X: the measured power is the strength
/// at 1 m by the iBeacon's own definition, n the path-loss exponent, X the shadowing of people,
/// walls and the antenna's direction, normal in dB with 3 to 14 dB inside buildings. X is unknown,
/// so the distance is wrong by a factor: 2 for 6 dB at n = 2. The result is the distance without X.
/// Apple's formula is not published, but it too gives 1 m where the strength is the measured power.
/// - Source: T. S. Rappaport, Wireless Communications: Principles and Practice, 2nd edition (2002),
///   4.9.1 (log-distance path loss and log-normal shadowing, eq. 4.68 and 4.69, table 4.2) and
///   4.11.
public struct RSSIRange: Equatable, Sendable {
  /// Free space; about right for a line of sight within a room (1.6 to 1.8). Larger: the same
  /// signal means a smaller distance, as behind walls (4 to 6).
  public static let freeSpaceExponent = 2.0

  /// The path-loss exponent n.
  public var exponent: Double

  /// Makes a model; an exponent below 1 becomes 1.
  public init(exponent: Double = freeSpaceExponent) { self.exponent = max(1, exponent) }

  /// The distance in metres.
  /// - Parameters:
  ///   - rssiDBm: The strength, dBm.
  ///   - measuredPowerDBm: The strength at 1 m, dBm.
  /// - Returns: Metres, between 1 mm and 10 km; nil for a strength that is not finite.
  public func metres(rssiDBm: Double, measuredPowerDBm: Int8) -> Double? {
    guard rssiDBm.isFinite else { return nil }
    let decades = (Double(measuredPowerDBm) - rssiDBm) / (10 * exponent)
    return pow(10, min(4, max(-3, decades)))
  }
}
