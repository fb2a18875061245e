import Quantities
import RealModule

/// The forward fit: the earth's field, rotated by the orientation from gyroscope and accelerometer
/// and distorted by iron, predicts the magnetometer's measurement.
///
/// Model. `m = S v(t - latency) + o + noise`, where `v` is the field (horizontal, down) along the
/// sensor's axes. Estimated are S (9), o (3), the field's two components, the latency, the
/// gyroscope's scale about the vertical, and the slow drift of the gyroscope's yaw (a rate and
/// knots). The noise applies to the measurement, not to the regressors, so little motion does not
/// bias the fit towards a small field.
/// - Priors: no iron, no misalignment, and the field of the place, each with its sigma
///   (`Parameters`, `FieldPrior`). What the motion does not show remains at the prior, and the
///   covariance includes it.
/// - Loss: Student's t, with a sigma from the residuals that has a lower limit.
/// - Weights: the observations of one attitude together have the weight of one (`AttitudeCell`).
/// - Start: the best of many yaws and, for an unknown place, of many dips (`ForwardStart`).
/// - Solution: Gauss-Newton; a step that increases the cost is halved.
///
/// - Source: the project's measurements on BROAD (doi 10.3390/data6070072).
public struct ForwardFit: Sendable {
  /// The tuning parameters.
  public var parameters: Parameters
  /// Prior knowledge of the earth's field.
  public var prior: FieldPrior
  /// An earlier calibration of the same sensor on the same board; nil if there is none.
  public var anchor: DistortionAnchor?

  /// Makes a fit.
  public init(prior: FieldPrior = .unknown, parameters: Parameters = Parameters()) {
    self.prior = prior
    self.parameters = parameters
  }

  /// Fits observations of a board with a gyroscope.
  /// - Parameters:
  ///   - observations: Observations in order of time; those without a gyroscope's axes are ignored.
  ///   - mount: The magnetometer's axes relative to the inertial unit's; the shape includes it.
  /// - Returns: The distortion with its covariance, and the yaw of magnetic north at the end.
  /// - Throws: `CalibrationFitError` with too little data.
  public func fit(
    _ observations: [FieldObservation], mount: SignedAxes = .identity
  ) throws(CalibrationFitError) -> ForwardSolution {
    let problem = try ForwardProblem(
      observations, prior, parameters, anchor: anchor, mount: mount)
    return try problem.solve().turned(by: mount)
  }
}

/// The result of the forward fit.
public struct ForwardSolution: Equatable, Sendable {
  /// The distortion and its quality.
  public var estimate: DistortionEstimate
  /// Magnetic north relative to the gyroscope's reference x axis at the last observation.
  public var yaw: Angle
  /// Relative excess of the gyroscope's rate about the vertical.
  public var rateScale: Double
  /// One sigma of the magnetometer's latency, s.
  public var latencySigma: Double
  /// Twice the negative logarithm of the solution's probability, up to a constant.
  public var cost: Double

  package init(
    estimate: DistortionEstimate, yaw: Angle, rateScale: Double, latencySigma: Double, cost: Double
  ) {
    (self.estimate, self.yaw, self.rateScale) = (estimate, yaw, rateScale)
    (self.latencySigma, self.cost) = (latencySigma, cost)
  }
}

extension ForwardSolution {
  /// The solution for a field in inertial unit axes, from a fit in magnetometer axes.
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
