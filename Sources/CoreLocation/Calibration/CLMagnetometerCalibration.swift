internal import Engine
internal import Quantities

/// The calibration that removes a magnetometer's errors and the board's iron from the field, along
/// the sensor's axes: `calibrated = softIron * (raw - hardIron)`.
///
/// Its coded form has the keys of the files of `lodestar calibrate`.
public struct CLMagnetometerCalibration: Codable, Hashable, Sendable {
  /// The constant field in the sensor's frame, microtesla.
  public var hardIron: SIMD3<Double>
  /// The rows of the matrix that corrects scale, skew and alignment; dimensionless. A calibration
  /// without exactly three rows is not used.
  public var softIron: [SIMD3<Double>]
  /// The root mean square residual of the fit, microtesla; nil where it is not known.
  public var residual: Double?
  /// The predicted heading error, degrees, one sigma at the worst attitude tilted below 45 degrees;
  /// nil where it is not known.
  public var predictedHeadingError: Double?

  /// Makes a calibration; without arguments the identity.
  public init(
    hardIron: SIMD3<Double> = .zero,
    softIron: [SIMD3<Double>] = [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)],
    residual: Double? = nil, predictedHeadingError: Double? = nil
  ) {
    (self.hardIron, self.softIron, self.residual) = (hardIron, softIron, residual)
    self.predictedHeadingError = predictedHeadingError
  }

  private enum CodingKeys: String, CodingKey {
    case hardIron, softIron
    case residual = "residual_uT"
    case predictedHeadingError = "predictedHeadingError_deg"
  }
}

extension CLMagnetometerCalibration {
  init(_ inUse: CalibrationInUse) {
    let (c, m) = (inUse.calibration, inUse.calibration.softIron)
    self.init(
      hardIron: c.hardIron.microtesla, softIron: [m.r0, m.r1, m.r2],
      residual: inUse.residualMicrotesla,
      predictedHeadingError: c.predictedHeadingError?.degrees)
  }

  /// The calibration in the engine's form; nil where the soft iron is not a 3x3 matrix. Without a
  /// predicted error its quality is assumed.
  var inUse: CalibrationInUse? {
    guard softIron.count == 3 else { return nil }
    let error = predictedHeadingError.map { Angle(degrees: $0) }
    return CalibrationInUse(
      MagnetometerCalibration(
        softIron: Matrix3(rows: softIron[0], softIron[1], softIron[2]),
        hardIron: MagneticField(microtesla: hardIron),
        quality: error.map { CalibrationState(predictedHeadingError: $0) } ?? .assumed,
        predictedHeadingError: error),
      residualMicrotesla: residual)
  }
}

extension CLHeadingCalibration.State {
  init(_ standing: CalibrationStanding) {
    switch standing {
    case .uncalibrated: self = .uncalibrated
    case .collecting(let progress): self = .collecting(progress: progress)
    case .calibrated(let residual): self = .calibrated(residual: residual ?? -1)
    }
  }
}
