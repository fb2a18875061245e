import Quantities

/// What the magnetometer said over a short interval, beside how the sensor stood meanwhile.
///
/// All is a mean over the interval: the mean of rotated vectors is the mean rotation times the vector, so
/// an interval in which the sensor turns is as exact as one in which it stands.
public struct FieldObservation: Equatable, Sendable {
  /// The middle of the interval.
  public var timestamp: Timestamp
  /// The raw field, microtesla along the sensor's axes.
  public var field: SIMD3<Double>
  /// The reference axes seen from the sensor, where level or more is known; nil on a board that feels
  /// no gravity.
  public var axes: ReferenceAxes?
  /// The length of the mean angular rate, rad/s; nil without a gyroscope.
  public var rate: Double?
  /// Observations of one stretch share a carried yaw; another begins where the gyroscope stood at the end of
  /// its range and nobody knows how far the sensor turned.
  public var stretch = 0

  /// Makes an observation of what there is.
  public init(
    timestamp: Timestamp, field: SIMD3<Double>, axes: ReferenceAxes? = nil, rate: Double? = nil,
    stretch: Int = 0
  ) {
    (self.timestamp, self.field, self.axes, self.rate) = (timestamp, field, axes, rate)
    self.stretch = stretch
  }
}

/// Three earth-fixed axes along the inertial unit's axes: x and y level, right-handed with z down. With
/// a gyroscope x and y stay where they are but for a slow drift; without one only `down` means something.
public struct ReferenceAxes: Equatable, Sendable {
  /// The level axis from which yaw counts.
  public var x: SIMD3<Double>
  /// The level axis to its right.
  public var y: SIMD3<Double>
  /// Along gravity.
  public var down: SIMD3<Double>
  /// How the three change in a second: what a field that is told late is late by.
  public var xRate: SIMD3<Double>
  /// See `xRate`.
  public var yRate: SIMD3<Double>
  /// See `xRate`.
  public var downRate: SIMD3<Double>
  /// True where x and y are carried by a gyroscope.
  public var isYawCarried: Bool
  /// By how much the gyroscope has turned about the vertical since the first observation, radians: where
  /// its scale is wrong, x and y are off by that share of it.
  public var turned: Double

  /// Makes axes of their means and rates.
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
  /// The axes along those of another sensor.
  func turned(by matrix: Matrix3) -> ReferenceAxes {
    ReferenceAxes(
      x: matrix * x, y: matrix * y, down: matrix * down, xRate: matrix * xRate,
      yRate: matrix * yRate, downRate: matrix * downRate, isYawCarried: isYawCarried,
      turned: turned)
  }
}
