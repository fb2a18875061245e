import Quantities
import RealModule

/// Tells by motion which of the 48 signed axis permutations a magnetometer has against its inertial unit.
///
/// For each the distortion that fits best is worked out from one set of sums (`ForwardStart`); the best
/// few are then fitted in full. The gap between the best two, as twice the logarithm of their odds, says
/// whether the motion could decide. Exactly level motion never can: a quarter turn of the sensor looks
/// like a quarter turn of north.
///
/// Where the place is unknown a mirrored sensor in a field that points down is one that is not in a field
/// that points up: then only the 24 that are not mirrored are looked at.
/// - Source: the project's measurements on BROAD (doi 10.3390/data6070072).
public struct MountSearch: Sendable {
  /// The gap from which the best is accepted. Small: wrong mounts pass; large: more motion is asked for.
  public var leastGap = 15.0
  /// How many of the best are fitted in full.
  public var fittedMounts = 6
  /// The fit and what is known of the place.
  public var fit: ForwardFit

  /// Makes a search.
  public init(fit: ForwardFit = ForwardFit()) { self.fit = fit }

  /// Searches the mount.
  /// - Parameter observations: In order of time; those without carried axes are passed over.
  /// - Returns: What was found, accepted or not.
  /// - Throws: `CalibrationFitError` where there is too little to fit.
  public func search(
    _ observations: [FieldObservation]
  ) throws(CalibrationFitError) -> MountFinding {
    let candidates = SignedAxes.all.filter { fit.prior.isPlaceKnown || !$0.isMirrored }
    let ranked = try rank(candidates, observations)
    var fitted: [(mount: SignedAxes, solution: ForwardSolution)] = []
    var waiting = ranked.prefix(fittedMounts).map { $0.mount }
    while !waiting.isEmpty {
      let mount = waiting.removeFirst()
      let solution: ForwardSolution
      // A mount that no distortion goes with is out of the running.
      do { solution = try fit.fit(observations, mount: mount) } catch { continue }
      fitted.append((mount, solution))
      // A fit that began elsewhere may end at a mount that the sums had ranked low.
      let nearest = SignedAxes.nearest(to: solution.estimate.distortion.shape)
      let isNew = !fitted.contains { $0.mount == nearest } && !waiting.contains(nearest)
      if isNew, candidates.contains(nearest) { waiting.append(nearest) }
    }
    fitted.sort { $0.solution.cost < $1.solution.cost }
    guard fitted.count >= 2 else { throw .notSolvable }
    var gap = fitted[1].solution.cost - fitted[0].solution.cost
    // Those that were not fitted are behind by their sums.
    let rest = ranked.first { candidate in !fitted.contains { $0.mount == candidate.mount } }
    if let rest { gap = min(gap, max(rest.cost - ranked[0].cost, 0)) }
    let best = fitted[0]
    // A shape that is nearer to another mount contradicts its own.
    let agrees = SignedAxes.nearest(to: best.solution.estimate.distortion.shape) == best.mount
    return MountFinding(
      mount: best.mount, runnerUp: fitted[1].mount, gap: gap, isAccepted: agrees && gap > leastGap,
      solution: best.solution)
  }

  /// The minute with the most attitudes: the sums know nothing of yaw's drift.
  private func liveliest(_ observations: [FieldObservation]) -> [FieldObservation] {
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
    let sums = try ForwardProblem(liveliest(observations), fit.prior, p).sums
    var ranked: [(mount: SignedAxes, cost: Double)] = []
    for mount in mounts {
      let costs = sums.candidates(fit.prior.starts, mount: mount.matrix, p).joined().map { $0.cost }
      // What is not a number is the best of nothing.
      ranked.append((mount, costs.filter { $0 < .infinity }.min() ?? .infinity))
    }
    return ranked.sorted { $0.cost < $1.cost }
  }
}

/// What a search for the mount found.
public struct MountFinding: Equatable, Sendable {
  /// The mount that explains the field best.
  public var mount: SignedAxes
  /// The next best.
  public var runnerUp: SignedAxes
  /// By how much the best is more probable than the next: twice the logarithm of the odds.
  public var gap: Double
  /// True where the motion has decided.
  public var isAccepted: Bool
  /// The fit with the best mount; its shape contains the mount.
  public var solution: ForwardSolution
}
