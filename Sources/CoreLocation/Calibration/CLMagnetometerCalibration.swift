internal import Pipeline
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
  /// The predicted heading error of the level board, degrees, one sigma; nil where it is not known.
  public var predictedLevelError: Double?
  /// The attitudes for which the calibration is made; nil for any.
  public var use: Use?

  /// The attitudes for which a calibration is made and judged.
  public enum Use: String, Codable, Sendable {
    /// All tilts below 45 degrees.
    case anyAttitude = "any attitude"
    /// A carrier that stays level, such as a car, a boat or a robot.
    case level
  }

  /// Makes a calibration; without arguments the identity.
  public init(
    hardIron: SIMD3<Double> = .zero,
    softIron: [SIMD3<Double>] = [SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)],
    residual: Double? = nil, predictedHeadingError: Double? = nil,
    predictedLevelError: Double? = nil, use: Use? = nil
  ) {
    (self.hardIron, self.softIron, self.residual) = (hardIron, softIron, residual)
    self.predictedHeadingError = predictedHeadingError
    (self.predictedLevelError, self.use) = (predictedLevelError, use)
  }

  private enum CodingKeys: String, CodingKey {
    case hardIron, softIron
    case residual = "residual_uT"
    case predictedHeadingError = "predictedHeadingError_deg"
    case predictedLevelError = "predictedLevelError_deg"
    case use
  }
}

extension CLMagnetometerCalibration {
  init(_ inUse: CalibrationInUse) {
    let (c, m) = (inUse.calibration, inUse.calibration.softIron)
    self.init(
      hardIron: c.hardIron.microtesla, softIron: [m.r0, m.r1, m.r2],
      residual: inUse.residualMicrotesla,
      predictedHeadingError: c.predictedHeadingError?.degrees,
      predictedLevelError: c.predictedLevelError?.degrees,
      use: c.use == .level ? .level : nil)
  }

  /// The calibration in the engine's form; nil where the soft iron is not a 3x3 matrix. Without a
  /// predicted error its quality is assumed.
  var inUse: CalibrationInUse? {
    guard softIron.count == 3 else { return nil }
    var calibration = MagnetometerCalibration(
      softIron: Matrix3(rows: softIron[0], softIron[1], softIron[2]),
      hardIron: MagneticField(microtesla: hardIron), quality: .assumed,
      predictedHeadingError: predictedHeadingError.map { Angle(degrees: $0) },
      predictedLevelError: predictedLevelError.map { Angle(degrees: $0) },
      use: use.map { CalibrationUse($0) } ?? .anyAttitude)
    if let error = calibration.predictedError {
      calibration.quality = CalibrationState(predictedHeadingError: error)
    }
    return CalibrationInUse(calibration, residualMicrotesla: residual)
  }
}

extension CalibrationUse {
  init(_ use: CLMagnetometerCalibration.Use) {
    switch use {
    case .anyAttitude: self = .anyAttitude
    case .level: self = .level
    }
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
