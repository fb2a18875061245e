import CalibrationFit
import Quantities

/// The result of a calibration: the keys of a plain calibration file, which every profile has too.
/// Numbers are in the file's units, so that reading and writing change no digit.
public struct CalibrationResult: Equatable, Sendable {
  /// Corrects scale, skew and alignment, dimensionless: `calibrated = softIron * (raw - hardIron)`.
  public var softIron: Matrix3
  /// The field that moves with the sensor, microtesla in sensor axes.
  public var hardIronMicrotesla: SIMD3<Double>
  /// The quality of the calibration for its use.
  public var quality: CalibrationState
  /// The share of the attitudes that the motion covered, 0 to 1.
  public var coverage: Double?
  /// The root mean square of the residuals, microtesla.
  public var residualMicrotesla: Double?
  /// The heading error at the worst attitude tilted below 45 degrees, one sigma, degrees.
  public var predictedHeadingErrorDegrees: Double?
  /// The heading error of the level board, one sigma, degrees.
  public var predictedLevelErrorDegrees: Double?
  /// The attitudes for which the quality is valid.
  public var use = CalibrationUse.anyAttitude
  /// The mount of the sensor on the body, where the calibration determined it.
  public var mount: SensorMount?

  /// Makes a result.
  public init(
    softIron: Matrix3, hardIronMicrotesla: SIMD3<Double>, quality: CalibrationState,
    coverage: Double? = nil, residualMicrotesla: Double? = nil,
    predictedHeadingErrorDegrees: Double? = nil, mount: SensorMount? = nil
  ) {
    (self.softIron, self.hardIronMicrotesla) = (softIron, hardIronMicrotesla)
    (self.quality, self.coverage, self.mount) = (quality, coverage, mount)
    self.residualMicrotesla = residualMicrotesla
    self.predictedHeadingErrorDegrees = predictedHeadingErrorDegrees
  }

  /// Makes a result of the pipeline's form of a calibration.
  public init(_ calibration: MagnetometerCalibration) {
    self.init(
      softIron: calibration.softIron, hardIronMicrotesla: calibration.hardIron.microtesla,
      quality: calibration.quality,
      predictedHeadingErrorDegrees: calibration.predictedHeadingError?.degrees)
    predictedLevelErrorDegrees = calibration.predictedLevelError?.degrees
    use = calibration.use
  }

  /// Makes a result that corrects a distortion; nil for one that cannot be inverted.
  public init?(_ distortion: FieldDistortion, quality: CalibrationState) {
    guard let softIron = distortion.shape.inverse else { return nil }
    self.init(softIron: softIron, hardIronMicrotesla: distortion.offset, quality: quality)
  }

  /// The predicted error for the use, one sigma, degrees; nil if unknown.
  public var predictedErrorDegrees: Double? { calibration.predictedError?.degrees }

  /// The calibration in the pipeline's form.
  public var calibration: MagnetometerCalibration {
    MagnetometerCalibration(
      softIron: softIron, hardIron: MagneticField(microtesla: hardIronMicrotesla),
      quality: quality,
      predictedHeadingError: predictedHeadingErrorDegrees.map { Angle(degrees: $0) },
      predictedLevelError: predictedLevelErrorDegrees.map { Angle(degrees: $0) }, use: use)
  }
}
