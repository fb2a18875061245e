import Quantities

/// One area as fixes tell its state: inside, outside or not known yet.
///
/// The first fix that lies clearly on one side decides the state without a crossing. A crossing takes
/// fixes clearly on the other side for the dwell's length; one on the old side begins it anew. Clearly:
/// the cushion beyond the boundary, by a fix that is good enough for the area's size. A state that its
/// first fixes did not bear out is corrected without a crossing where a leap shows that nobody crossed.
struct AreaWatch: Codable, Sendable {
  /// A change of state.
  struct Change: Sendable {
    let from: ConditionState
    let to: ConditionState
    /// The first fix of the dwell that decided it.
    let since: UTCTime
    /// False where the state before turned out to have been wrong.
    let isCrossing: Bool
  }

  private enum Side { case inside, outside, between(isInside: Bool), undecided }

  private(set) var state = ConditionState.unknown
  private var against: Dwell?
  private var agreeing: Dwell?
  private var isBorneOut = false
  /// While nothing is known: for how long fixes have been near the boundary, and how many of them inside.
  private var nearBoundary: Dwell?
  private var insideCount = 0
  /// The distance to the outline at the newest fix, metres; nil before the first.
  private(set) var distanceMetres: Double?

  /// True while a crossing is being decided, or nothing is known.
  var isDeciding: Bool { state == .unknown || against != nil }

  /// True while fixes have begun to tell of a crossing.
  var isCrossing: Bool { against != nil }

  mutating func process(
    _ fix: MonitoredFix, _ shape: AreaShape, _ tuning: MonitoringConfiguration
  ) -> Change? {
    let side = look(fix, shape, tuning)
    switch state {
    case .satisfied, .unsatisfied: return cross(fix, side, tuning)
    case .unknown, .unmonitored: return begin(fix, side, tuning)
    }
  }

  /// The state that a single fix tells; unknown where it does not decide.
  static func state(
    _ fix: MonitoredFix, _ shape: AreaShape, _ tuning: MonitoringConfiguration
  ) -> ConditionState {
    var watch = AreaWatch()
    switch watch.look(fix, shape, tuning) {
    case .inside: return .satisfied
    case .outside: return .unsatisfied
    case .between, .undecided: return .unknown
    }
  }

  /// Drops what was being decided: the times of it mean nothing any more.
  mutating func beginAnew() {
    (against, agreeing, nearBoundary, insideCount) = (nil, nil, nil, 0)
  }

  private mutating func look(
    _ fix: MonitoredFix, _ shape: AreaShape, _ tuning: MonitoringConfiguration
  ) -> Side {
    let distance = shape.signedDistance(from: fix.fix.position, fix.point)
    if fix.isOnTrack || distanceMetres == nil { distanceMetres = distance }
    let depth = shape.depthMetres
    let cushion = max(tuning.cushionFactor * fix.accuracy, tuning.minimumCushionMetres)
    // A fix worse than the area is deep says at most that one is far away.
    let isFine = fix.accuracy <= max(depth, tuning.minimumCushionMetres)
    if distance > (isFine ? cushion : 2 * cushion) { return .outside }
    guard isFine else { return .undecided }
    return distance < -min(cushion, depth / 2) ? .inside : .between(isInside: distance < 0)
  }

  private mutating func begin(
    _ fix: MonitoredFix, _ side: Side, _ tuning: MonitoringConfiguration
  ) -> Change? {
    switch side {
    case .inside: return set(.satisfied, since: fix.fix.time, isCrossing: false)
    case .outside: return set(.unsatisfied, since: fix.fix.time, isCrossing: false)
    case .undecided: return nil
    case .between(let isInside):
      // Somebody who lives at the boundary is to be told something too.
      if isInside { insideCount += 1 }
      nearBoundary?.add(fix, tuning)
      let dwell = nearBoundary ?? Dwell(fix)
      nearBoundary = dwell
      guard dwell.isLong(tuning.dwellSeconds, tuning) else { return nil }
      let state: ConditionState = 2 * insideCount > dwell.count ? .satisfied : .unsatisfied
      return set(state, since: dwell.first, isCrossing: false)
    }
  }

  private mutating func cross(
    _ fix: MonitoredFix, _ side: Side, _ tuning: MonitoringConfiguration
  ) -> Change? {
    // Near the boundary nothing else ends it, and the receiver would never rest again.
    if let begun = against,
      fix.fix.time.seconds(since: begun.last) > tuning.longestDwellGapSeconds
    {
      against = nil
    }
    let other: ConditionState
    switch (side, state) {
    case (.undecided, _): return nil
    case (.inside, .unsatisfied): other = .satisfied
    case (.outside, .satisfied): other = .unsatisfied
    case (.inside, _), (.outside, _):
      against = nil
      bearOut(fix, tuning)
      return nil
    case (.between(let isInside), _):
      if isInside == (state == .satisfied) { against = nil }
      return nil
    }
    // What the first fixes said is still to be proved, and nobody can have come here from there.
    if !isBorneOut, fix.verdict == .believed {
      return set(other, since: fix.fix.time, isCrossing: false)
    }
    against?.add(fix, tuning)
    let dwell = against ?? Dwell(fix)
    against = dwell
    guard dwell.isLong(tuning.dwellSeconds, tuning) else { return nil }
    isBorneOut = true
    return set(other, since: dwell.first, isCrossing: true)
  }

  private mutating func bearOut(_ fix: MonitoredFix, _ tuning: MonitoringConfiguration) {
    guard !isBorneOut else { return }
    agreeing?.add(fix, tuning)
    let dwell = agreeing ?? Dwell(fix)
    agreeing = dwell
    if dwell.isLong(tuning.dwellSeconds, tuning) { (isBorneOut, agreeing) = (true, nil) }
  }

  private mutating func set(
    _ new: ConditionState, since: UTCTime, isCrossing: Bool
  ) -> Change {
    let change = Change(from: state, to: new, since: since, isCrossing: isCrossing)
    (state, against, agreeing, nearBoundary, insideCount) = (new, nil, nil, nil, 0)
    return change
  }
}
