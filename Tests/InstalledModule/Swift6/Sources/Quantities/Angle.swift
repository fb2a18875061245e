import CoreLocation

/// A direction, clockwise from north.
public struct Angle: Sendable, Equatable {
  /// The angle in degrees.
  public let degrees: CLLocationDirection

  /// Makes the direction of so many degrees.
  public init(degrees: CLLocationDirection) { self.degrees = degrees }
}
