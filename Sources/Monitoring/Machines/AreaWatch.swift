import Quantities

/// The state of one area by the fixes: inside, outside or not known yet.
///
/// The first fix clearly on one side decides the state without a crossing. A crossing needs fixes
/// clearly on the other side for the length of the dwell; a fix on the old side restarts the dwell.
/// Clearly means: by the cushion beyond the boundary, with an accuracy that suits the area's size.
/// A state that no dwell has confirmed yet is corrected without a crossing where the track was
/// moved by a leap.
struct AreaWatch: Codable, Sendable {
  /// A change of state.
  struct Change: Sendable {
    let from: ConditionState
    let to: ConditionState
    /// The first fix of the dwell that decided it.
    let since: UTCTime
    /// False for the first state, and where the change corrects a wrong one.
    let isCrossing: Bool
  }

  private enum Side { case inside, outside, between(isInside: Bool), undecided }

  private(set) var state = ConditionState.unknown
  /// Fixes on the other side: a crossing in progress.
  private var against: Dwell?
  /// Fixes on the side of an unconfirmed state.
  private var agreeing: Dwell?
  /// True once a dwell has confirmed the state.
  private var isBorneOut = false
  /// While the state is unknown: the fixes near the boundary, and the number of them inside.
  private var nearBoundary: Dwell?
  private var insideCount = 0
  /// The distance to the outline at the newest fix, metres; nil before the first.
  private(set) var distanceMetres: Double?

  /// True while a crossing is in progress or the state is unknown.
  var isDeciding: Bool { state == .unknown || against != nil }

  /// True while a crossing is in progress.
  var isCrossing: Bool { against != nil }

  mutating func process(
    _ fix: MonitoredFix, _ shape: AreaShape, _ tuning: MonitoringConfiguration
  ) -> Change? {
    let side = side(of: fix, shape, tuning)
    switch state {
    case .satisfied, .unsatisfied: return cross(fix, side, tuning)
    case .unknown, .unmonitored: return begin(fix, side, tuning)
    }
  }

  /// The state by a single fix; unknown where the fix does not decide.
  static func state(
    _ fix: MonitoredFix, _ shape: AreaShape, _ tuning: MonitoringConfiguration
  ) -> ConditionState {
    var watch = AreaWatch()
    switch watch.side(of: fix, shape, tuning) {
    case .inside: return .satisfied
    case .outside: return .unsatisfied
    case .between, .undecided: return .unknown
    }
  }

  /// Discards the dwells: their times are not comparable after a clock step.
  mutating func reset() {
    (against, agreeing, nearBoundary, insideCount) = (nil, nil, nil, 0)
  }

  /// Also stores the distance to the outline.
  private mutating func side(
    of fix: MonitoredFix, _ shape: AreaShape, _ tuning: MonitoringConfiguration
  ) -> Side {
    let distance = shape.signedDistance(from: fix.fix.position, fix.point)
    if fix.isOnTrack || distanceMetres == nil { distanceMetres = distance }
    let depth = shape.depthMetres
    let cushion = max(tuning.cushionFactor * fix.accuracy, tuning.minimumCushionMetres)
    // A fix whose accuracy exceeds the area's depth can only show a place far outside.
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
      // A place at the boundary gets the state of the majority of its fixes.
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
    // Without this a dwell near the boundary would never end and the demand would stay continuous.
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
      confirm(fix, tuning)
      return nil
    case (.between(let isInside), _):
      if isInside == (state == .satisfied) { against = nil }
      return nil
    }
    // The state is not confirmed, and the leap rules out a movement: correct it without a crossing.
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

  private mutating func confirm(_ fix: MonitoredFix, _ tuning: MonitoringConfiguration) {
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
