import Quantities
import RealModule

/// Selects the method by the board's sensors and the motion, fits, and evaluates the result.
public struct CalibrationSolver: Sendable {
  /// Prior knowledge of the earth's field.
  public var prior: FieldPrior
  /// The unit vector of gravity along the sensor's axes while the board is level.
  public var down: SIMD3<Double>
  /// The attitudes for which the result is judged; nil to decide by the motion: a board that never
  /// tilted by more than 15 degrees is for level use.
  public var use: CalibrationUse?
  /// Whether all permutations of the magnetometer's axes are tested.
  public var searchesMount = true
  /// The tuning parameters of fits with a gyroscope.
  public var parameters = ForwardFit.Parameters()
  /// Minimum rotation for a calibration.
  private static var leastTurn: Angle { Angle(degrees: 10) }

  /// Makes a solver.
  public init(prior: FieldPrior = .unknown, down: SIMD3<Double>) {
    (self.prior, self.down) = (prior, down)
  }

  /// Calibrates from observations.
  /// - Parameters:
  ///   - observations: In order of time.
  ///   - checks: The checks of the raw samples.
  /// - Returns: The calibration with its quality.
  /// - Throws: `CalibrationFitError` with what is missing.
  public func solve(
    _ observations: [FieldObservation], checks: SampleChecks = SampleChecks()
  ) throws(CalibrationFitError) -> CalibrationOutcome {
    if let fault = checks.fault { throw fault }
    let all = observations.filter { $0.axes?.isYawCarried == true }
    let fewest = parameters.fewestObservations
    let carried = Self.mostVariedStretch(all)
    if carried.count < max(fewest, observations.count / 4), let shortage = checks.shortage {
      throw shortage
    }
    let hasGyroscope = carried.count >= fewest
    let motion = SeenMotion(hasGyroscope ? carried : observations, down: down)
    let use = use ?? motion.use
    var outcome =
      hasGyroscope ? try forward(carried, for: use) : try withoutGyroscope(observations, for: use)
    outcome?.turn = hasGyroscope ? motion.turn : nil
    guard let outcome else { throw .notSolvable }
    return outcome
  }

  private func forward(
    _ observations: [FieldObservation], for use: CalibrationUse
  ) throws(CalibrationFitError) -> CalibrationOutcome? {
    guard Self.reach(observations) > Self.leastTurn.radians else {
      throw .tooLittleMotion(
        "let the board lie still for two seconds, then turn it slowly through a full circle, tilting it on the "
          + "way if it can be tilted")
    }
    let fit = ForwardFit(prior: prior, parameters: parameters)
    var solution: ForwardSolution?
    var mount: SignedAxes?
    var isMountUncertain = false
    if searchesMount {
      let finding = try MountSearch(fit: fit).search(observations)
      if finding.isAccepted {
        (mount, solution) = (finding.mount, finding.solution)
      } else if finding.mount != .identity {
        // In level use the stated forward direction is used: a level turn does not show it.
        isMountUncertain =
          use == .anyAttitude || !finding.mount.isHidden(byTurnsAbout: verticalAxis.axis.rawValue)
      }
    }
    let found: ForwardSolution
    if let solution { found = solution } else { found = try fit.fit(observations) }
    if let fault = Self.lag(of: found) { throw fault }
    let check = ConsistencyCheck(found.estimate, observations)
    if let fault = check.fault { throw fault }
    var outcome = CalibrationOutcome(
      found.estimate, mount: mount, yaw: found.yaw, use: use, down: down)
    // Other axes fit the field as well, so the fitted shape may contain a wrong mount.
    if isMountUncertain { outcome?.quality = .uncalibrated }
    // If the field may point up as well as down, the mirror image of this mount fits equally well,
    // with the opposite heading. A sensor with all axes inverted is more likely in the other
    // hemisphere than stated.
    if let mount, mount != .identity, !prior.isPlaceKnown || mount.isInversion,
      let quality = outcome?.quality,
      quality == .good || quality == .fair
    {
      outcome?.quality = .poor
    }
    return outcome
  }

  /// Maximum latency of a magnetometer, s: the model is linear in it.
  private static var mostLatency: Double { 0.08 }

  private static func lag(of found: ForwardSolution) -> CalibrationFitError? {
    guard let latency = found.estimate.latencySeconds,
      abs(latency) - 2 * found.latencySigma > mostLatency
    else { return nil }
    return .lagging(seconds: latency)
  }

  private func withoutGyroscope(
    _ observations: [FieldObservation], for use: CalibrationUse
  ) throws(CalibrationFitError) -> CalibrationOutcome? {
    let known = EllipsoidPrior(earthField: prior.isPlaceKnown ? prior.field : nil)
    let averaging = GravityFieldObserver.fieldTime
    var firstError = CalibrationFitError.notSolvable
    do {
      let solution = try EllipsoidFit(prior: known, averagingTime: averaging).solve(observations)
      // An ellipsoid that is not valid for tilts is less certain than the ellipse of a level turn.
      if let outcome = CalibrationOutcome(solution.estimate, down: down),
        outcome.quality != .uncalibrated
      {
        return CalibrationOutcome(solution.estimate, use: use, down: down)
      }
    } catch {
      firstError = error
    }
    // A level turn is too flat for an ellipsoid but is sufficient for an ellipse.
    do {
      let solution = try PlaneFit(
        prior: known, vertical: verticalAxis.axis, isPointingDown: verticalAxis.isDown,
        averagingTime: averaging
      ).solve(observations)
      return CalibrationOutcome(solution.estimate, use: use, down: down)
    } catch .tooLittleMotion(let wanted) {
      throw .tooLittleMotion(wanted)
    } catch {
      throw firstError
    }
  }

  /// The sensor axis nearest to gravity.
  private var verticalAxis: (axis: PlaneFit.Axis, isDown: Bool) {
    let (x, y, z) = (abs(down.x), abs(down.y), abs(down.z))
    if x > y, x > z { return (.x, down.x > 0) }
    return y > z ? (.y, down.y > 0) : (.z, down.z > 0)
  }

  /// The observations of the stretch with the most attitudes: the yaw difference between two
  /// stretches is unknown.
  private static func mostVariedStretch(_ all: [FieldObservation]) -> [FieldObservation] {
    guard all.contains(where: { $0.stretch != all[0].stretch }) else { return all }
    var cells: [Int: AttitudeCells] = [:]
    for o in all {
      if let axes = o.axes { cells[o.stretch, default: AttitudeCells()].count(AttitudeCell(axes)) }
    }
    let best = cells.max { a, b in
      (a.value.occupied, a.key) < (b.value.occupied, b.key)
    }
    return all.filter { $0.stretch == best?.key }
  }

  /// The largest angle between any observation's axes and the first's, radians.
  private static func reach(_ observations: [FieldObservation]) -> Double {
    guard let first = observations.first?.axes else { return 0 }
    return observations.reduce(0) { most, o in
      guard let a = o.axes else { return most }
      let least = min(a.x.dot(first.x), a.y.dot(first.y), a.down.dot(first.down))
      return max(most, Double.acos(min(1, max(-1, least))))
    }
  }
}
