import Quantities

/// Orientation from gyroscope and accelerometer alone, along the sensor's axes: level is known, yaw
/// has an arbitrary origin and drifts slowly. No magnetometer is used, so the calibration of one
/// may depend on it.
public struct InertialOrientation: Sendable {
  /// The filter; its body frame is the sensor frame.
  private var filter: StrapdownFilter
  /// Low-pass of the horizontal acceleration, m/s².
  private var lastingAcceleration = SIMD2<Double>.zero

  /// The gyroscope's scale at the start, a fraction: it is estimated from gravity while the sensor
  /// is turned over. It is larger than with a magnetometer, since a wrong scale is the main error
  /// of a magnetometer fit. Consumer parts are specified to three times as much (MPU-9250
  /// PS-MPU-9250A-01 rev 1.1, table 1).
  private static var initialScaleSigma: Double { 0.01 }

  /// A hand that turns a sensor over seldom accelerates it in one direction for long, m/s²: a
  /// lasting acceleration is a level error from a wrong scale and is used to estimate the scale.
  private static var trustedAcceleration: Double { 2 }

  /// Time constant of the lasting acceleration, s: the steps of a runner average out, the turns of
  /// a vehicle do not.
  private static var lastingTime: Double { 3 }

  /// Makes an orientation without an attitude.
  /// - Parameter fullScale: The full-scale values of the sensors.
  public init(fullScale: SensorFullScale = SensorFullScale()) {
    var parameters = StrapdownFilter.Parameters()
    parameters.initialScaleSigma = Self.initialScaleSigma
    parameters.trustedAcceleration = Self.trustedAcceleration
    filter = StrapdownFilter(parameters: parameters, fullScale: fullScale)
  }

  /// Processes a sample; one without rate or force is ignored.
  public mutating func update(_ sample: InertialSample<SensorFrame>) {
    let before = filter.timestamp
    filter.update(
      InertialSample<BodyFrame>(
        timestamp: sample.timestamp,
        angularRate: sample.angularRate.map { AngularRate(components: $0.components) },
        specificForce: sample.specificForce.map { SpecificForce(components: $0.components) }))
    guard let before, let a = filter.solution?.acceleration else { return }
    let dt = max(0, sample.timestamp.seconds(since: before))
    let share = dt / (dt + Self.lastingTime)
    lastingAcceleration += (SIMD2(a.x, a.y) - lastingAcceleration) * share
  }

  /// False in a lasting acceleration, as in a turn of a vehicle: it may be a tilt, or hide one.
  public var isLevelCertain: Bool {
    (lastingAcceleration * lastingAcceleration).sum() < Self.trustedAcceleration.squared
  }

  /// The orientation relative to level axes at the newest sample; nil before level is found.
  public var attitude: Rotation<BodyFrame, MagneticEarthFrame>? {
    filter.alignment.isLevelFound ? filter.attitude : nil
  }

  /// The newest rate without its bias and scale error, rad/s along the sensor's axes.
  public var rate: SIMD3<Double> { filter.scale.correct(filter.rate - filter.bias) }

  /// The time of the newest sample.
  public var timestamp: Timestamp? { filter.timestamp }

  /// True while the sensor lies still.
  public var isAtRest: Bool { filter.isAtRest }
}
