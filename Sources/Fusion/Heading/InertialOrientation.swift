import Quantities

/// Orientation by gyroscope and accelerometer alone, along the sensor's own axes: level is known, yaw has
/// any origin and drifts slowly. No magnetometer has a say, so a calibration of one may rest on it.
public struct InertialOrientation: Sendable {
  /// The filter; its body is the sensor.
  private var filter: StrapdownFilter

  /// The gyroscope's scale at the start, a fraction: gravity teaches it while the sensor is turned over.
  /// Larger than where a magnetometer helps, since a scale that is wrong is all that bends a fit of one.
  /// Three times as much is what consumer parts are specified to (MPU-9250 PS-MPU-9250A-01 rev 1.1,
  /// table 1).
  private static var initialScaleSigma: Double { 0.01 }

  /// A hand that turns a sensor over seldom pushes it one way for long: what lasts is level that a wrong scale bends,
  /// and teaches it, m/s².
  private static var trustedAcceleration: Double { 2 }

  /// Makes an orientation that is not known yet.
  /// - Parameter fullScale: What the sensors show at the ends of their ranges.
  public init(fullScale: SensorFullScale = SensorFullScale()) {
    var parameters = StrapdownFilter.Parameters()
    parameters.initialScaleSigma = Self.initialScaleSigma
    parameters.trustedAcceleration = Self.trustedAcceleration
    filter = StrapdownFilter(parameters: parameters, fullScale: fullScale)
  }

  /// Takes in a sample; one without rate or force is passed over.
  public mutating func update(_ sample: InertialSample<SensorFrame>) {
    filter.update(
      InertialSample<BodyFrame>(
        timestamp: sample.timestamp,
        angularRate: sample.angularRate.map { AngularRate(components: $0.components) },
        specificForce: sample.specificForce.map { SpecificForce(components: $0.components) }))
  }

  /// The orientation above level axes at the newest sample; nil before level is found.
  public var attitude: Rotation<BodyFrame, MagneticEarthFrame>? {
    filter.alignment.isLevelFound ? filter.attitude : nil
  }

  /// The newest rate without its bias and scale error, rad/s along the sensor's axes.
  public var rate: SIMD3<Double> { filter.scale.correct(filter.rate - filter.bias) }

  /// When the newest sample was taken.
  public var timestamp: Timestamp? { filter.timestamp }

  /// True while the sensor lies still.
  public var isAtRest: Bool { filter.isAtRest }
}
