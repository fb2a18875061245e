import Quantities

/// The result of an attitude filter at the time of its newest inertial sample.
public struct AttitudeSolution: Equatable, Sendable {
  /// The time of the newest sample.
  public var timestamp: Timestamp
  /// Rotation from body to earth with magnetic north. If `isHeadingKnown` is false, its heading is
  /// arbitrary but continuous.
  public var attitude: Rotation<BodyFrame, MagneticEarthFrame>
  /// False until a field sample was used.
  public var isHeadingKnown: Bool
  /// False without an accelerometer; the body is then assumed level.
  public var isLevelKnown: Bool
  /// The bound of 95 % of heading errors with a calibrated field. The caller adds the error of a
  /// missing calibration. Nil without a heading.
  public var headingAccuracy: Angle?
  /// Clockwise about the vertical; nil without a gyroscope.
  public var rateOfTurn: AngularSpeed?
  /// Whether the field matches the earth's; nil without a magnetometer.
  public var disturbance: DisturbanceState?

  /// The sensors in use.
  public var mode = AttitudeMode.none
  /// The body's acceleration without gravity, m/s²; nil without an accelerometer or a gyroscope.
  /// - Frame: north-east-down with north magnetic.
  public var acceleration: SIMD3<Double>?
  /// The angle between the tilt and gravity where the tilt contradicted gravity within the last
  /// half minute and was reset.
  public var tiltContradiction: Angle?
  /// The earth's field as estimated here; nil before it is estimated.
  public var earthField: EarthField?

  /// Makes a solution without rate, accuracy and field.
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

/// Computes attitude from inertial and field samples in order of time. The shared test suite and
/// the benchmark run over every conforming filter.
public protocol AttitudeFilter {
  /// Propagates the attitude to the sample's time.
  mutating func update(_ sample: InertialSample<BodyFrame>)
  /// Corrects the attitude towards the field's north.
  mutating func update(_ sample: FieldSample<BodyFrame>)
  /// The attitude at the newest sample; nil until the filter has started.
  var solution: AttitudeSolution? { get }
}
