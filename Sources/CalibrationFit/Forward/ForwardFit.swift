import Quantities
import RealModule

/// The forward fit: the earth's field, turned by the orientation that gyroscope and accelerometer carry,
/// distorted by iron, is what the magnetometer measures.
///
/// Model. `m = S v(t - latency) + o + noise`, where `v` is the field (horizontal, down) along the sensor's
/// axes. Estimated are S (9), o (3), the field's two parts, the latency, the gyroscope's scale about the
/// vertical, and the slow drift of the carried yaw (a rate and knots). The noise stands on the measurement,
/// not on the regressors: so a fit with little motion is not drawn towards a small field.
/// - Priors: no iron, no misalignment, and what is known of the place, each with its sigma (`Parameters`,
///   `FieldPrior`). What the motion has not shown stays at them, and the covariance says so.
/// - Loss: Student's, with a sigma from the residuals themselves that has a floor.
/// - Weights: observations of one attitude count together as one (`AttitudeCell`).
/// - Start: the best of many yaws and, where the place is unknown, of many dips (`ForwardStart`).
/// - Solution: Gauss and Newton's, halving a step that makes the cost larger.
///
/// - Source: the project's measurements on BROAD (doi 10.3390/data6070072).
public struct ForwardFit: Sendable {
  /// What the fit can be tuned by.
  public var parameters: Parameters
  /// What is known of the earth's field.
  public var prior: FieldPrior
  /// An earlier calibration of the same sensor on the same board, where there is one.
  public var anchor: DistortionAnchor?

  /// Makes a fit.
  public init(prior: FieldPrior = .unknown, parameters: Parameters = Parameters()) {
    self.prior = prior
    self.parameters = parameters
  }

  /// Fits observations of a board with a gyroscope.
  /// - Parameters:
  ///   - observations: In order of time; those without carried axes are passed over.
  ///   - mount: How the magnetometer's axes lie along the inertial unit's; the shape contains it.
  /// - Returns: The distortion with its covariance, and the yaw of magnetic north at the end.
  /// - Throws: `CalibrationFitError` where there is too little to fit.
  public func fit(
    _ observations: [FieldObservation], mount: SignedAxes = .identity
  ) throws(CalibrationFitError) -> ForwardSolution {
    let problem = try ForwardProblem(
      observations, prior, parameters, anchor: anchor, mount: mount)
    return try problem.solve().turned(by: mount)
  }
}

/// What the forward fit found.
public struct ForwardSolution: Equatable, Sendable {
  /// The distortion with all that tells how far to trust it.
  public var estimate: DistortionEstimate
  /// Magnetic north against the carried x axis at the last observation.
  public var yaw: Angle
  /// The share by which the gyroscope tells too much about the vertical.
  public var rateScale: Double
  /// One sigma of the magnetometer's latency, s.
  public var latencySigma: Double
  /// Twice the negative logarithm of the solution's probability, but for a constant.
  public var cost: Double
}

extension ForwardSolution {
  /// The same for a field along the inertial unit's axes, where the fit saw it along the magnetometer's.
  func turned(by mount: SignedAxes) -> ForwardSolution {
    guard mount != .identity else { return self }
    var result = self
    result.estimate.distortion.shape = estimate.distortion.shape * mount.matrix
    var covariance = DistortionCovariance()
    // Column `axes[c]` of the new shape is column `c` of the old one, with its sign.
    func place(_ i: Int) -> (index: Int, sign: Double) {
      i < 9 ? (i - i % 3 + mount.axes[i % 3], Double(mount.signs[i % 3])) : (i, 1)
    }
    for i in 0..<DistortionCovariance.order {
      for j in 0..<DistortionCovariance.order {
        let (a, b) = (place(i), place(j))
        covariance[a.index, b.index] = estimate.covariance[i, j] * a.sign * b.sign
      }
    }
    result.estimate.covariance = covariance
    return result
  }
}
