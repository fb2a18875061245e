public import Quantities

/// How the magnetometer's calibration stands, as the daemon tells it.
public struct CalibrationReport: Codable, Equatable, Sendable {
  /// The progress of a session, 0 to 1; nil while none runs.
  public var progress: Double?
  /// The calibration in use; nil for none.
  public var inUse: CodedCalibration?

  /// Makes a report.
  public init(progress: Double? = nil, inUse: CodedCalibration? = nil) {
    self.progress = progress
    self.inUse = inUse
  }
}

/// A magnetometer's calibration on the wire.
public struct CodedCalibration: Codable, Equatable, Sendable {
  /// The rows of the matrix that corrects scale, skew and alignment; dimensionless.
  public var softIron: [SIMD3<Double>]
  /// The field that moves with the sensor, microtesla in sensor axes.
  public var hardIron: SIMD3<Double>
  /// How far it can be trusted.
  public var quality: String
  /// One sigma at its worst attitude tilted below 45 degrees, radians.
  public var predictedHeadingError: Double?
  /// Root mean square of what it leaves, microtesla.
  public var residualMicrotesla: Double?

  /// Takes a calibration apart.
  public init(_ calibration: MagnetometerCalibration, residualMicrotesla: Double?) {
    let iron = calibration.softIron
    softIron = [iron.r0, iron.r1, iron.r2]
    hardIron = calibration.hardIron.microtesla
    quality = calibration.quality.rawValue
    predictedHeadingError = calibration.predictedHeadingError?.radians
    self.residualMicrotesla = residualMicrotesla
  }

  /// The calibration; nil where the parts make none.
  public var calibration: MagnetometerCalibration? {
    guard softIron.count == 3, let quality = CalibrationState(rawValue: quality) else { return nil }
    return MagnetometerCalibration(
      softIron: Matrix3(rows: softIron[0], softIron[1], softIron[2]),
      hardIron: MagneticField(microtesla: hardIron), quality: quality,
      predictedHeadingError: predictedHeadingError.map { Angle(radians: $0) })
  }
}
