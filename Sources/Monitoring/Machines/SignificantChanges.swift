import Quantities

/// Tells a place, and another one when it is far enough from the last that was told and late enough.
///
/// What is far enough too early is kept and told when it is late enough, without another fix if need be.
struct SignificantChanges: Codable, Sendable {
  private struct Told: Codable {
    var point: EarthPoint
    var accuracy: Double
    var time: UTCTime
  }

  private var told: Told?
  private var waiting: PlaceFix?

  /// Takes the place that is known already, which is told at once, with its own time.
  mutating func begin(known: PlaceFix?, at time: UTCTime) -> PlaceFix? {
    guard let known else { return nil }
    return tell(known, at: time)
  }

  mutating func process(_ fix: MonitoredFix, _ tuning: MonitoringConfiguration) -> PlaceFix? {
    guard fix.isOnTrack else { return nil }
    guard let told else {
      guard fix.accuracy <= tuning.significantAccuracyMetres else { return nil }
      return tell(fix.fix, at: fix.fix.time)
    }
    // Two poor fixes of one place lie as far apart as both err.
    let least = max(tuning.significantDistanceMetres, fix.accuracy + told.accuracy)
    guard fix.point.distance(to: told.point) >= least else {
      // A fine fix back at the place takes back what waits.
      if fix.accuracy < tuning.significantDistanceMetres { waiting = nil }
      return nil
    }
    // Told by a clock that was ahead of the receiver's.
    if told.time.seconds(since: fix.fix.time) > tuning.significantIntervalSeconds {
      bound(by: fix.fix.time)
    }
    waiting = fix.fix
    return advance(to: fix.fix.time, tuning)
  }

  mutating func advance(to time: UTCTime, _ tuning: MonitoringConfiguration) -> PlaceFix? {
    guard let waiting, let deadline = deadline(tuning), deadline <= time else { return nil }
    return tell(waiting, at: max(deadline, waiting.time))
  }

  /// When what waits is told; nil where nothing does.
  func deadline(_ tuning: MonitoringConfiguration) -> UTCTime? {
    guard waiting != nil else { return nil }
    return told?.time.advanced(bySeconds: tuning.significantIntervalSeconds)
  }

  mutating func clockWasSet(to time: UTCTime) {
    told?.time = time
    waiting = nil
  }

  /// What was told later than now was told now: by another clock, or before this one was set.
  mutating func bound(by time: UTCTime) {
    if let told, told.time > time { self.told?.time = time }
  }

  private mutating func tell(_ fix: PlaceFix, at time: UTCTime) -> PlaceFix {
    told = Told(
      point: EarthPoint(fix.position), accuracy: fix.horizontalAccuracyMetres, time: time)
    waiting = nil
    return fix
  }
}
