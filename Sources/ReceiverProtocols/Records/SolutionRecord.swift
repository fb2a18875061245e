import Quantities

/// What one message of another protocol than NMEA 0183 and UBX reports; nil means not reported.
public struct SolutionRecord: Equatable, Sendable {
  /// What a solution determines, and how.
  public struct Solution: Equatable, Sendable {
    /// The kind of the fix; plain GNSS is `threeDimensional`, whatever the dimension.
    public var kind: FixKind
    /// The dimension.
    public var dimension: ReceiverEpoch.Dimension

    /// Makes a solution.
    public init(_ kind: FixKind, _ dimension: ReceiverEpoch.Dimension = .three) {
      (self.kind, self.dimension) = (kind, dimension)
    }

    /// No fix.
    public static var noFix: Solution { Solution(.none, .none) }
  }

  /// Heading and tilt by two or three antennas, or by motion sensors.
  public struct Attitude: Equatable, Sendable {
    /// The bow's true direction, or the direction from one antenna to the other; nil without fixed
    /// ambiguities.
    public var heading: TrueHeading?
    /// Bow up.
    public var pitch: Angle?
    /// Right side down.
    public var roll: Angle?
    /// Distance of the antennas, metres; nil where it is not sent, and without fixed ambiguities.
    public var lengthMetres: Double?
    /// One sigma of the heading.
    public var headingAccuracy: Angle?
    /// One sigma of the pitch.
    public var pitchAccuracy: Angle?
    /// One sigma of the roll.
    public var rollAccuracy: Angle?

    /// Makes an attitude without values.
    public init() {}

    /// True where it has no angle; it may have accuracies.
    var hasNoAngle: Bool { heading == nil && pitch == nil && roll == nil }
  }

  /// The type of the message.
  public let kind: MessageKind
  /// GPS time of week, milliseconds.
  public var timeOfWeekMilliseconds: UInt32?
  /// GPS week since 6 January 1980, not modulo 1024.
  public var week: Int?
  /// Time since the start of the receiver, milliseconds, from receivers whose messages of one
  /// instant share only that.
  public var runTimeMilliseconds: UInt32?
  /// UTC of the solution, where the message contains it.
  public var utc: UTCTime?
  /// Whether the receiver knows the leap seconds of `utc`.
  public var isUTCResolved: Bool?
  /// GPS time minus UTC, seconds.
  public var leapSeconds: Int?
  /// True for a summary: its values are used only where no other message of the instant has them.
  public var isSummary = false
  /// True where the message ends its instant.
  public var endsEpoch = false
  /// The solution; nil from messages without one.
  public var solution: Solution?
  /// The position.
  public var position: GeodeticPosition?
  /// Height above the ellipsoid, metres.
  public var ellipsoidalHeightMetres: Double?
  /// Height above mean sea level, metres.
  public var altitudeMetres: Double?
  /// Mean sea level above the ellipsoid, metres.
  public var geoidSeparationMetres: Double?
  /// The position, earth-centred, from messages with no other.
  public var earthCentredPosition: EarthCentredPosition?
  /// The velocity along the axes of the same.
  public var earthCentredVelocity: EarthCentredVelocity?
  /// One sigma of the distance in three dimensions, metres.
  public var positionAccuracyMetres: Double?
  /// Radius of 63 to 68 %, metres.
  public var horizontalAccuracyMetres: Double?
  /// One sigma, metres.
  public var verticalAccuracyMetres: Double?
  /// One sigma to the north, metres.
  public var latitudeErrorMetres: Double?
  /// One sigma to the east, metres.
  public var longitudeErrorMetres: Double?
  /// Covariance of the position over north, east and down, square metres.
  public var positionCovarianceSquareMetres: Matrix3?
  /// Covariance of the velocity over north, east and down, (m/s)².
  public var velocityCovarianceSquareMetresPerSecondSquared: Matrix3?
  /// Velocity along north, east and down.
  public var velocity: Velocity<EarthFrame>?
  /// Speed over ground, metres per second.
  public var speedMetresPerSecond: Double?
  /// Course over ground, clockwise from true north.
  public var course: Angle?
  /// Upwards positive, metres per second.
  public var verticalSpeedMetresPerSecond: Double?
  /// One sigma of the speed, metres per second.
  public var speedAccuracyMetresPerSecond: Double?
  /// One sigma of the course.
  public var courseAccuracy: Angle?
  /// One sigma of the receiver's time, seconds.
  public var timeAccuracySeconds: Double?
  /// Satellites in the solution.
  public var satellitesUsed: Int?
  /// Age of the corrections in use, seconds.
  public var correctionAgeSeconds: Double?
  /// Geometric dilution of precision.
  public var geometricDilution: Double?
  /// Position dilution of precision.
  public var positionDilution: Double?
  /// Horizontal dilution of precision.
  public var horizontalDilution: Double?
  /// Vertical dilution of precision.
  public var verticalDilution: Double?
  /// Time dilution of precision.
  public var timeDilution: Double?
  /// All satellites in view; nil from messages without them.
  public var satellites: [SkyView.Satellite]?
  /// The strongest signal of each satellite, where another message has the other values.
  public var satelliteSignals: [SkyView.Satellite]?
  /// Heading and tilt.
  public var attitude: Attitude?
  /// What the message states about antenna, interference and spoofing; nil for what it does not.
  public var trouble: Trouble?

  /// What a message states about antenna, interference, spoofing and quality.
  public struct Trouble: Equatable, Sendable {
    /// The antenna.
    public var antenna: SignalState.Antenna?
    /// Interference.
    public var interference: SignalState.Interference?
    /// Spoofing.
    public var spoofing: SignalState.Spoofing?
    /// Time since the receiver's start, seconds.
    public var uptimeSeconds: Double?
    /// How good the receiver estimates its state to be.
    public var quality: ReceiverQuality?

    /// Makes a statement of nothing.
    public init() {}
  }

  init(_ kind: MessageKind) { self.kind = kind }

  /// True where it states only satellites or the receiver's state.
  var isAside: Bool {
    trouble != nil || satelliteSignals != nil || satellites != nil
  }

  /// True where it contributes to the epoch of its instant: more than leap seconds, an attitude or
  /// an end.
  var hasSolution: Bool {
    solution != nil || position != nil || speedMetresPerSecond != nil || utc != nil
      || positionCovarianceSquareMetres != nil || positionDilution != nil
      || velocityCovarianceSquareMetresPerSecondSquared != nil || horizontalDilution != nil
      || velocity != nil || latitudeErrorMetres != nil || earthCentredPosition != nil
      || earthCentredVelocity != nil || satellites != nil
  }
}

/// Values of binary messages in their possible ranges; nil for others: receivers send
/// not-a-number, infinity or a marker where they do not know a value.
enum Possible {
  static func number(_ value: Double, _ range: ClosedRange<Double>) -> Double? {
    range.contains(value) ? value : nil
  }

  static func position(latitudeDegrees: Double, longitudeDegrees: Double) -> GeodeticPosition? {
    guard abs(latitudeDegrees) <= 90, abs(longitudeDegrees) <= 180 else { return nil }
    return GeodeticPosition(latitudeDegrees: latitudeDegrees, longitudeDegrees: longitudeDegrees)
  }

  static func height(_ metres: Double) -> Double? { number(metres, -1e6...1e7) }

  /// A sigma; zero is unknown.
  static func sigma(_ value: Double) -> Double? { value > 0 ? number(value, 0...1e7) : nil }

  /// A variance; its sigma.
  static func sigma(variance: Double) -> Double? {
    variance > 0 && variance <= 1e14 ? variance.squareRoot() : nil
  }

  static func sigma(degrees: Double) -> Angle? {
    guard let degrees = number(degrees, 0...360), degrees > 0 else { return nil }
    return Angle(degrees: degrees)
  }

  static func speed(_ value: Double) -> Double? { number(value, PrintedRange.speed) }

  /// A dilution; zero and 99.9 and more are unknown.
  static func dilution(_ value: Double) -> Double? {
    value > 0 && value < 99.9 ? value : nil
  }

  static func direction(degrees: Double) -> Angle? {
    number(degrees, -360...360).map { Angle(degrees: $0).wrappedToTurn }
  }

  static func angle(degrees: Double, within limit: Double) -> Angle? {
    number(degrees, -limit...limit).map { Angle(degrees: $0) }
  }

  static func velocity(north: Double, east: Double, up: Double) -> Velocity<EarthFrame>? {
    guard let north = speed(north), let east = speed(east), let up = speed(up) else { return nil }
    return Velocity(metresPerSecond: SIMD3(north, east, -up))
  }

  /// A symmetric matrix over north, east and down from one over north, east and up; nil where an
  /// element is not possible.
  static func covariance(
    _ north: Double, _ east: Double, _ up: Double, northEast: Double, northUp: Double,
    eastUp: Double
  ) -> Matrix3? {
    let most = 1e14
    guard (0...most).contains(north), (0...most).contains(east), (0...most).contains(up),
      abs(northEast) <= most, abs(northUp) <= most, abs(eastUp) <= most
    else { return nil }
    return Matrix3(
      rows: SIMD3(north, northEast, -northUp), SIMD3(northEast, east, -eastUp),
      SIMD3(-northUp, -eastUp, up))
  }
}
