import Quantities

/// The state of one area by the fixes: inside, outside or not known yet.
///
/// The first fix clearly on one side decides the state without a crossing. Clearly means: by the
/// cushion beyond the boundary, with an accuracy that suits the area's size. A crossing is decided
/// in two ways.
///
/// - By a dwell, for a body at rest or on foot: fixes clearly on the other side for some time. A
///   fix on the old side restarts the dwell.
/// - By a passage, for a vehicle: the track was clearly on the other side, also between two fixes,
///   and the next fix continues it. See `AreaWatch.clearSide` and `TrackMotion`.
///
/// The time of a crossing is that at which the track was on the boundary. A state that no dwell or
/// passage has confirmed yet is corrected without a crossing where a leap has moved the track.
struct AreaWatch: Codable, Sendable {
  /// A change of state.
  struct Change: Sendable {
    let from: ConditionState
    let to: ConditionState
    /// The time of the crossing; of the first state, the time of its fix.
    let since: UTCTime
    /// False for the first state, and where the change corrects a wrong one.
    let isCrossing: Bool
  }

  private enum Side { case inside, outside, between(isInside: Bool), undecided }

  /// A crossing that waits for the fix that confirms the track.
  private struct Passage: Codable {
    let to: ConditionState
    let time: UTCTime
  }

  private(set) var state = ConditionState.unknown
  /// Fixes on the other side: a crossing in progress.
  private var against: Dwell?
  /// Fixes on the side of an unconfirmed state.
  private var agreeing: Dwell?
  /// True once a dwell or passage has confirmed the state.
  private var isBorneOut = false
  /// While the state is unknown: the fixes near the boundary, and the number of them inside.
  private var nearBoundary: Dwell?
  private var insideCount = 0
  /// The crossings of a vehicle up to the newest fix of the track, oldest first; nil for none.
  private var passages: [Passage]?
  /// The time at which the track was last on the boundary; nil where that is not known.
  private var boundaryTime: UTCTime?
  /// The distance to the outline at the newest fix, metres; nil before the first.
  private(set) var distanceMetres: Double?

  /// True while a crossing is in progress or the state is unknown.
  var isDeciding: Bool { state == .unknown || isCrossing }

  /// True while a crossing is in progress.
  var isCrossing: Bool { against != nil || passages != nil }

  /// - Returns: The changes, oldest first: two where a vehicle has passed through.
  mutating func process(
    _ fix: MonitoredFix, _ shape: AreaShape, _ tuning: MonitoringConfiguration
  ) -> [Change] {
    let distance = shape.signedDistance(from: fix.point)
    let side = Self.side(of: fix, distance, shape, tuning)
    var changes: [Change] = []
    if fix.isOnTrack {
      changes = follow(fix, distance, shape, tuning)
      distanceMetres = distance
    } else if distanceMetres == nil {
      distanceMetres = distance
    }
    let change =
      switch state {
      case .satisfied, .unsatisfied: cross(fix, side, tuning)
      case .unknown, .unmonitored: begin(fix, side, tuning)
      }
    if let change { changes.append(change) }
    return changes
  }

  /// The state by a single fix; unknown where the fix does not decide.
  static func state(
    _ fix: MonitoredFix, _ shape: AreaShape, _ tuning: MonitoringConfiguration
  ) -> ConditionState {
    switch side(of: fix, shape.signedDistance(from: fix.point), shape, tuning) {
    case .inside: .satisfied
    case .outside: .unsatisfied
    case .between, .undecided: .unknown
    }
  }

  /// Discards what is in progress: its times are not comparable after a clock step.
  mutating func reset() {
    (against, agreeing, nearBoundary, insideCount) = (nil, nil, nil, 0)
    (passages, boundaryTime) = (nil, nil)
  }

  private static func side(
    of fix: MonitoredFix, _ distance: Double, _ shape: AreaShape, _ tuning: MonitoringConfiguration
  ) -> Side {
    let depth = shape.depthMetres
    let cushion = tuning.cushionMetres(accuracy: fix.accuracy)
    // A fix whose accuracy exceeds the area's depth can only show a place far outside.
    let isFine = fix.accuracy <= max(depth, tuning.minimumCushionMetres)
    if distance > (isFine ? cushion : 2 * cushion) { return .outside }
    guard isFine else { return .undecided }
    return distance < -min(cushion, depth / 2) ? .inside : .between(isInside: distance < 0)
  }

  // MARK: The track

  /// Processes the path to a fix of the track: its time on the boundary, and passages.
  private mutating func follow(
    _ fix: MonitoredFix, _ distance: Double, _ shape: AreaShape, _ tuning: MonitoringConfiguration
  ) -> [Change] {
    guard let segment = fix.segment else {
      (passages, boundaryTime) = (nil, nil)
      return []
    }
    let changes = confirmPassages(segment, tuning)
    let isNear = abs(distance) <= segment.reachMetres
    if segment.seconds <= tuning.longestSegmentSeconds {
      search(segment, isNear ? segment.pieces : 0, distance, shape, tuning)
    } else if isNear {
      crossUnseen(segment, distance, shape)
    }
    return changes
  }

  /// Confirms or discards the passages before a segment.
  private mutating func confirmPassages(
    _ segment: TrackSegment, _ tuning: MonitoringConfiguration
  ) -> [Change] {
    guard let waiting = passages, let last = waiting.last else { return [] }
    // The next fix contradicts the one that the passage ends at.
    guard segment.isSmooth else {
      passages = nil
      return []
    }
    if segment.isTravel || segment.end.time.seconds(since: last.time) > tuning.leapDwellSeconds {
      passages = nil
    }
    guard segment.isTravel else { return [] }
    isBorneOut = true
    return waiting.map { set($0.to, since: $0.time, isCrossing: true) }
  }

  /// Estimates when the boundary was crossed in a gap without fixes. Most gaps end soon after the
  /// crossing, so the distance to the boundary is divided by the largest of the present speed, the
  /// mean speed of the gap and a walking speed.
  private mutating func crossUnseen(
    _ segment: TrackSegment, _ distance: Double, _ shape: AreaShape
  ) {
    let before = shape.signedDistance(from: segment.start.point)
    guard (before < 0) != (distance < 0) else { return }
    let mean = segment.chordMetres / segment.seconds
    let speed = max(segment.end.speed ?? 0, mean, Self.walkingSpeed)
    boundaryTime = max(
      segment.start.time, segment.end.time.advanced(bySeconds: -abs(distance) / speed))
  }

  /// Metres per second.
  private static let walkingSpeed = 1.4

  /// Finds where a segment crosses the boundary, and the sides on which it clearly was, in `pieces`
  /// steps; 0 for a segment too far from the boundary to cross it.
  private mutating func search(
    _ segment: TrackSegment, _ pieces: Int, _ distance: Double, _ shape: AreaShape,
    _ tuning: MonitoringConfiguration
  ) {
    let isDecisive = segment.isTravel && (state == .satisfied || state == .unsatisfied)
    guard pieces > 0 || isDecisive else { return }
    var current = state
    var found: [Passage] = []
    func judge(_ here: Double, _ share: Double) {
      guard isDecisive, let side = Self.clearSide(here, segment, share, shape, tuning),
        side != current
      else { return }
      found.append(Passage(to: side, time: boundaryTime ?? segment.time(at: share)))
      current = side
    }
    if pieces > 0 {
      var before = shape.signedDistance(from: segment.start.point)
      for piece in 1...pieces {
        let share = Double(piece) / Double(pieces)
        let here =
          piece == pieces ? distance : shape.signedDistance(from: segment.point(at: share))
        if (before < 0) != (here < 0) {
          let part = (Double(piece - 1) + before / (before - here)) / Double(pieces)
          boundaryTime = segment.time(at: part)
        }
        before = here
        // Two fixes outside an area do not show whether the path between them went through it.
        if here < 0, piece < pieces { judge(here, share) }
      }
    }
    judge(distance, 1)
    if !found.isEmpty { passages = found }
  }

  /// The side of a point of the path that is farther from the boundary than the cushion and
  /// `passageSigmas` sigmas of the path; nil for other points.
  private static func clearSide(
    _ distance: Double, _ segment: TrackSegment, _ share: Double, _ shape: AreaShape,
    _ tuning: MonitoringConfiguration
  ) -> ConditionState? {
    let accuracy = segment.fixSigma(at: share) * Fix.sigmasIn68PercentRadius
    let cushion = tuning.cushionMetres(accuracy: accuracy)
    let doubt = tuning.passageSigmas * segment.sigma(at: share)
    if distance >= max(cushion, doubt) { return .unsatisfied }
    return distance <= -max(min(cushion, shape.depthMetres / 2), doubt) ? .satisfied : nil
  }

  // MARK: The dwell

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
    let since = boundaryTime.map { min($0, dwell.first) } ?? dwell.first
    return set(other, since: since, isCrossing: true)
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
    passages = nil
    // An earlier time belongs to an earlier crossing.
    if let time = boundaryTime, time <= since { boundaryTime = nil }
    return change
  }
}
