import Quantities

/// One pattern of beacons as the scanner's reports of this pattern tell its state.
///
/// The first beacon satisfies it at once: a beacon reaches only some metres. It is left once it has been
/// reported absent for `beaconDepartureSeconds`, which time alone decides.
struct BeaconWatch: Codable, Sendable {
  private(set) var state = ConditionState.unknown
  /// The beacon that was heard, where the scanner named it.
  private(set) var newest: BeaconPattern?
  /// Since when it is reported absent.
  private var absentSince: UTCTime?

  /// When time alone makes it left; nil where it does not.
  func deadline(_ tuning: MonitoringConfiguration) -> UTCTime? {
    state == .satisfied ? absentSince?.advanced(bySeconds: tuning.beaconDepartureSeconds) : nil
  }

  mutating func process(_ report: BeaconReport, at time: UTCTime) -> AreaWatch.Change? {
    guard report.isPresent else {
      if state == .unknown { return set(.unsatisfied, since: time) }
      if state == .satisfied, absentSince == nil { absentSince = time }
      return nil
    }
    absentSince = nil
    if let heard = report.heard { newest = heard }
    return state == .satisfied ? nil : set(.satisfied, since: time)
  }

  mutating func advance(
    to time: UTCTime, _ tuning: MonitoringConfiguration
  ) -> AreaWatch.Change? {
    guard let since = absentSince, let deadline = deadline(tuning), deadline <= time else {
      return nil
    }
    return set(.unsatisfied, since: since)
  }

  /// An absence that begins later than now begins now.
  mutating func clockWasSet(to time: UTCTime) {
    if let since = absentSince { absentSince = min(since, time) }
  }

  private mutating func set(_ new: ConditionState, since: UTCTime) -> AreaWatch.Change {
    let change = AreaWatch.Change(
      from: state, to: new, since: since, isCrossing: state != .unknown)
    state = new
    if new == .unsatisfied { (absentSince, newest) = (nil, nil) }
    return change
  }
}

extension BeaconPattern {
  /// True where a beacon is one of those that are meant.
  public func matches(_ beacon: BeaconPattern) -> Bool {
    uuid.uppercased() == beacon.uuid.uppercased() && (major == nil || major == beacon.major)
      && (minor == nil || minor == beacon.minor)
  }

  /// True where both mean the same beacons.
  func isSame(as other: BeaconPattern) -> Bool {
    uuid.uppercased() == other.uuid.uppercased() && major == other.major && minor == other.minor
  }
}
