package import Quantities

/// The values of one location; negative accuracies, course and speed are invalid.
package struct LocationValues: Codable, Equatable, Sendable {
  /// North positive, degrees.
  package var latitude: Double
  /// East positive, degrees.
  package var longitude: Double
  /// The radius of 68 % probability, metres.
  package var horizontalAccuracy: Double
  /// Above mean sea level, metres.
  package var altitude: Double
  /// Above the WGS-84 ellipsoid, metres.
  package var ellipsoidalAltitude: Double
  /// One sigma, metres; zero and below: both altitudes are invalid.
  package var verticalAccuracy: Double
  /// Clockwise from true north, degrees.
  package var course: Double
  /// Degrees.
  package var courseAccuracy: Double
  /// Over ground, metres per second.
  package var speed: Double
  /// Metres per second.
  package var speedAccuracy: Double
  /// The time of the position.
  package var timestamp: Date
  /// The storey, where it is known.
  package var floor: Int?
  /// Whether software made the location; nil where the source is not known.
  package var isSimulated: Bool?
  /// Whether an external receiver gave the location; nil where the source is not known.
  package var isFromAccessory: Bool?
  /// The values beyond Apple's members; nil for a location that a program made.
  package var details: LocationDetails?
  /// The time of the position by the clock of the source; nil where it is not known. It is not
  /// archived, because the clock restarts with every boot.
  package var monotonicNanoseconds: UInt64?
  /// The state of motion where it is certain. Neither it nor its time is archived.
  package var motion: MotionState?
  /// The time from the beginning of that state to the position, seconds.
  package var motionSeconds: TimeInterval?

  private enum CodingKeys: String, CodingKey {
    case latitude, longitude, horizontalAccuracy, altitude, ellipsoidalAltitude, verticalAccuracy
    case course, courseAccuracy, speed, speedAccuracy, timestamp, floor, isSimulated
    case isFromAccessory, details
  }

  /// Makes values of a position without other known values.
  package init(latitude: Double, longitude: Double, timestamp: Date) {
    self.latitude = latitude
    self.longitude = longitude
    self.timestamp = timestamp
    horizontalAccuracy = 0
    (altitude, ellipsoidalAltitude, verticalAccuracy) = (0, 0, -1)
    (course, courseAccuracy, speed, speedAccuracy) = (-1, -1, -1, -1)
  }
}
