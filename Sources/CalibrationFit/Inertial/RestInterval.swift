import Quantities

/// What gyroscope and accelerometer said while the board lay still: means over the interval.
public struct RestInterval: Equatable, Sendable {
  /// Mean angular rate, rad/s along the sensor's axes.
  public var rate: SIMD3<Double>
  /// Mean specific force, m/s² along the sensor's axes; nil without an accelerometer.
  public var force: SIMD3<Double>?
  /// How long it lasted.
  public var seconds: Double
  /// The sensor's mean temperature, degrees Celsius, where it is told.
  public var celsius: Double?
  /// How far the rate strayed from its mean, root mean square of its length, rad/s; nil where unknown.
  public var rateSpread: Double?
  /// How far the specific force strayed from its mean, root mean square of its length, m/s²; nil where
  /// unknown.
  public var forceSpread: Double?

  /// Makes an interval of its means.
  public init(
    rate: SIMD3<Double>, force: SIMD3<Double>? = nil, seconds: Double, celsius: Double? = nil,
    rateSpread: Double? = nil, forceSpread: Double? = nil
  ) {
    (self.rate, self.force, self.seconds, self.celsius) = (rate, force, seconds, celsius)
    (self.rateSpread, self.forceSpread) = (rateSpread, forceSpread)
  }

  /// True where every number is one and time passed.
  var isUsable: Bool {
    rate.isFinite && (force?.isFinite ?? true) && (celsius?.isFinite ?? true)
      && seconds > 0 && seconds.isFinite
  }
}
