/// A place on the WGS-84 ellipsoid.
public struct GeodeticPosition: Equatable, Sendable {
  /// North positive, -pi/2 to pi/2.
  public var latitude: Angle
  /// East positive, -pi to pi.
  public var longitude: Angle

  /// Makes a place of two angles.
  public init(latitude: Angle, longitude: Angle) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Makes a place of degrees, north and east positive.
  public init(latitudeDegrees: Double, longitudeDegrees: Double) {
    latitude = Angle(degrees: latitudeDegrees)
    longitude = Angle(degrees: longitudeDegrees)
  }
}

/// What a position rests on.
public enum FixKind: String, CaseIterable, Sendable {
  /// The receiver has no position.
  case none
  /// Carried on from an earlier fix by motion sensors.
  case deadReckoning = "dead reckoning"
  /// A receiver's or simulator's invention.
  case simulated
  /// By the radio networks in range; horizontal position only.
  case network
  /// Horizontal position only.
  case twoDimensional = "2D"
  /// Position and altitude.
  case threeDimensional = "3D"
  /// Corrected by reference stations.
  case differential
  /// Carrier phase, ambiguities not yet fixed.
  case rtkFloat = "RTK float"
  /// Carrier phase, ambiguities fixed.
  case rtkFixed = "RTK fixed"
}

/// One epoch of a receiver: where it was, how fast, and how sure it is. Absent means not known.
public struct Fix: Equatable, Sendable {
  /// When the epoch was received, on the machine's or recording's clock; where the receiver's pulse is paired
  /// with its time, the instant that the epoch is about.
  public var timestamp: Timestamp
  /// The receiver's own time of the epoch.
  public var utc: UTCTime?
  /// What the position rests on.
  public var kind: FixKind
  /// The place.
  public var position: GeodeticPosition?
  /// The radius that holds the place with 68 % probability, metres.
  public var horizontalAccuracyMetres: Double?
  /// Above mean sea level (the geoid), metres.
  public var altitudeMetres: Double?
  /// Above the WGS-84 ellipsoid, metres.
  public var ellipsoidalAltitudeMetres: Double?
  /// One sigma of the altitude, metres.
  public var verticalAccuracyMetres: Double?
  /// Over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Over ground, clockwise from true north.
  public var course: Angle?
  /// Upwards, metres per second.
  public var verticalSpeedMetresPerSecond: Double?
  /// Over ground: towards true north, east and down. nil where the receiver tells no vector; speed, course
  /// and vertical speed then say the same in parts.
  public var velocity: Velocity<EarthFrame>?
  /// Of the place, square metres over true north, east and down. nil where the receiver says less of its
  /// error than a number for each of the three axes.
  public var positionCovarianceSquareMetres: Matrix3?
  /// Of the velocity, (m/s)² over true north, east and down; nil where the receiver does not tell it.
  public var velocityCovarianceSquareMetresPerSecondSquared: Matrix3?
  /// One sigma of the speed, metres per second.
  public var speedAccuracyMetresPerSecond: Double?
  /// One sigma of the course.
  public var courseAccuracy: Angle?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Vertical dilution of precision.
  public var verticalDilution: Double?
  /// How old the differential corrections are that the solution uses, seconds; nil without any. u-blox's NAV-PVT
  /// tells the lower end of a span.
  public var correctionAgeSeconds: Double?
  /// Satellites in the solution.
  public var satellitesUsed: Int?

  /// Makes an epoch of which nothing is known but when it came and what it rests on.
  public init(timestamp: Timestamp, kind: FixKind) {
    self.timestamp = timestamp
    self.kind = kind
  }
}
