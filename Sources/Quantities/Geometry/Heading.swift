/// The direction of the body's forward axis clockwise from magnetic north.
public struct MagneticHeading: Equatable, Sendable {
  /// Clockwise from magnetic north, 0 to 2 pi.
  public let angle: Angle
  /// Makes a heading of any angle; it is wrapped.
  public init(_ angle: Angle) { self.angle = angle.wrappedToTurn }
}

/// The direction of the body's forward axis clockwise from true north.
///
/// Only `EarthModel` makes one out of a magnetic heading: it takes the declination of a place and
/// date.
public struct TrueHeading: Equatable, Sendable {
  /// Clockwise from true north, 0 to 2 pi.
  public let angle: Angle
  /// Makes a heading of any angle; it is wrapped.
  public init(_ angle: Angle) { self.angle = angle.wrappedToTurn }
}
