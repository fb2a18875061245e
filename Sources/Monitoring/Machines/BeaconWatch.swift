import Quantities

/// The state of one beacon pattern by the scanner's reports of it.
///
/// A detected beacon satisfies the pattern at once: the range of a beacon is only some metres. The
/// departure is a deadline, `beaconDepartureSeconds` after the pattern was reported absent.
struct BeaconWatch: Codable, Sendable {
  private(set) var state = ConditionState.unknown
  /// The last detected beacon, where the scanner named it.
  private(set) var newest: BeaconPattern?
  /// The time of the first report of absence.
  private var absentSince: UTCTime?
  /// True from a report that beacons cannot be received to the next report of the pattern.
  private(set) var isUnavailable = false

  #if !hasFeature(Embedded)
    // After a restart the scanner reports again.
    private enum CodingKeys: String, CodingKey { case state, newest, absentSince }
  #endif

  /// The time of the departure without further reports; nil where none is due.
  func deadline(_ tuning: MonitoringConfiguration) -> UTCTime? {
    state == .satisfied ? absentSince?.advanced(bySeconds: tuning.beaconDepartureSeconds) : nil
  }

  mutating func process(_ report: BeaconReport, at time: UTCTime) -> AreaWatch.Change? {
    isUnavailable = false
    guard report.isPresent else {
      if state == .unknown || state == .unmonitored { return set(.unsatisfied, since: time) }
      if state == .satisfied, absentSince == nil { absentSince = time }
      return nil
    }
    absentSince = nil
    if let beacon = report.heard { newest = beacon }
    return state == .satisfied ? nil : set(.satisfied, since: time)
  }

  /// Ends the watch until the next report: beacons cannot be received. A region of a manager has no
  /// unmonitored state: it keeps its last one.
  mutating func suspend(isRegion: Bool, at time: UTCTime) -> AreaWatch.Change? {
    (isUnavailable, absentSince) = (true, nil)
    if isRegion { return nil }
    return state == .unmonitored ? nil : set(.unmonitored, since: time)
  }

  mutating func advance(
    to time: UTCTime, _ tuning: MonitoringConfiguration
  ) -> AreaWatch.Change? {
    guard let since = absentSince, let deadline = deadline(tuning), deadline <= time else {
      return nil
    }
    return set(.unsatisfied, since: since)
  }

  /// Moves an absence that began in what is now the future to now.
  mutating func clockWasSet(to time: UTCTime) {
    if let since = absentSince { absentSince = min(since, time) }
  }

  /// Moves an absence by a step of the clock.
  mutating func clockWasSet(by seconds: Double) {
    absentSince = absentSince?.advanced(bySeconds: seconds)
  }

  private mutating func set(_ new: ConditionState, since: UTCTime) -> AreaWatch.Change {
    let change = AreaWatch.Change(
      from: state, to: new, since: since, isCrossing: state != .unknown)
    state = new
    if new != .satisfied { (absentSince, newest) = (nil, nil) }
    return change
  }
}

extension BeaconPattern {
  /// True where the pattern includes a beacon.
  public func matches(_ beacon: BeaconPattern) -> Bool {
    uuid.uppercased() == beacon.uuid.uppercased() && (major == nil || major == beacon.major)
      && (minor == nil || minor == beacon.minor)
  }

  /// True where both patterns include the same beacons.
  func isSame(as other: BeaconPattern) -> Bool {
    uuid.uppercased() == other.uuid.uppercased() && major == other.major && minor == other.minor
  }
}
