import CalibrationFit
import Quantities

/// A calibration that a running pipeline must change to.
package struct GivenCalibration: Sendable {
  /// The calibration.
  package var choice: CalibrationChoice
  /// The fit's estimate with its uncertainty, if known; the online calibration continues from it.
  package var estimate: DistortionEstimate?

  /// Makes one.
  package init(_ choice: CalibrationChoice, estimate: DistortionEstimate? = nil) {
    (self.choice, self.estimate) = (choice, estimate)
  }
}

/// Supplies a running pipeline with a new calibration; called at each field sample.
package protocol CalibrationHandOver: Sendable {
  /// The newest calibration since the last call; nil for none.
  func take() -> GivenCalibration?
}
