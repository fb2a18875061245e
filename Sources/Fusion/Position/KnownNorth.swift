/// The angle from true north to an attitude filter's north, as another source has measured it.
public struct KnownNorth: Equatable, Sendable {
  /// From true north to that north, clockwise, rad.
  public var turn: Double
  /// One sigma of the heading, rad.
  public var sigma: Double
  /// Correlation time of the heading's error, s: measurements within it together have the weight of
  /// one.
  public var errorSeconds: Double
  /// False for the receiver's antennas, which no iron disturbs.
  public var isCompass: Bool

  /// Makes one from a turn and one sigma of the heading, rad, the error's correlation time, s, and
  /// whether it is a compass.
  public init(turn: Double, sigma: Double, errorSeconds: Double, isCompass: Bool = true) {
    (self.turn, self.sigma, self.errorSeconds) = (turn, sigma, errorSeconds)
    self.isCompass = isCompass
  }
}
