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

  /// By which sensors.
  public var mode = AttitudeMode.none
  /// The body's acceleration without gravity, m/s²; nil without an accelerometer or a gyroscope.
  /// - Frame: north-east-down with north magnetic.
  public var acceleration: SIMD3<Double>?
  /// The earth's field as the filter has found it here; nil where it has not.
  public var earthField: EarthField?

  /// Makes a solution that knows its attitude alone.
  public init(
    timestamp: Timestamp, attitude: Rotation<BodyFrame, MagneticEarthFrame>,
    isHeadingKnown: Bool, isLevelKnown: Bool
  ) {
    self.timestamp = timestamp
    self.attitude = attitude
    self.isHeadingKnown = isHeadingKnown
    self.isLevelKnown = isLevelKnown
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
