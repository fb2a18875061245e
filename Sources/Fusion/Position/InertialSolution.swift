import Quantities

/// Attitude and velocity of inertial navigation.
public struct InertialSolution: Equatable, Sendable {
  /// The time of the newest sample.
  public var timestamp: Timestamp
  /// From body to earth, true north.
  public var attitude: Rotation<BodyFrame, EarthFrame>
  /// Along true north and east, m/s.
  public var velocity: SIMD2<Double>
  /// One sigma of the velocity on an axis, m/s.
  public var velocitySigma: Double
  /// One sigma of the heading, rad.
  public var headingSigma: Double
}
