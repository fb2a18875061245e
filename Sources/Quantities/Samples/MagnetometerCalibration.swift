/// Corrects a raw field: `calibrated = softIron * (raw - hardIron)`.
public struct MagnetometerCalibration: Equatable, Sendable {
  /// Corrects scale, skew and alignment; dimensionless.
  public var softIron: Matrix3
  /// The field of iron on the board, microtesla in sensor axes.
  public var hardIron: MagneticField<SensorFrame>
  /// The quality of the calibration for its use.
  public var quality: CalibrationState
  /// The remaining heading error at the worst attitude with a tilt below 45 degrees, one sigma.
  public var predictedHeadingError: Angle?
  /// The remaining heading error of the level board, one sigma.
  public var predictedLevelError: Angle?
  /// The attitudes for which `quality` is valid.
  public var use: CalibrationUse

  /// Makes a calibration.
  public init(
    softIron: Matrix3, hardIron: MagneticField<SensorFrame>, quality: CalibrationState,
    predictedHeadingError: Angle? = nil, predictedLevelError: Angle? = nil,
    use: CalibrationUse = .anyAttitude
  ) {
    self.softIron = softIron
    self.hardIron = hardIron
    self.quality = quality
    self.predictedHeadingError = predictedHeadingError
    self.predictedLevelError = predictedLevelError
    self.use = use
  }

  /// The predicted error for the use, one sigma; nil if unknown.
  public var predictedError: Angle? {
    switch use {
    case .anyAttitude: predictedHeadingError
    case .level: predictedLevelError
    }
  }

  /// The field without the calibration's iron.
  @inlinable
  public func callAsFunction(_ raw: MagneticField<SensorFrame>) -> MagneticField<SensorFrame> {
    MagneticField(components: softIron * (raw.components - hardIron.components))
  }
}

/// The attitudes for which a calibration is made and its quality is judged.
public enum CalibrationUse: String, CaseIterable, Sendable {
  /// All tilts below 45 degrees: the worst of them decides.
  case anyAttitude = "any attitude"
  /// A carrier that stays level, such as a car, a boat or a robot: the level board decides.
  case level
}

/// The calibration state of a magnetometer.
public enum CalibrationState: String, CaseIterable, Sendable {
  /// No calibration: the heading error is bounded but unknown.
  case uncalibrated
  /// The user states that the field is already calibrated.
  case assumed
  /// A calibration whose predicted heading error, one sigma at the worst attitude of its use, is
  /// above 6 degrees.
  case poor
  /// A predicted heading error of 3 to 6 degrees.
  case fair
  /// A predicted heading error below 3 degrees: 95 of 100 headings are within 3 degrees.
  case good
}

/// Whether the field around the sensor matches the earth's.
public enum DisturbanceState: String, CaseIterable, Sendable {
  /// The field has its usual strength and dip.
  case clean
  /// Iron or a magnet distorts the field; the heading relies on the gyroscope.
  case disturbed
  /// The field matches again; the heading returns to it.
  case recovering
  /// A magnet or much iron is near: the field is far from the earth's.
  case magnetNearby = "magnet nearby"

  /// True if the field does not match the earth's now.
  public var isDisturbed: Bool { self == .disturbed || self == .magnetNearby }
}

extension CalibrationState {
  /// One sigma of the heading error of the state, if no value is given.
  public var impliedError: Angle {
    switch self {
    case .good: Angle(degrees: 1.5)
    case .fair, .assumed: Angle(degrees: 5)
    case .poor, .uncalibrated: Angle(degrees: 15)
    }
  }
}
