import CalibrationFit
import CalibrationStore

/// The calibration that was kept for an attached board, taken up at its start.
struct KeptCalibration {
  /// What people should know of it.
  private(set) var notices: [String] = []
  /// Where it is kept; nil where nothing is to be kept.
  private(set) var archive: CalibrationArchive?

  /// Looks for the board's calibration and puts it into the configuration, where that names none.
  init(of configuration: inout PipelineConfiguration) {
    guard configuration.usesKeptCalibration, configuration.calibration == .none else { return }
    do {
      guard let archive = try CalibrationArchive(board: configuration.board) else { return }
      self.archive = archive
      let current = try archive.store.current(for: archive.identity)
      notices = current.refusals.map(\.description)
      guard let stored = current.stored else { return }
      configuration.calibration = .fitted(stored.profile.result.calibration)
      configuration.calibrationEstimate = stored.profile.estimate
      configuration.keptDeviation = stored.profile.deviation
      configuration.inertialCorrection = InertialCorrection(stored.profile)
      notices.append("calibration: generation \(stored.profile.generation), \(stored.path)")
    } catch {
      notices.append("no kept calibration is used: \(error)")
    }
  }
}

extension InertialCorrection {
  /// What a profile holds of the inertial unit; nil where it holds nothing.
  init?(_ profile: CalibrationProfile) {
    guard profile.gyroscope != nil || profile.accelerometer != nil else { return nil }
    self.init()
    if let gyroscope = profile.gyroscope {
      (rateBias, rateScale) = (gyroscope.biasRadiansPerSecond, gyroscope.scale)
      if let slope = gyroscope.biasSlopeRadiansPerSecondKelvin,
        let celsius = gyroscope.referenceTemperatureCelsius
      {
        rateSlope = (slope, celsius)
      }
    }
    if let accelerometer = profile.accelerometer {
      (forceBias, forceMatrix) = (accelerometer.biasMetresPerSecondSquared, accelerometer.matrix)
    }
  }
}
