/// Takes a raw field to a calibrated one: `calibrated = softIron * (raw - hardIron)`.
public struct MagnetometerCalibration: Equatable, Sendable {
  /// Corrects scale, skew and alignment; dimensionless.
  public var softIron: Matrix3
  /// The field that moves with the sensor, microtesla in sensor axes.
  public var hardIron: MagneticField<SensorFrame>
  /// How far the calibration can be trusted.
  public var quality: CalibrationState
  /// The heading error that it leaves at its worst attitude tilted below 45 degrees, one sigma.
  public var predictedHeadingError: Angle?

  /// Makes a calibration.
  public init(
    softIron: Matrix3, hardIron: MagneticField<SensorFrame>, quality: CalibrationState,
    predictedHeadingError: Angle? = nil
  ) {
    self.softIron = softIron
    self.hardIron = hardIron
    self.quality = quality
    self.predictedHeadingError = predictedHeadingError
  }

  /// The field with the calibration's iron taken out.
  @inlinable
  public func callAsFunction(_ raw: MagneticField<SensorFrame>) -> MagneticField<SensorFrame> {
    MagneticField(components: softIron * (raw.components - hardIron.components))
  }
}

/// What is known of the magnetometer's own errors.
public enum CalibrationState: String, CaseIterable, Sendable {
  /// Nothing: the heading is bounded, but nobody can say how far off it is.
  case uncalibrated
  /// The user says that the field is already calibrated.
  case assumed
  /// A calibration whose predicted heading error, one sigma at the worst attitude, is above 6 degrees.
  case poor
  /// One of 3 to 6 degrees.
  case fair
  /// One below 3 degrees: 95 of 100 headings are within 3 degrees.
  case good
}

/// Whether the field around the sensor is the earth's.
public enum DisturbanceState: String, CaseIterable, Sendable {
  /// The field has the strength and dip that it has had.
  case clean
  /// Iron or a magnet bends the field; heading leans on the gyroscope.
  case disturbed
  /// The field has come back; heading returns to it.
  case recovering
  /// A magnet or much iron is close: the field is far from the earth's.
  case magnetNearby = "magnet nearby"

  /// True where the field is not the earth's now.
  public var isDisturbed: Bool { self == .disturbed || self == .magnetNearby }
}

extension CalibrationState {
  /// One sigma of the heading error that the word stands for, where no figure is given.
  public var impliedError: Angle {
    switch self {
    case .good: Angle(degrees: 1.5)
    case .fair, .assumed: Angle(degrees: 5)
    case .poor, .uncalibrated: Angle(degrees: 15)
    }
  }
}
