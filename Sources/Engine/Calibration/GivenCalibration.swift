import CalibrationFit
import Quantities
import Storage

/// A calibration that a running pipeline must change to.
package struct GivenCalibration: Sendable {
  /// The calibration.
  package var choice: CalibrationChoice
  /// The fit's estimate with its uncertainty, if known; the online calibration continues from it.
  package var estimate: DistortionEstimate?

  /// The stored profile, whose other parts (gyroscope, accelerometer, loads, deviation) are used too; nil to go on with
  /// those in use.
  package var profile: CalibrationProfile?

  /// Makes one.
  package init(_ choice: CalibrationChoice, estimate: DistortionEstimate? = nil) {
    (self.choice, self.estimate) = (choice, estimate)
  }

  /// The calibration of a stored profile with its other parts.
  package init(_ profile: CalibrationProfile) {
    (choice, estimate) = (.fitted(profile.result.calibration), profile.estimate)
    self.profile = profile
  }
}

/// Supplies a running pipeline with a new calibration; called at each field sample.
package protocol CalibrationHandOver: Sendable {
  /// The newest calibration since the last call; nil for none.
  func take() -> GivenCalibration?
}
