public import Quantities

/// One fix, the input of monitoring. A value that is nil is not known.
public struct PlaceFix: Codable, Equatable, Sendable {
  /// The place.
  public var position: GeodeticPosition
  /// The radius that holds the place with 68 % probability, metres.
  public var horizontalAccuracyMetres: Double
  /// The time of the position.
  public var time: UTCTime
  /// Above mean sea level, metres.
  public var altitudeMetres: Double?
  /// Above the WGS-84 ellipsoid, metres.
  public var ellipsoidalAltitudeMetres: Double?
  /// One sigma of the altitude, metres.
  public var verticalAccuracyMetres: Double?
  /// Over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Over ground, clockwise from true north, degrees.
  public var courseDegrees: Double?
  /// The state of motion where it is certain; nil elsewhere.
  public var motion: MotionState?
  /// True where the fix does not come from a sensor.
  public var isSimulated = false

  /// Makes a fix without altitude, speed and course.
  public init(position: GeodeticPosition, horizontalAccuracyMetres: Double, time: UTCTime) {
    self.position = position
    self.horizontalAccuracyMetres = horizontalAccuracyMetres
    self.time = time
  }
}
