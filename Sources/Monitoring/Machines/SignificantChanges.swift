import Quantities

/// Reports a place, and later each place at a minimum distance and a minimum time from the last
/// reported one.
///
/// A fix at that distance before the minimum time waits. When the time is over a fresh fix is
/// needed (`needsFix`) and reported in its place: a board that moves is elsewhere by then. Where
/// none comes within `freshFixSeconds` the waiting one is reported.
struct SignificantChanges: Codable, Sendable {
  /// The longest wait for a fresh fix, seconds. Small: a receiver that starts cold is too late, and
  /// the report has an old place. Large: without reception the report is late. A receiver that has
  /// rested for 5 minutes has a fix within seconds, and within a minute under trees.
  static var freshFixSeconds: Double { 60 }

  private struct Report: Codable {
    var point: EarthPoint
    var accuracy: Double
    var time: UTCTime
  }

  private var last: Report?
  private var waiting: PlaceFix?

  // The stored name of `last` is older than the property's.
  #if !hasFeature(Embedded)
    private enum CodingKeys: String, CodingKey { case last = "told", waiting }
  #endif

  /// Reports the known place at once, with its own time.
  mutating func begin(known: PlaceFix?, at time: UTCTime) -> PlaceFix? {
    guard let known else { return nil }
    return report(known, at: time)
  }

  /// Processes a fix that arrived at a time of the clock of `advance`.
  mutating func process(
    _ fix: MonitoredFix, at arrival: UTCTime, _ tuning: MonitoringConfiguration
  ) -> PlaceFix? {
    guard fix.isOnTrack else { return nil }
    guard let last else {
      guard fix.accuracy <= tuning.significantAccuracyMetres else { return nil }
      return report(fix.fix, at: arrival)
    }
    // Two poor fixes of one place may be apart by the sum of their accuracies.
    let least = max(tuning.significantDistanceMetres, fix.accuracy + last.accuracy)
    guard fix.point.distance(to: last.point) >= least else {
      // A good fix back at the reported place discards the waiting one.
      if fix.accuracy < tuning.significantDistanceMetres { waiting = nil }
      return nil
    }
    // The last report had another clock, which was ahead.
    if last.time.seconds(since: arrival) > tuning.significantIntervalSeconds { bound(by: arrival) }
    waiting = fix.fix
    return needsFix(at: arrival, tuning) ? report(fix.fix, at: arrival) : nil
  }

  /// True where a change waits whose time has come: the next fix is reported.
  func needsFix(at time: UTCTime, _ tuning: MonitoringConfiguration) -> Bool {
    guard waiting != nil, let last else { return false }
    return last.time.advanced(bySeconds: tuning.significantIntervalSeconds) <= time
  }

  mutating func advance(to time: UTCTime, _ tuning: MonitoringConfiguration) -> PlaceFix? {
    guard let waiting, let deadline = deadline(tuning), deadline <= time else { return nil }
    return report(waiting, at: time)
  }

  /// When the waiting fix is reported without a fresh one; nil if there is none.
  func deadline(_ tuning: MonitoringConfiguration) -> UTCTime? {
    guard waiting != nil else { return nil }
    return last?.time.advanced(
      bySeconds: tuning.significantIntervalSeconds + Self.freshFixSeconds)
  }

  /// Discards the waiting fix.
  mutating func discardWaiting() { waiting = nil }

  /// Moves the last report by a step of the clock.
  mutating func clockWasSet(by seconds: Double) {
    if let last { self.last?.time = last.time.advanced(bySeconds: seconds) }
  }

  /// Moves a report from the future to now: it had another clock, or the clock was set since.
  mutating func bound(by time: UTCTime) {
    if let last, last.time > time { self.last?.time = time }
  }

  private mutating func report(_ fix: PlaceFix, at time: UTCTime) -> PlaceFix {
    last = Report(
      point: EarthPoint(fix.position), accuracy: fix.horizontalAccuracyMetres, time: time)
    waiting = nil
    return fix
  }
}
