import Quantities
import RealModule

/// The calibration of a bare magnetometer that is turned level once about.
///
/// Model: that of `EllipsoidFit`, with the sensor's vertical axis in gravity's place: level, the field runs
/// round an ellipse whose centre is the hard iron's level part (with what the skew makes of the vertical
/// field) and whose axes are the shape's. What a level turn cannot tell (the hard iron along the vertical
/// axis, the vertical column of the shape, the turn of the sensor in its case) stays at the prior and in
/// the covariance. The board's tilt while it turns is noise of the depth, two degrees; a lean of the sensor
/// in its case is learned as hard iron.
///
/// Refused: less than 270 degrees of heading, since an arc tells its centre badly; a field that is too weak
/// or does not lie on an ellipse.
/// - Accuracy: see `PlanePromise`.
public struct PlaneFit: Sendable {
  /// A sensor's axis.
  public enum Axis: Int, CaseIterable, Sendable {
    /// The sensor's own x.
    case x
    /// The sensor's own y.
    case y
    /// The sensor's own z.
    case z
  }

  /// What is known beforehand.
  public var prior: EllipsoidPrior
  /// The axis that is vertical while the board is level.
  public var vertical: Axis
  /// True where that axis points at the ground. The level heading does not depend on it.
  public var isPointingDown: Bool
  /// How long each observation's mean was taken, seconds; see `EllipsoidFit`.
  public var averagingTime: Double

  /// Makes a fit.
  public init(
    prior: EllipsoidPrior = EllipsoidPrior(), vertical: Axis = .z, isPointingDown: Bool = true,
    averagingTime: Double = 0.2
  ) {
    (self.prior, self.averagingTime) = (prior, averagingTime)
    (self.vertical, self.isPointingDown) = (vertical, isPointingDown)
  }

  /// How far the heading must go about. Source: the research's section 4.
  static var neededArc: Angle { Angle(degrees: 270) }
  /// The tilt of a board that is turned on a table or a deck at rest, one sigma, radians.
  static var tiltSigma: Double { 2 * .pi / 180 }
  /// The dip's spread about what is assumed where the place is not known, radians.
  static var unknownDipSigma: Double { 15 * .pi / 180 }
  /// The depth's noise above which the board was not level, radians.
  static var mostTiltSigma: Double { 10 * .pi / 180 }

  /// Fits the ellipse that the level field runs on. Gravity, where the observations have it, plays no part.
  /// - Returns: the distortion, how far the board was turned, and what can be promised.
  /// - Throws: `CalibrationFitError`, what is missing.
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
        "the level board went through \(Int(arc.degrees)) degrees of heading, at least "
          + "\(Int(Self.neededArc.degrees)) are needed; turn it level once all the way round")
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

  /// The prior with a dip that is about what is assumed: nothing here observes it.
  private var levelPrior: EllipsoidPrior {
    var level = prior
    level.unknownDipSigma = Self.unknownDipSigma
    return level
  }

  /// The circle through the samples, seen from above.
  private func start(_ samples: [EllipsoidSample]) throws(CalibrationFitError) -> EllipsoidState {
    let flat = samples.map { sample -> EllipsoidSample in
      var level = sample
      level.field[vertical.rawValue] = 0
      return level
    }
    let scatter = try FieldScatter(flat)
    guard scatter.spread > SampleScreening.leastSpread else {
      throw .tooLittleMotion("turn the level board once all the way round")
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

/// What a plane fit found.
public struct PlaneSolution: Equatable, Sendable {
  /// The distortion.
  public var estimate: DistortionEstimate
  /// Through how much heading the board was turned.
  public var arc: Angle
  /// What can honestly be said of the heading.
  public var promise: PlanePromise
}
