import Quantities
import RealModule

/// The calibration of a bare magnetometer from one level turn.
///
/// Model: that of `EllipsoidFit`, with the sensor's vertical axis instead of gravity. Level, the
/// field describes an ellipse whose centre is the level part of the hard iron (with the effect of
/// skew on the vertical field) and whose axes come from the shape. A level turn does not observe
/// the hard iron along the vertical axis, the vertical column of the shape and the rotation of the
/// sensor in its case: they remain at the prior and in the covariance. The board's tilt during the
/// turn is noise of the depth, two degrees; a constant tilt of the sensor in its case becomes hard
/// iron.
///
/// Errors: less than 270 degrees of heading, since an arc determines its centre poorly; a field
/// that is too weak or does not lie on an ellipse.
/// - Accuracy: see `PlanePromise`.
public struct PlaneFit: Sendable {
  /// A sensor's axis.
  public enum Axis: Int, CaseIterable, Sendable {
    /// The sensor's x axis.
    case x
    /// The sensor's y axis.
    case y
    /// The sensor's z axis.
    case z
  }

  /// The prior.
  public var prior: EllipsoidPrior
  /// The axis that is vertical while the board is level.
  public var vertical: Axis
  /// True if that axis points down. The level heading does not depend on it.
  public var isPointingDown: Bool
  /// The averaging time of each observation, seconds; see `EllipsoidFit`.
  public var averagingTime: Double

  /// Makes a fit.
  public init(
    prior: EllipsoidPrior = EllipsoidPrior(), vertical: Axis = .z, isPointingDown: Bool = true,
    averagingTime: Double = 0.2
  ) {
    (self.prior, self.averagingTime) = (prior, averagingTime)
    (self.vertical, self.isPointingDown) = (vertical, isPointingDown)
  }

  /// Minimum arc of headings.
  static var neededArc: Angle { Angle(degrees: 270) }
  /// Tilt of a board that is turned on a table or a deck at rest, one sigma, radians.
  static var tiltSigma: Double { 2 * .pi / 180 }
  /// Standard deviation of the assumed dip of an unknown place, radians.
  static var unknownDipSigma: Double { 15 * .pi / 180 }
  /// Maximum noise of the depth of a level board, radians.
  static var mostTiltSigma: Double { 10 * .pi / 180 }

  /// Fits the ellipse of the level field. Gravity is not used.
  /// - Returns: The distortion, the arc of headings, and the expected heading error.
  /// - Throws: `CalibrationFitError` with what is missing.
  public func solve(_ observations: [FieldObservation]) throws(CalibrationFitError) -> PlaneSolution
  {
    var samples = try SampleScreening.samples(
      of: observations, usingGravity: false, averagingTime: averagingTime)
    for i in samples.indices { samples[i].down = down }
    samples = HeadingCells.weigh(samples, centre: try start(samples).offset, axis: vertical)
    let tilt = Self.tiltSigma * prior.strength.mean
    let floor = (EllipsoidSolver.sigmaFloor * EllipsoidSolver.sigmaFloor + tilt * tilt).squareRoot()
    let solver = EllipsoidSolver(samples, prior: levelPrior, depthFloor: floor)
    let peaks = try solver.peaks(from: [try start(samples)])
    guard let peak = peaks.first else { throw .notSolvable }
    try refuseMisfit(peak)
    let arc = HeadingCells.arc(samples, peak.state, axis: vertical)
    guard arc >= Self.neededArc else {
      throw .tooLittleMotion(
        "the level board covered \(Int(bounded: arc.degrees)) degrees of heading, at least "
          + "\(Int(bounded: Self.neededArc.degrees)) are needed; turn it level through a full circle"
      )
    }
    let estimate = try PosteriorSummary(peaks).estimate(.plane)
    let promise = PlanePromise(
      estimate, vertical: down, dip: prior.earthField?.dip)
    return PlaneSolution(estimate: estimate, arc: arc, promise: promise)
  }

  private var down: SIMD3<Double> {
    var axis = SIMD3<Double>.zero
    axis[vertical.rawValue] = isPointingDown ? 1 : -1
    return axis
  }

  /// The prior with a small sigma of the dip: level motion does not observe it.
  private var levelPrior: EllipsoidPrior {
    var level = prior
    level.unknownDipSigma = Self.unknownDipSigma
    return level
  }

  /// The circle through the samples in the level plane.
  private func start(_ samples: [EllipsoidSample]) throws(CalibrationFitError) -> EllipsoidState {
    let flat = samples.map { sample -> EllipsoidSample in
      var level = sample
      level.field[vertical.rawValue] = 0
      return level
    }
    let scatter = try FieldScatter(flat)
    guard scatter.spread > SampleScreening.leastSpread else {
      throw .tooLittleMotion("turn the level board through a full circle")
    }
    let weight = samples.reduce(0) { $0 + $1.weight }
    let height = samples.reduce(0) { $0 + $1.weight * $1.field.dot(down) } / weight
    let radius = (scatter.sphere.lengthSquared + scatter.variances.sum()).squareRoot()
    let strength = max(prior.strength.mean, 1.05 * radius)
    let dip = Double.acos(radius / strength) * (prior.dip.mean < 0 ? -1 : 1)
    let level = scatter.mean + scatter.axes * scatter.sphere
    return EllipsoidState(
      shape: .identity, offset: level + down * (height - strength * Double.sin(dip)),
      strength: strength, dip: dip)
  }

  private func refuseMisfit(_ peak: EllipsoidSolver.Peak) throws(CalibrationFitError) {
    let most = Self.mostTiltSigma * peak.state.strength
    guard peak.problem.sigma > EllipsoidFit.mostSigma || (peak.problem.depthSigma ?? 0) > most
    else { return }
    let residuals = peak.problem.residuals(peak.state)
    let misfits = residuals.filter {
      abs($0.strength) > EllipsoidFit.mostSigma || abs($0.depth ?? 0) > most
    }
    throw .inconsistent(share: Double(misfits.count) / Double(max(1, residuals.count)))
  }
}

/// The result of a plane fit.
public struct PlaneSolution: Equatable, Sendable {
  /// The distortion.
  public var estimate: DistortionEstimate
  /// The arc of headings that the board covered.
  public var arc: Angle
  /// The expected heading error.
  public var promise: PlanePromise
}
