import Quantities

/// What an attitude filter believes at the instant of its newest inertial sample.
public struct AttitudeSolution: Equatable, Sendable {
  /// The instant.
  public var timestamp: Timestamp
  /// The body above the earth with magnetic north. Where `isHeadingKnown` is false its heading is
  /// arbitrary but continuous.
  public var attitude: Rotation<BodyFrame, MagneticEarthFrame>
  /// False until a magnetometer has spoken.
  public var isHeadingKnown: Bool
  /// False where no accelerometer tells which way is down; the body is then taken to be level.
  public var isLevelKnown: Bool
  /// The radius that holds 95 % of heading errors, for a field that is calibrated; the iron that a
  /// missing calibration leaves is the caller's to add. Nil where heading is not known.
  public var headingAccuracy: Angle?
  /// Clockwise about the earth's vertical; nil without a gyroscope.
  public var rateOfTurn: AngularSpeed?
  /// Whether the field is the earth's; nil without a magnetometer.
  public var disturbance: DisturbanceState?

  /// Makes a solution.
  public init(
    timestamp: Timestamp, attitude: Rotation<BodyFrame, MagneticEarthFrame>,
    isHeadingKnown: Bool, isLevelKnown: Bool, headingAccuracy: Angle? = nil,
    rateOfTurn: AngularSpeed? = nil, disturbance: DisturbanceState? = nil
  ) {
    self.timestamp = timestamp
    self.attitude = attitude
    self.isHeadingKnown = isHeadingKnown
    self.isLevelKnown = isLevelKnown
    self.headingAccuracy = headingAccuracy
    self.rateOfTurn = rateOfTurn
    self.disturbance = disturbance
  }
}

/// Turns inertial and field samples, in order of time, into attitude. The shared test suite and the
/// benchmark run over every filter that conforms.
public protocol AttitudeFilter {
  /// Carries the attitude to the sample's instant.
  mutating func update(_ sample: InertialSample<BodyFrame>)
  /// Draws the attitude towards the field's north.
  mutating func update(_ sample: FieldSample<BodyFrame>)
  /// The attitude at the newest sample; nil until the filter has what it needs to start.
  var solution: AttitudeSolution? { get }
}
