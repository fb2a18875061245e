import CalibrationFit
import Quantities

/// A calibration that is handed to a running pipeline.
package struct GivenCalibration: Sendable {
  /// What to go over to.
  package var choice: CalibrationChoice
  /// How uncertain it is, where a fit told; the online calibration goes on from it.
  package var estimate: DistortionEstimate?

  /// Makes one.
  package init(_ choice: CalibrationChoice, estimate: DistortionEstimate? = nil) {
    (self.choice, self.estimate) = (choice, estimate)
  }
}

/// Where a running pipeline looks, at each field sample, whether it is to go over to another calibration.
package protocol CalibrationHandOver: Sendable {
  /// What was handed in since the last call; nil for nothing.
  func take() -> GivenCalibration?
}
