import Quantities

/// Means of gyroscope and accelerometer over an interval of rest.
public struct RestInterval: Equatable, Sendable {
  /// Mean angular rate, rad/s along the sensor's axes.
  public var rate: SIMD3<Double>
  /// Mean specific force, m/s² along the sensor's axes; nil without an accelerometer.
  public var force: SIMD3<Double>?
  /// The duration, s.
  public var seconds: Double
  /// The sensor's mean temperature, degrees Celsius; nil if it is not reported.
  public var celsius: Double?
  /// Deviation of the rate from its mean, root mean square of its length, rad/s; nil if unknown.
  public var rateSpread: Double?
  /// Deviation of the specific force from its mean, root mean square of its length, m/s²; nil if
  /// unknown.
  public var forceSpread: Double?

  /// Makes an interval.
  public init(
    rate: SIMD3<Double>, force: SIMD3<Double>? = nil, seconds: Double, celsius: Double? = nil,
    rateSpread: Double? = nil, forceSpread: Double? = nil
  ) {
    (self.rate, self.force, self.seconds, self.celsius) = (rate, force, seconds, celsius)
    (self.rateSpread, self.forceSpread) = (rateSpread, forceSpread)
  }

  /// True if all numbers are finite and the duration is positive.
  var isUsable: Bool {
    rate.isFinite && (force?.isFinite ?? true) && (celsius?.isFinite ?? true)
      && seconds > 0 && seconds.isFinite
  }
}
