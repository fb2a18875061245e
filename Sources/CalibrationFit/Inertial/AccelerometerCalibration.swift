import Quantities

/// Takes an accelerometer's raw force to the true one: `force = shape * (raw - bias)`. Sensor axes.
public struct AccelerometerCalibration: Equatable, Sendable {
  /// The bias, m/s².
  public var bias: SIMD3<Double>
  /// Scale and cross-axis: lower triangular, so that the true x axis is the sensor's own. How the whole
  /// lies on the board is the level's matter (`LevelTrim`).
  public var shape: Matrix3

  /// Makes a calibration.
  public init(bias: SIMD3<Double>, shape: Matrix3) { (self.bias, self.shape) = (bias, shape) }

  /// A sensor without errors.
  public static var none: Self { Self(bias: .zero, shape: .identity) }

  /// The true specific force, m/s².
  public func callAsFunction(_ raw: SIMD3<Double>) -> SIMD3<Double> { shape * (raw - bias) }
}

/// An accelerometer's calibration as a fit found it, with all that tells how far to trust it.
public struct AccelerometerEstimate: Equatable, Sendable {
  /// What was found.
  public var calibration: AccelerometerCalibration
  /// The covariance of nine numbers, rows first: the bias (m/s²), then of the shape xx, yx, yy, zx, zy, zz.
  public private(set) var covariance: [Double]
  /// Root mean square of what the fit leaves of gravity, m/s².
  public var residual: Double
  /// How many positions count.
  public var positionCount: Int
  /// The positions that were left out, by their place in what was given.
  public var rejected: [Int]
  /// The sides of the board that have not pointed down: the errors along them lean on the prior.
  public var missing: [AxisDirection]
  /// How far the level of a board that lies level is off by the accelerometer, one sigma.
  public var levelError: Angle

  /// Makes an estimate of what is known of it.
  /// - Returns: nil where the covariance has not 81 numbers.
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
