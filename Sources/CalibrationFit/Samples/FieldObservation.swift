import Quantities

/// The mean field over a short interval with the mean orientation of the sensor.
///
/// All values are means over the interval. The mean of rotated vectors is the mean rotation times
/// the vector, so an interval with rotation is as exact as one at rest.
public struct FieldObservation: Equatable, Sendable {
  /// The middle of the interval.
  public var timestamp: Timestamp
  /// The raw field, microtesla along the sensor's axes.
  public var field: SIMD3<Double>
  /// The reference axes in sensor coordinates; nil without gravity.
  public var axes: ReferenceAxes?
  /// The length of the mean angular rate, rad/s; nil without a gyroscope.
  public var rate: Double?
  /// Observations of one stretch share the origin of yaw. A new stretch begins after the gyroscope
  /// was at its limit, since the rotation is then unknown.
  public var stretch = 0
  /// False if a lasting acceleration, as in a turn of a vehicle, made the direction of gravity
  /// doubtful.
  public var isLevelCertain = true

  /// Makes an observation.
  public init(
    timestamp: Timestamp, field: SIMD3<Double>, axes: ReferenceAxes? = nil, rate: Double? = nil,
    stretch: Int = 0
  ) {
    (self.timestamp, self.field, self.axes, self.rate) = (timestamp, field, axes, rate)
    self.stretch = stretch
  }
}

/// Three earth-fixed axes in inertial unit coordinates: x and y level, right-handed with z down.
/// With a gyroscope x and y are constant apart from a slow drift; without one only `down` is
/// defined.
public struct ReferenceAxes: Equatable, Sendable {
  /// The level axis that is the origin of yaw.
  public var x: SIMD3<Double>
  /// The level axis to its right.
  public var y: SIMD3<Double>
  /// Along gravity.
  public var down: SIMD3<Double>
  /// Change of the axes in one second, for the correction of a late field.
  public var xRate: SIMD3<Double>
  /// See `xRate`.
  public var yRate: SIMD3<Double>
  /// See `xRate`.
  public var downRate: SIMD3<Double>
  /// True if a gyroscope defines x and y.
  public var isYawCarried: Bool
  /// Rotation about the vertical since the first observation according to the gyroscope, radians. A
  /// relative scale error causes an error of x and y by that fraction of it.
  public var turned: Double

  /// Makes axes from means and rates.
  public init(
    x: SIMD3<Double>, y: SIMD3<Double>, down: SIMD3<Double>, xRate: SIMD3<Double> = .zero,
    yRate: SIMD3<Double> = .zero, downRate: SIMD3<Double> = .zero, isYawCarried: Bool,
    turned: Double = 0
  ) {
    (self.x, self.y, self.down) = (x, y, down)
    (self.xRate, self.yRate, self.downRate) = (xRate, yRate, downRate)
    self.isYawCarried = isYawCarried
    self.turned = turned
  }
}

extension ReferenceAxes {
  /// The axes in another sensor's coordinates.
  func turned(by matrix: Matrix3) -> ReferenceAxes {
    ReferenceAxes(
      x: matrix * x, y: matrix * y, down: matrix * down, xRate: matrix * xRate,
      yRate: matrix * yRate, downRate: matrix * downRate, isYawCarried: isYawCarried,
      turned: turned)
  }
}
