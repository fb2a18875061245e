import Quantities
import RealModule

/// Determines from motion which of the 48 signed axis permutations a magnetometer has relative to
/// its inertial unit.
///
/// The best distortion of each is computed from one set of sums (`ForwardStart`); the best few are
/// then fitted in full. The difference between the best two, as twice the logarithm of their odds,
/// shows whether the motion is sufficient. Level motion never is: a quarter turn of the sensor
/// looks like a quarter turn of north.
///
/// In an unknown place a mirrored sensor in a field that points down looks like a normal one in a
/// field that points up, so only the 24 permutations without a mirror are tested.
/// - Source: the project's measurements on BROAD (doi 10.3390/data6070072).
public struct MountSearch: Sendable {
  /// Minimum difference for acceptance. Small: wrong mounts are accepted; large: more motion is
  /// needed.
  public var leastGap = 15.0
  /// Number of best candidates that are fitted in full.
  public var fittedMounts = 6
  /// The fit with its prior.
  public var fit: ForwardFit

  /// Makes a search.
  public init(fit: ForwardFit = ForwardFit()) { self.fit = fit }

  /// Searches for the mount.
  /// - Parameter observations: Observations in order of time; those without a gyroscope's axes are
  ///   ignored.
  /// - Returns: The best mount, accepted or not.
  /// - Throws: `CalibrationFitError` with too little data.
  public func search(
    _ observations: [FieldObservation]
  ) throws(CalibrationFitError) -> MountFinding {
    let candidates = SignedAxes.all.filter { fit.prior.isPlaceKnown || !$0.isMirrored }
    let ranked = try rank(candidates, observations)
    var fitted: [(mount: SignedAxes, solution: ForwardSolution)] = []
    var pending = ranked.prefix(fittedMounts).map { $0.mount }
    while !pending.isEmpty {
      let mount = pending.removeFirst()
      let solution: ForwardSolution
      // A mount without a possible distortion is excluded.
      do { solution = try fit.fit(observations, mount: mount) } catch { continue }
      fitted.append((mount, solution))
      // A fit may converge to a mount that the sums had ranked low.
      let nearest = SignedAxes.nearest(to: solution.estimate.distortion.shape)
      let isNew = !fitted.contains { $0.mount == nearest } && !pending.contains(nearest)
      if isNew, candidates.contains(nearest) { pending.append(nearest) }
    }
    fitted.sort { $0.solution.cost < $1.solution.cost }
    guard fitted.count >= 2 else { throw .notSolvable }
    var gap = fitted[1].solution.cost - fitted[0].solution.cost
    // Candidates that were not fitted are compared by their sums.
    let rest = ranked.first { candidate in !fitted.contains { $0.mount == candidate.mount } }
    if let rest { gap = min(gap, max(rest.cost - ranked[0].cost, 0)) }
    let best = fitted[0]
    // A shape nearer to another mount contradicts its own.
    let agrees = SignedAxes.nearest(to: best.solution.estimate.distortion.shape) == best.mount
    return MountFinding(
      mount: best.mount, runnerUp: fitted[1].mount, gap: gap, isAccepted: agrees && gap > leastGap,
      solution: best.solution)
  }

  /// The minute with the most attitudes: the sums do not model yaw drift.
  private func mostVaried(_ observations: [FieldObservation]) -> [FieldObservation] {
    var best = (observations: observations[...], cells: 0)
    var start = 0
    while start < observations.count {
      let begin = observations[start].timestamp
      let window = observations[start...].prefix {
        $0.timestamp.seconds(since: begin) <= Self.window
      }
      let cells = Set(window.compactMap { $0.axes.map { AttitudeCell($0).index } }).count
      if cells > best.cells { best = (window, cells) }
      let next = observations[start...].firstIndex {
        $0.timestamp.seconds(since: begin) > Self.window / 4
      }
      start = next ?? observations.count
    }
    return Array(best.observations)
  }

  private static var window: Double { 60 }

  private func rank(
    _ mounts: [SignedAxes], _ observations: [FieldObservation]
  ) throws(CalibrationFitError) -> [(mount: SignedAxes, cost: Double)] {
    let p = fit.parameters
    let sums = try ForwardProblem(mostVaried(observations), fit.prior, p).sums
    var ranked: [(mount: SignedAxes, cost: Double)] = []
    for mount in mounts {
      let costs = sums.candidates(fit.prior.starts, mount: mount.matrix, p).joined().map { $0.cost }
      // Costs that are not finite are ignored.
      ranked.append((mount, costs.filter { $0 < .infinity }.min() ?? .infinity))
    }
    return ranked.sorted { $0.cost < $1.cost }
  }
}

/// The result of a mount search.
public struct MountFinding: Equatable, Sendable {
  /// The best mount.
  public var mount: SignedAxes
  /// The second best mount.
  public var runnerUp: SignedAxes
  /// Twice the logarithm of the odds of the best to the second best.
  public var gap: Double
  /// True if the motion was sufficient.
  public var isAccepted: Bool
  /// The fit with the best mount; its shape includes the mount.
  public var solution: ForwardSolution
}
