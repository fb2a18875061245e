/// The numbers of one location; negative accuracies, course and speed are invalid.
package struct LocationValues: Codable, Equatable, Sendable {
  /// North positive, degrees.
  package var latitude: Double
  /// East positive, degrees.
  package var longitude: Double
  /// The radius that holds the place with 68 % probability, metres.
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
  /// When the place was taken.
  package var timestamp: Date
  /// The storey, where something tells it.
  package var floor: Int?
  /// Made by software; nil where the source is not known.
  package var isSimulated: Bool?
  /// From a receiver outside the machine; nil where the source is not known.
  package var isFromAccessory: Bool?
  /// What is known beyond Apple's members; nil for a location that a program made.
  package var details: LocationDetails?
  /// When the place was taken by the clock of the source; nil where that is not known. It is left out of what
  /// is kept: the clock begins anew with every boot.
  package var monotonicNanoseconds: UInt64?

  private enum CodingKeys: String, CodingKey {
    case latitude, longitude, horizontalAccuracy, altitude, ellipsoidalAltitude, verticalAccuracy
    case course, courseAccuracy, speed, speedAccuracy, timestamp, floor, isSimulated
    case isFromAccessory, details
  }

  /// Makes the values of a place of which nothing else is known.
  package init(latitude: Double, longitude: Double, timestamp: Date) {
    self.latitude = latitude
    self.longitude = longitude
    self.timestamp = timestamp
    horizontalAccuracy = 0
    (altitude, ellipsoidalAltitude, verticalAccuracy) = (0, 0, -1)
    (course, courseAccuracy, speed, speedAccuracy) = (-1, -1, -1, -1)
  }
}
