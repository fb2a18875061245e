import Quantities

/// Chooses one of several sources of positions.
///
/// A source is better by the order of the board file, else where its stated or computed accuracy is
/// smaller by a third, else, where the accuracies are alike or both unknown, by its kind of fix. The
/// chosen one stays until another was better for 10 s, or until it had no fix for 5 s while another
/// has one; in the first 3 s a better one replaces it at once.
///
/// All durations are counted by the clock of the source that waits, because the clocks of two
/// sources may differ.
struct PositionChoice: Sendable {
  /// Durations, s, and the part of the other's accuracy below which a source is better.
  fileprivate static let (beginning, betterFor, silentFor, lessError) = (3.0, 10.0, 5.0, 0.67)
  /// A longer step of a source's clock is a change of the clock, s.
  fileprivate static let longestStep = 600.0
  /// The most that the clock of a source is late, s.
  private static let longestLag = 60.0
  /// A longer time without a report is a pause, s.
  fileprivate static let longestInterval = 15.0
  /// The most that one report of a source counts, s.
  fileprivate static let mostCounted = 2.0

  fileprivate struct Candidate {
    var source: PositionSource
    /// Its place in the board file's order; the lowest number first.
    var rank: Int
    var arrival: Timestamp
    var utc: UTCTime?
    /// Its own time since the chosen source had a fix, s.
    var withoutChosen = 0.0
    /// Its own time since it is better than the chosen one without interruption, s.
    var better = 0.0
    /// Its own time since its first report, s.
    var age = 0.0
    /// True once it had a fix.
    var hadFix = false
    /// True once it has reported.
    var hasReported = false
    /// Its time between the last two reports, s.
    var interval = 0.0

    var hasFix: Bool { source.fix.position != nil }
  }

  private var candidates: [Candidate] = []
  private(set) var chosen = 0
  private let order: [Talker]
  /// The newest time that was passed on, and the source that it is of.
  private var newest: (utc: UTCTime, source: Int)?
  /// True once another source was chosen after the beginning.
  private var hasChanged = false

  /// - Parameter order: The preferred talkers, the first before the others.
  init(order: [Talker]) { self.order = order }

  /// What the receiver reports of its signals, also while another source is chosen.
  private(set) var signals = SignalState()

  /// The sources that have reported, in the order of their first positions.
  var sources: [PositionSource] {
    candidates.indices.filter { candidates[$0].hasReported }.map {
      var source = candidates[$0].source
      source.isChosen = $0 == chosen
      return source
    }
  }

  /// What becomes of an epoch.
  enum Decision { case use, useWithoutTime, leave }

  /// Decides on the epoch of a source, after the change of sources to which it leads.
  mutating func decide(
    _ epoch: ReceiverEpoch, from index: Int, _ sender: PositionSource.Sender, talker: Talker?,
    at arrival: Timestamp
  ) -> Decision {
    while candidates.count <= index {
      let none = Fix(timestamp: arrival, kind: .none)
      candidates.append(
        Candidate(
          source: PositionSource(sender: sender, fix: none), rank: order.count, arrival: arrival))
    }
    candidates[index].add(epoch, sender, talker: talker, at: arrival)
    if sender == .receiver { signals = epoch.signals }
    if candidates.count > 1 {
      candidates[index].rank = rank(candidates[index].source)
      change(index)
    }
    guard index == chosen else { return .leave }
    guard let utc = epoch.fix.utc else { return .use }
    // Civil time does not go back where the clock of the source chosen now is late. A larger
    // difference is an error of one of the clocks, which would withhold the time for ever.
    if let newest, newest.source != index, utc < newest.utc,
      newest.utc.seconds(since: utc) <= Self.longestLag
    {
      return .useWithoutTime
    }
    newest = (utc, index)
    return .use
  }

  /// Forgets a source, whose place another takes.
  mutating func replace(_ index: Int) {
    guard index < candidates.count else { return }
    let none = Fix(timestamp: candidates[index].arrival, kind: .none)
    candidates[index] = Candidate(
      source: PositionSource(sender: .receiver, fix: none), rank: order.count,
      arrival: candidates[index].arrival)
  }

  /// The place of a source in the order of the board file.
  private func rank(_ source: PositionSource) -> Int {
    var name = source.talker
    if case .talker(let own) = source.sender { name = own }
    return name.flatMap { name in order.firstIndex { $0 == name } } ?? order.count
  }

  /// Changes the chosen source where the newest report of a candidate gives reason to.
  private mutating func change(_ index: Int) {
    guard index != chosen else {
      guard candidates[index].hasFix else { return }
      for other in candidates.indices { candidates[other].withoutChosen = 0 }
      return
    }
    let (candidate, present) = (candidates[index], candidates[chosen])
    guard candidate.hasFix else {
      candidates[index].better = 0
      return
    }
    let isBetter = Self.isBetter(candidate, than: present)
    if !isBetter { candidates[index].better = 0 }
    let isBeginning = !hasChanged && present.age < Self.beginning
    // One that reports seldom is not lost between two of its reports.
    let longestSilence = max(Self.silentFor, 2 * min(present.interval, Self.longestInterval))
    let isLost = candidate.withoutChosen >= longestSilence || !present.hadFix
    guard isLost || (isBetter && (isBeginning || candidate.better >= Self.betterFor)) else {
      return
    }
    (chosen, hasChanged) = (index, !isBeginning)
    for other in candidates.indices {
      (candidates[other].withoutChosen, candidates[other].better) = (0, 0)
    }
  }

  private static func isBetter(_ a: Candidate, than b: Candidate) -> Bool {
    let (first, second) = (a.source.fix, b.source.fix)
    guard b.hasFix else { return true }
    guard (first.kind == .simulated) == (second.kind == .simulated) else {
      return second.kind == .simulated
    }
    guard a.rank == b.rank else { return a.rank < b.rank }
    switch (first.horizontalAccuracyMetres, second.horizontalAccuracyMetres) {
    case (let error?, let other?):
      if error < lessError * other { return true }
      if other < lessError * error { return false }
    case (_?, nil): return true
    case (nil, _?): return false
    case (nil, nil): break
    }
    // The kinds stand in the order of their precision.
    let kinds = FixKind.allCases
    return (kinds.firstIndex(of: first.kind) ?? 0) > (kinds.firstIndex(of: second.kind) ?? 0)
  }
}

extension PositionChoice.Candidate {
  /// Adds its newest report.
  fileprivate mutating func add(
    _ epoch: ReceiverEpoch, _ sender: PositionSource.Sender, talker: Talker?, at arrival: Timestamp
  ) {
    var step = arrival.seconds(since: self.arrival)
    if let utc = epoch.fix.utc, let before = self.utc {
      let passed = utc.seconds(since: before)
      if passed > 0, passed <= PositionChoice.longestStep { step = max(step, passed) }
    } else if step <= 0 {
      // A recording of a source without a clock: such sources report once a second.
      step = 1
    }
    let isAfterPause = step >= PositionChoice.longestInterval
    if step > 0 { interval = step }
    step = min(max(step, 0), PositionChoice.mostCounted)
    (withoutChosen, age) = (withoutChosen + step, age + step)
    // What the chosen source did in a pause of this one is not known.
    better = isAfterPause ? 0 : better + step
    (self.arrival, utc) = (arrival, epoch.fix.utc ?? utc)
    source.sender = sender
    source.talker = talker
    source.fix = epoch.fix
    if !epoch.isFixOK { (source.fix.kind, source.fix.position) = (.none, nil) }
    (hadFix, hasReported) = (hadFix || hasFix, true)
  }
}
