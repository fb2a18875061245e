import CalibrationFit
import Quantities
import Storage

/// A calibration that a running pipeline must change to.
package struct GivenCalibration: Sendable {
  /// The calibration.
  package var choice: CalibrationChoice
  /// The fit's estimate with its uncertainty, if known; the online calibration continues from it.
  package var estimate: DistortionEstimate?
  /// The other parts of a stored profile, which are used too; nil to go on with those in use.
  package var parts: Parts?

  /// The parts of a stored profile other than the magnetometer's calibration.
  package struct Parts: Sendable {
    /// The corrections of the gyroscope and the accelerometer.
    package var inertialCorrection: InertialCorrection?
    /// The deviation of the vehicle.
    package var deviation: StoredDeviation?
    /// The field of a load, microtesla for each of its units.
    package var loadMicroteslaPerUnit: SIMD3<Double>?

    /// Makes parts.
    package init(
      inertialCorrection: InertialCorrection? = nil, deviation: StoredDeviation? = nil,
      loadMicroteslaPerUnit: SIMD3<Double>? = nil
    ) {
      self.inertialCorrection = inertialCorrection
      self.deviation = deviation
      self.loadMicroteslaPerUnit = loadMicroteslaPerUnit
    }
  }

  /// Makes one.
  package init(_ choice: CalibrationChoice, estimate: DistortionEstimate? = nil) {
    (self.choice, self.estimate) = (choice, estimate)
  }

  /// The calibration of a stored profile with its other parts.
  package init(_ profile: CalibrationProfile) {
    (choice, estimate) = (.fitted(profile.result.calibration), profile.estimate)
    parts = Parts(
      inertialCorrection: InertialCorrection(profile), deviation: profile.deviation,
      loadMicroteslaPerUnit: profile.loads.last?.fieldMicroteslaPerUnit)
  }
}

/// Supplies a running pipeline with a new calibration; called at each field sample.
package protocol CalibrationHandOver: Sendable {
  /// The newest calibration since the last call; nil if there is none.
  func nextGiven() -> GivenCalibration?
}
