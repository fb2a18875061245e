import Quantities

/// Detects that a receiver's GGA has a time one second behind the other sentences of its instant,
/// and corrects it.
///
/// - The others agree: at least two of RMC, GLL, GNS and ZDA have the second after GGA's. With one
///   other sentence it is not known which of the two is wrong.
/// - GGA belongs to their second. In motion the position decides: it is the one that they have at
///   their second, not the one that they had at GGA's second. At rest the order decides: GGA came
///   after two of them although its time is earlier.
/// - Three such GGA begin the correction. One GGA with the position or the sentences of its own
///   second ends it; a GGA that is only sent late is such a one.
struct LaggingGGA: Sendable {
  /// True while the time of GGA is corrected.
  var isDetected: Bool { confirmed >= Self.needed }

  /// The newest sentence of a type, and the one of the instant before.
  private struct Other {
    var time: TimeOfDay?
    var position: GeodeticPosition?
    var (earlierTime, earlierPosition): (TimeOfDay?, GeodeticPosition?)

    mutating func add(_ newTime: TimeOfDay, _ newPosition: GeodeticPosition?) {
      if newTime != time { (earlierTime, earlierPosition) = (time, position) }
      (time, position) = (newTime, newPosition)
    }
  }

  private struct Candidate {
    let time: TimeOfDay
    let position: GeodeticPosition?
    /// True where two others of a later time came before it.
    let cameBehind: Bool
    var isDecided = false
  }

  private enum Verdict { case lags, isInTime, unknown }

  private static let needed = 3
  private static let fewestOthers = 2
  /// Positions that differ only by the number of printed digits are nearer to each other than this,
  /// metres.
  private static let leastStep = 2.0

  private var (rmc, gll, gns, zda) = (Other(), Other(), Other(), Other())
  private var newest: Candidate?
  private var confirmed = 0

  /// Adds a sentence and returns its time of day, corrected where it is a GGA that lags.
  mutating func time(of sentence: SentenceOutline) -> TimeOfDay? {
    guard let time = sentence.time else { return nil }
    switch sentence.type {
    case .gga:
      add(time, sentence.place)
      return isDetected ? time.nextSecond : time
    case .rmc: rmc.add(time, sentence.place)
    case .gll: gll.add(time, sentence.place)
    case .gns: gns.add(time, sentence.place)
    case .zda: zda.add(time, nil)
    default: return time
    }
    decide()
    return time
  }

  private mutating func add(_ time: TimeOfDay, _ position: GeodeticPosition?) {
    // Receivers of several systems may send one GGA for each.
    guard newest?.time != time else { return }
    if let last = newest, !last.isDecided, count(where: { $0 == last.time }) >= Self.fewestOthers {
      confirmed = 0
    }
    let later = count { $0.isLater(than: time) }
    newest = Candidate(time: time, position: position, cameBehind: later >= Self.fewestOthers)
    decide()
  }

  private mutating func decide() {
    guard let candidate = newest, !candidate.isDecided else { return }
    switch verdict(candidate) {
    case .lags: confirmed = min(confirmed + 1, Self.needed)
    case .isInTime: confirmed = 0
    case .unknown: return
    }
    newest?.isDecided = true
  }

  private func verdict(_ gga: Candidate) -> Verdict {
    let next = gga.time.nextSecond
    guard count(where: { $0 == next }) >= Self.fewestOthers else { return .unknown }
    var verdict = self.verdict(gga, by: rmc)
    if verdict == .unknown { verdict = self.verdict(gga, by: gll) }
    if verdict == .unknown { verdict = self.verdict(gga, by: gns) }
    return verdict == .unknown && gga.cameBehind ? .lags : verdict
  }

  /// The verdict by the positions that another type had at GGA's time and one second later.
  private func verdict(_ gga: Candidate, by other: Other) -> Verdict {
    guard other.time == gga.time.nextSecond, other.earlierTime == gga.time,
      let place = gga.position, let now = other.position, let before = other.earlierPosition
    else { return .unknown }
    let toNow = WGS84.metres(from: place, to: now)
    let toBefore = WGS84.metres(from: place, to: before)
    if isMatch(toNow, against: toBefore) { return .lags }
    return isMatch(toBefore, against: toNow) ? .isInTime : .unknown
  }

  /// True where a position is the one at distance `near` and not the one at distance `far`: equal
  /// to it, or much nearer where the types print different numbers of digits.
  private func isMatch(_ near: Double, against far: Double) -> Bool {
    near == 0 ? far > 0 : far >= Self.leastStep && near * 4 < far
  }

  private func count(where isCounted: (TimeOfDay) -> Bool) -> Int {
    var count = 0
    if let time = rmc.time, isCounted(time) { count += 1 }
    if let time = gll.time, isCounted(time) { count += 1 }
    if let time = gns.time, isCounted(time) { count += 1 }
    if let time = zda.time, isCounted(time) { count += 1 }
    return count
  }
}
