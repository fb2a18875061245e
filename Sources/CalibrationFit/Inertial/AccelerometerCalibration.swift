import Quantities

/// Corrects an accelerometer's raw force: `force = shape * (raw - bias)`. Sensor axes.
public struct AccelerometerCalibration: Equatable, Sendable {
  /// The bias, m/s².
  public var bias: SIMD3<Double>
  /// Scale and cross-axis errors: lower triangular, so that the true x axis is the sensor's own.
  /// `LevelTrim` corrects the rotation of the sensor on the board.
  public var shape: Matrix3

  /// Makes a calibration.
  public init(bias: SIMD3<Double>, shape: Matrix3) { (self.bias, self.shape) = (bias, shape) }

  /// A sensor without errors.
  public static var none: Self { Self(bias: .zero, shape: .identity) }

  /// The true specific force, m/s².
  public func callAsFunction(_ raw: SIMD3<Double>) -> SIMD3<Double> { shape * (raw - bias) }
}

/// An accelerometer's calibration with its quality.
public struct AccelerometerEstimate: Equatable, Sendable {
  /// The calibration.
  public var calibration: AccelerometerCalibration
  /// The covariance of nine numbers, rows first: the bias (m/s²), then of the shape xx, yx, yy, zx,
  /// zy, zz.
  public private(set) var covariance: [Double]
  /// Root mean square residual of gravity, m/s².
  public var residual: Double
  /// Number of used positions.
  public var positionCount: Int
  /// The indices of the excluded positions.
  public var rejected: [Int]
  /// The sides of the board that have not pointed down: errors along them depend on the prior.
  public var missing: [AxisDirection]
  /// Level error of a level board from the accelerometer, one sigma.
  public var levelError: Angle

  /// Makes an estimate.
  /// - Returns: nil unless the covariance has 81 elements.
  public init?(
    calibration: AccelerometerCalibration, covariance: [Double], residual: Double,
    positionCount: Int, rejected: [Int], missing: [AxisDirection], levelError: Angle
  ) {
    guard covariance.count == 81 else { return nil }
    (self.calibration, self.covariance) = (calibration, covariance)
    (self.residual, self.positionCount) = (residual, positionCount)
    (self.rejected, self.missing, self.levelError) = (rejected, missing, levelError)
  }

  /// The standard deviation of the bias, m/s².
  public var biasSigma: SIMD3<Double> {
    SIMD3(covariance[0], covariance[10], covariance[20]).squareRoot()
  }
}
