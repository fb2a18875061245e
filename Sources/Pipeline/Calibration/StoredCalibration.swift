import CalibrationFit
import Storage

/// Loads the stored calibration of a board at its start.
struct StoredCalibration {
  /// Notices for the user.
  private(set) var notices: [String] = []
  /// Why the stored calibrations cannot be read; nil where they can.
  private(set) var fault: String?
  /// Where calibrations are stored; nil if none must be stored.
  private(set) var archive: CalibrationArchive?

  /// Puts the board's stored calibration into the configuration, if that has none.
  init(of configuration: inout PipelineConfiguration) {
    guard configuration.usesKeptCalibration, configuration.calibration == .none else { return }
    do {
      guard
        let archive = try CalibrationArchive(
          board: configuration.board, folder: configuration.calibrationFolder)
      else { return }
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
      fault = "\(error)"
      notices.append("the stored calibration is not used: \(error)")
    }
  }
}

extension InertialCorrection {
  /// A profile's corrections of the inertial unit; nil if there is none.
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
