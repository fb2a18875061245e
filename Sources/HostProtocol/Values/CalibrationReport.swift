public import Quantities

/// The state of the magnetometer's calibration in a message.
public struct CalibrationReport: Codable, Equatable, Sendable {
  /// The progress of a session, 0 to 1; nil without a session.
  public var progress: Double?
  /// The attitudes for which the session's result is judged, a word of `CalibrationUse`; nil
  /// without a session.
  public var use: String?
  /// The calibration in use; nil for none.
  public var inUse: CodedCalibration?

  /// Makes a report.
  public init(progress: Double? = nil, inUse: CodedCalibration? = nil) {
    self.progress = progress
    self.inUse = inUse
  }
}

/// A magnetometer's calibration in a message.
public struct CodedCalibration: Codable, Equatable, Sendable {
  /// The rows of the matrix that corrects scale, skew and alignment; dimensionless.
  public var softIron: [SIMD3<Double>]
  /// The field that moves with the sensor, microtesla in sensor axes.
  public var hardIron: SIMD3<Double>
  /// The calibration's quality, a word of `CalibrationState`.
  public var quality: String
  /// Predicted heading error, one sigma at the worst attitude tilted less than 45 degrees, radians.
  public var predictedHeadingError: Double?
  /// Predicted heading error of the level board, one sigma, radians.
  public var predictedLevelError: Double?
  /// The attitudes for which the quality is valid, a word of `CalibrationUse`; nil for any
  /// attitude.
  public var use: String?
  /// Root mean square of the residual field, microtesla.
  public var residualMicrotesla: Double?

  /// Encodes a calibration.
  public init(_ calibration: MagnetometerCalibration, residualMicrotesla: Double?) {
    let iron = calibration.softIron
    softIron = [iron.r0, iron.r1, iron.r2]
    hardIron = calibration.hardIron.microtesla
    quality = calibration.quality.rawValue
    predictedHeadingError = calibration.predictedHeadingError?.radians
    predictedLevelError = calibration.predictedLevelError?.radians
    use = calibration.use == .anyAttitude ? nil : calibration.use.rawValue
    self.residualMicrotesla = residualMicrotesla
  }

  /// The decoded calibration; nil if the values are invalid.
  public var calibration: MagnetometerCalibration? {
    guard softIron.count == 3, let quality = CalibrationState(rawValue: quality) else { return nil }
    return MagnetometerCalibration(
      softIron: Matrix3(rows: softIron[0], softIron[1], softIron[2]),
      hardIron: MagneticField(microtesla: hardIron), quality: quality,
      predictedHeadingError: predictedHeadingError.map { Angle(radians: $0) },
      predictedLevelError: predictedLevelError.map { Angle(radians: $0) },
      use: use.flatMap(CalibrationUse.init) ?? .anyAttitude)
  }
}
