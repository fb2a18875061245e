import Quantities

/// Chooses one of several sources of positions: of the talkers on a line, of the devices of a gpsd
/// daemon, of a board's receivers.
///
/// A source is better by `SourceRule`, else, where the stated or computed accuracies are alike or
/// both unknown, by its kind of fix. The chosen one is lost where it had no fix for 5 s while another
/// has one. One that is frozen or contradicts itself (`PositionCheck`) is replaced at once by one
/// that does not; alone it stays.
///
/// Durations are counted by the clock of the source that waits, because the clocks of two sources
/// may differ.
package struct PositionChoice: Sendable {
  /// Time without a fix after which a source is lost, s.
  private static let silentFor = 5.0
  /// A longer step of a source's clock is a change of the clock, s.
  fileprivate static let longestStep = 600.0
  /// The most that the clock of a source is late, s.
  private static let longestLag = 60.0
  /// A longer time without a report is a pause, s.
  fileprivate static let longestInterval = 15.0
  /// The most that one report of a source counts, s.
  fileprivate static let mostCounted = 2.0

  fileprivate struct Candidate {
    var fix: Fix
    /// Its preference; the lowest number first.
    var rank: Int
    var arrival: Timestamp
    /// When its newest fix with a position arrived.
    var lastFix: Timestamp?
    var utc: UTCTime?
    /// Time since the chosen source had a fix, by this source's clock, s.
    var withoutChosen = 0.0
    /// Time for which it has been better than the chosen source, by its own clock, s.
    var better = 0.0
    /// Time since its first report, by its own clock, s.
    var age = 0.0
    /// Time between its last two reports, by its own clock, s.
    var interval = 0.0
    var check = PositionCheck()
    /// The state of another source when this one's position began to stay the same.
    var witness: Witness?

    var hasFix: Bool { fix.position != nil }
    var hasNewFix: Bool { hasFix && !check.isRepetition }
    var hadFix: Bool { lastFix != nil }
  }

  /// The motion of another source since an instant.
  fileprivate struct Witness {
    let index: Int
    let place: GeodeticPosition
    let travelled: Double
  }

  /// By source; nil before its first report and after it was removed.
  private var candidates: [Candidate?] = []
  /// The chosen source; the first before any has reported.
  package private(set) var chosen = 0
  /// The newest time that was passed on, and its source.
  private var newest: (utc: UTCTime, source: Int)?
  /// True once another source was chosen after the beginning.
  private var hasChanged = false
  /// The reports so far.
  package private(set) var reports = 0

  /// Makes a choice without sources.
  package init() {}

  /// The chosen source that has reported; nil where it has not, or was removed.
  package var used: Int? {
    candidates.indices.contains(chosen) && candidates[chosen] != nil ? chosen : nil
  }

  /// What becomes of a report.
  package enum Decision: Sendable { case use, useWithoutTime, leave }

  /// Decides on the report of a source, after the change of sources to which it leads.
  /// - Parameters:
  ///   - fix: The fix.
  ///   - isFixOK: Whether the source declares it within its limits.
  ///   - index: The source.
  ///   - rank: Its preference, the lowest number first.
  ///   - arrival: When the report was complete.
  /// - Returns: Whether it is used, and whether its time is.
  package mutating func decide(
    _ fix: Fix, isFixOK: Bool = true, of index: Int, rank: Int = .max, at arrival: Timestamp
  ) -> Decision {
    reports += 1
    while candidates.count <= index { candidates.append(nil) }
    if candidates[index] == nil {
      candidates[index] = Candidate(fix: fix, rank: rank, arrival: arrival)
    }
    candidates[index]?.add(fix, isFixOK, rank, at: arrival)
    if candidates.count > 1 {
      compareMotion(of: index)
      change(index)
    }
    guard index == chosen else { return .leave }
    guard let utc = fix.utc else { return .use }
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

  /// Forgets a source, because its line is lost or another takes its place.
  package mutating func remove(_ index: Int) {
    if candidates.indices.contains(index) { candidates[index] = nil }
  }

  /// Forgets the contradictions of a source whose reports were those of two.
  package mutating func restart(_ index: Int) {
    if candidates.indices.contains(index) { candidates[index]?.check = PositionCheck() }
  }

  /// Changes the chosen source where the newest report of a candidate gives reason to.
  private mutating func change(_ index: Int) {
    guard index != chosen else {
      guard candidates[index]?.hasNewFix == true else { return }
      for other in candidates.indices { candidates[other]?.withoutChosen = 0 }
      return
    }
    guard let candidate = candidates[index] else { return }
    guard let present = candidates[chosen] else { return choose(index, isBeginning: false) }
    guard candidate.hasFix else {
      candidates[index]?.better = 0
      return
    }
    let isBetter = Self.difference(candidate, present).isBetter
    if !isBetter { candidates[index]?.better = 0 }
    let isBeginning = !hasChanged && present.age < SourceRule.beginning
    let isFaulty = candidate.check.fault != nil
    let isDropped = present.check.fault != nil && !isFaulty
    let mayReplace = candidate.check.fault?.isFrozen != true
    guard
      isDropped
        || SourceRule.replaces(
          betterFor: isBetter ? candidate.better : nil,
          isLost: mayReplace && isLost(present, for: candidate), isBeginning: isBeginning)
    else { return }
    choose(index, isBeginning: isBeginning)
  }

  private mutating func choose(_ index: Int, isBeginning: Bool) {
    (chosen, hasChanged) = (index, !isBeginning)
    for other in candidates.indices {
      candidates[other]?.withoutChosen = 0
      candidates[other]?.better = 0
    }
  }

  /// Whether the chosen source has no fix for a time in which it should have had one.
  private func isLost(_ present: Candidate, for candidate: Candidate) -> Bool {
    guard let lastFix = present.lastFix else { return true }
    // One that reports seldom is not lost between two of its reports.
    let longest = max(Self.silentFor, 2 * min(present.interval, Self.longestInterval))
    // A source that has just begun has not counted the silence; the clock of the line has.
    return candidate.withoutChosen >= longest || candidate.arrival.seconds(since: lastFix) > longest
  }

  /// Judges a position that stays the same by the motion of another source.
  private mutating func compareMotion(of index: Int) {
    guard let held = candidates[index], held.check.isHeld else {
      candidates[index]?.witness = nil
      return
    }
    guard let witness = held.witness, let other = candidates[witness.index],
      let place = other.fix.position
    else {
      let next = self.witness(of: index)
      candidates[index]?.witness = next
      return
    }
    guard other.check.fault == nil else { return }
    let travelled = other.check.travelled - witness.travelled
    guard travelled > PositionCheck.leastDistance else { return }
    candidates[index]?.check.compare(
      travelled: travelled, moved: WGS84.metres(from: witness.place, to: place),
      accuracy: other.fix.horizontalAccuracyMetres ?? PositionCheck.leastDistance)
  }

  /// Another source whose motion may contradict a position that stays the same.
  private func witness(of index: Int) -> Witness? {
    func witness(_ other: Int) -> Witness? {
      guard other != index, let candidate = candidates[other], let place = candidate.fix.position,
        candidate.check.fault == nil
      else { return nil }
      return Witness(index: other, place: place, travelled: candidate.check.travelled)
    }
    if let chosen = witness(chosen) { return chosen }
    for other in candidates.indices {
      if let found = witness(other) { return found }
    }
    return nil
  }

  /// In what a source differs from the chosen one.
  fileprivate enum Difference {
    case better, worse(PositionSource.Standing), none

    var isBetter: Bool {
      if case .better = self { true } else { false }
    }
  }

  /// The accuracies of two fixes, metres. Where only one of them states its own, both are those of
  /// the dilutions: an order of magnitude is not to beat a measurement.
  private static func comparableAccuracies(_ a: Fix, _ b: Fix) -> (Double?, Double?) {
    func byDilution(_ fix: Fix) -> Double? {
      RangeError.metres(dilution: fix.horizontalDilution, kind: fix.kind)
    }
    func isStated(_ fix: Fix) -> Bool {
      fix.horizontalAccuracyMetres != nil && fix.isAccuracyStated
    }
    let (first, second) = (byDilution(a), byDilution(b))
    guard isStated(a) != isStated(b), let first, let second else {
      return (a.horizontalAccuracyMetres ?? first, b.horizontalAccuracyMetres ?? second)
    }
    return (first, second)
  }

  fileprivate static func difference(_ a: Candidate, _ b: Candidate) -> Difference {
    let (first, second) = (a.fix, b.fix)
    guard a.hasFix else { return .worse(.noFix) }
    guard b.hasFix else { return .better }
    if let fault = a.check.fault {
      if b.check.fault == nil { return .worse(.faulty(fault)) }
    } else if b.check.fault != nil {
      return .better
    }
    guard (first.kind == .simulated) == (second.kind == .simulated) else {
      return second.kind == .simulated ? .better : .worse(.lowerKind)
    }
    let accuracies = comparableAccuracies(first, second)
    switch SourceRule.order(
      rank: a.rank, accuracy: accuracies.0, than: (b.rank, accuracies.1))
    {
    case .better: return .better
    case .notPreferred: return .worse(.notPreferred)
    case .lessAccurate: return .worse(.lessAccurate)
    case .alike: break
    }
    // The kinds stand in the order of their precision.
    let kinds = FixKind.allCases
    let order = kinds.firstIndex(of: first.kind) ?? 0
    let other = kinds.firstIndex(of: second.kind) ?? 0
    return order > other ? .better : order < other ? .worse(.lowerKind) : .none
  }
}

extension PositionChoice {
  /// Describes a source; nil where it has not reported or was removed.
  /// - Parameters:
  ///   - index: The source.
  ///   - sender: Who it is.
  ///   - talker: The talker of its newest position.
  /// - Returns: Its newest fix, and why it is not used.
  package func source(
    _ index: Int, _ sender: PositionSource.Sender, talker: Talker? = nil
  ) -> PositionSource? {
    guard candidates.indices.contains(index), let candidate = candidates[index] else { return nil }
    var source = PositionSource(sender: sender, talker: talker, fix: candidate.fix)
    source.arrival = candidate.arrival
    source.fault = candidate.check.fault
    source.standing = standing(index, candidate)
    return source
  }

  private func standing(_ index: Int, _ candidate: Candidate) -> PositionSource.Standing {
    guard index != chosen else { return .used }
    guard let present = candidates[chosen] else { return .equal }
    if let fault = candidate.check.fault { return .faulty(fault) }
    return switch Self.difference(candidate, present) {
    case .better: .waits
    case .worse(let standing): standing
    case .none: .equal
    }
  }
}

extension PositionChoice.Candidate {
  /// Adds its newest report.
  fileprivate mutating func add(
    _ fix: Fix, _ isFixOK: Bool, _ rank: Int, at arrival: Timestamp
  ) {
    var step = arrival.seconds(since: self.arrival)
    if let utc = fix.utc, let before = self.utc {
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
    (self.arrival, utc, self.rank) = (arrival, fix.utc ?? utc, rank)
    self.fix = fix
    if !isFixOK { (self.fix.kind, self.fix.position) = (.none, nil) }
    check.add(self.fix, at: arrival)
    if hasNewFix { lastFix = arrival }
  }
}
