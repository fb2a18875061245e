import Configuration
import Formats
import Monitoring
import Pipeline
import Quantities

/// Monitors regions over a recording's fixes, as for one application.
///
/// A fix has the receiver's time. In a recording without civil time it has the time of the
/// recording's clock, which starts at `--date` if given. Fixes of receiver bytes before the first
/// date are not monitored, because the first date would be a step of decades.
struct ReplayMonitoring {
  /// The 68 % radius of a usual receiver, metres: for a recording without accuracy.
  private static let usualAccuracy = 10.0

  private var monitor: ApplicationMonitor
  private let plan: RegionsFile
  private let output: OutputStream
  /// True if a fix without civil time gets the time of the recording's clock.
  private let takesRecordingClock: Bool

  /// The number of fixes that were not monitored because they have no date.
  private var undatedCount = 0
  private var hasBegun = false
  private var isCivil = false
  private var newest: (time: UTCTime, timestamp: Timestamp)?

  init(_ plan: RegionsFile, _ output: OutputStream, takesRecordingClock: Bool) {
    (self.plan, self.output, self.takesRecordingClock) = (plan, output, takesRecordingClock)
    monitor = ApplicationMonitor(configuration: plan.configuration)
  }

  /// Processes a row after the pipeline has processed it.
  mutating func step(_ row: SensorSamples, _ pipeline: Pipeline) throws(Failure) {
    guard let fix = row.fix, fix.position != nil else { return }
    let estimate = pipeline.estimate
    guard let (position, accuracy) = estimate.judgedPlace else { return }
    guard let time = time(of: fix, estimate) else {
      undatedCount += 1
      return
    }
    newest = (time, row.timestamp)
    begin(at: time)
    var place = PlaceFix(
      position: position, horizontalAccuracyMetres: accuracy ?? Self.usualAccuracy, time: time)
    place.altitudeMetres = estimate.altitudeMetres
    place.ellipsoidalAltitudeMetres = estimate.ellipsoidalAltitudeMetres
    place.verticalAccuracyMetres = estimate.verticalAccuracyMetres
    place.speedMetresPerSecond = fix.speedMetresPerSecond
    place.courseDegrees = fix.course?.wrappedToTurn.degrees
    place.motion = estimate.certainMotionState
    place.isSimulated = estimate.isSimulated
    monitor.process(place)
    try write()
  }

  /// A note for the user; nil for none.
  var notes: String? {
    guard undatedCount > 0 else { return nil }
    return "\(undatedCount) fixes were not monitored: they have no date; "
      + "give the start of the recording with --date"
  }

  /// Processes the time after the last fix and closes the output.
  mutating func finish(at last: Timestamp?) throws(Failure) {
    if let newest, let last {
      monitor.advance(to: newest.time.advanced(bySeconds: last.seconds(since: newest.timestamp)))
      try write()
    }
    try output.close()
  }

  private func time(of fix: Fix, _ estimate: Estimate) -> UTCTime? {
    if let utc = fix.utc ?? estimate.utc { return utc }
    // The clock's nanoseconds count as nanoseconds since 1970.
    return takesRecordingClock
      ? UTCTime(nanosecondsSince1970: Int64(clamping: fix.timestamp.nanoseconds)) : nil
  }

  private mutating func begin(at time: UTCTime) {
    guard !hasBegun else { return }
    hasBegun = true
    isCivil = time.nanosecondsSince1970 > 1_000_000_000_000_000
    for region in plan.regions {
      monitor.perform(.startRegion(region), at: time)
      // The failure of a region that is not monitored is reported already.
      guard monitor.registrations.regions[region.identifier] != nil else { continue }
      monitor.perform(.requestState(region), at: time)
    }
    if plan.visits { monitor.perform(.startVisits, at: time) }
    if plan.significantChanges { monitor.perform(.startSignificantChanges, at: time) }
  }

  private mutating func write() throws(Failure) {
    guard let newest, !monitor.pending.isEmpty else { return }
    let json = MonitoringEventJSON(
      seconds: {
        let now = Double(newest.timestamp.nanoseconds) * 1e-9
        return now - newest.time.seconds(since: $0)
      }, isCivil: isCivil)
    for event in monitor.pending {
      if let object = json.object(event) { try output.line(object) }
      monitor.perform(.acknowledge(sequence: event.sequence), at: newest.time)
    }
  }
}
