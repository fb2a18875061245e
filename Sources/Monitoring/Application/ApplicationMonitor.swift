public import Quantities

/// Monitoring of one application as a value: inputs are commands, fixes and beacon reports, outputs
/// are the events in `pending`.
///
/// Apart from the tuning it is the complete state: encoded and decoded it continues unchanged.
/// Equal inputs make equal events; time comes only from the inputs.
public struct ApplicationMonitor: Sendable {
  /// The tuning.
  public var configuration: MonitoringConfiguration
  /// The services, regions and conditions that the application has started and not stopped.
  public internal(set) var registrations = MonitoringRegistrations()
  /// The events that the application has not acknowledged, oldest first.
  ///
  /// At most `pendingLimit` events with `budget.pendingBytes` bytes in total. At a limit, an event
  /// that a later one supersedes is removed first: a significant change before a newer one, a
  /// visit's arrival whose departure is pending too, a region's state before a newer one of the
  /// region. Of the answers of one kind for one region the newest eight stay. Otherwise the oldest
  /// event is removed and counted in `droppedEvents`.
  public internal(set) var pending: [MonitoringEvent] = []
  /// Events that were dropped at a limit; superseded ones are not counted.
  public internal(set) var droppedEvents = 0
  /// The newest accepted fix.
  public internal(set) var lastFix: PlaceFix?
  /// Increases with every change that must be stored: events, commands, states that become known.
  /// No event is lost with any other change.
  public internal(set) var revision: UInt64 = 0

  /// The newest time of any input.
  var now: UTCTime?
  /// The machine's clock at the last input that has its time. A fix has the receiver's.
  var clock: UTCTime?
  /// The machine's clock when `lastFix` arrived; not stored. Nil where only the receiver's is
  /// known.
  var lastFixArrival: UTCTime?
  var sequence: UInt64 = 0
  var watched: [WatchedCondition] = []
  var requests: [StateRequest] = []
  var track = PlausibleTrack()
  var motion = TrackMotion()
  /// The place of rest and its start: the receiver may sleep longer at rest.
  var rest: Rest?
  var visits: VisitDetector?
  var significant: SignificantChanges?

  struct Rest: Codable, Sendable {
    var point: EarthPoint
    var since: UTCTime
  }

  /// A request for a region's state.
  struct StateRequest: Codable, Sendable {
    var region: MonitoredRegion
    var deadline: UTCTime
  }

  /// Makes a monitor without registrations.
  public init(configuration: MonitoringConfiguration = MonitoringConfiguration()) {
    self.configuration = configuration
  }

  /// A step back in time of more than this means that the clock was set, seconds.
  private static let clockStepSeconds = 60.0

  // MARK: Inputs

  /// Processes a fix. A fix with invalid numbers, or older than the one before, is ignored. A time
  /// more than a minute before the last fix means that the receiver's clock was set: pending
  /// decisions start again.
  /// - Parameters:
  ///   - fix: The fix, whose time is the receiver's.
  ///   - arrival: When it arrived, machine's clock, which alone counts for deadlines; nil where
  ///     there is no other clock than the receiver's.
  public mutating func process(_ fix: PlaceFix, at arrival: UTCTime? = nil) {
    guard fix.position.isOnEarth, fix.horizontalAccuracyMetres >= 0,
      fix.horizontalAccuracyMetres < 1e7
    else { return }
    if let last = lastFix, fix.time <= last.time {
      guard last.time.seconds(since: fix.time) > Self.clockStepSeconds else { return }
      receiverClockWasSet(to: fix.time, isOnlyClock: arrival == nil)
    }
    if let arrival { advance(to: arrival) } else { pass(to: fix.time) }
    let point = EarthPoint(fix.position)
    let verdict = track.verdict(fix, point, configuration)
    let judged = MonitoredFix(
      fix: fix, point: point, accuracy: fix.horizontalAccuracyMetres, verdict: verdict,
      segment: motion.segment(to: fix, point, verdict, configuration))
    (lastFix, lastFixArrival) = (fix, arrival)
    updateRest(judged)
    for index in watched.indices {
      for change in watched[index].process(judged, configuration) {
        revision += 1
        reportChange(watched[index], change, time: fix.time, fix: fix)
      }
    }
    answerRequests(judged)
    if let change = significant?.process(judged, at: arrival ?? fix.time, configuration) {
      emit(.significantChange(change), at: fix.time, fix: fix)
    }
    for visit in visits?.process(judged, configuration) ?? [] {
      emit(.visit(visit), at: fix.time, fix: fix)
    }
  }

  /// Processes a scanner's report for the regions and conditions of exactly its beacon pattern.
  /// - Parameters:
  ///   - report: The report.
  ///   - time: The time of the report, machine's clock.
  public mutating func process(_ report: BeaconReport, at time: UTCTime) {
    advance(to: time)
    for index in watched.indices {
      guard let change = watched[index].process(report, at: time) else { continue }
      revision += 1
      reportChange(watched[index], change, time: time, fix: nil)
    }
    for request in requests {
      guard case .beacon(let pattern) = request.region.condition,
        pattern.isSame(as: report.pattern)
      else { continue }
      let state: ConditionState =
        report.isUnavailable ? .unknown : report.isPresent ? .satisfied : .unsatisfied
      answer(request, state, at: time, fix: nil)
    }
  }

  /// Processes the deadlines up to a time: departures from beacons, unanswered state requests, and
  /// significant changes that were held back by the interval. Where the clock went back by more
  /// than a minute, the deadlines are moved so that no remaining wait becomes longer than its full
  /// length.
  public mutating func advance(to time: UTCTime) {
    if let clock, clock.seconds(since: time) > Self.clockStepSeconds {
      now = time
      boundDeadlines(by: time)
    }
    clock = time
    pass(to: time)
  }

  /// Moves the deadlines by a step of the machine's clock, so that every wait takes as long as
  /// before.
  /// - Parameter seconds: The new time less the old one at the same instant.
  public mutating func clockWasSet(by seconds: Double) {
    now = now?.advanced(bySeconds: seconds)
    clock = clock?.advanced(bySeconds: seconds)
    lastFixArrival = lastFixArrival?.advanced(bySeconds: seconds)
    for index in requests.indices {
      requests[index].deadline = requests[index].deadline.advanced(bySeconds: seconds)
    }
    for index in watched.indices { watched[index].beacon.clockWasSet(by: seconds) }
    significant?.clockWasSet(by: seconds)
  }

  /// Processes the deadlines up to a time.
  private mutating func pass(to time: UTCTime) {
    while let deadline = nextDeadline, deadline <= time {
      for request in requests where request.deadline <= deadline {
        answer(request, .unknown, at: deadline, fix: nil)
      }
      for index in watched.indices {
        guard let change = watched[index].advance(to: deadline, configuration) else { continue }
        revision += 1
        reportChange(watched[index], change, time: deadline, fix: nil)
      }
      if let change = significant?.advance(to: deadline, configuration) {
        emit(.significantChange(change), at: deadline, fix: change)
      }
    }
    now = max(now ?? time, time)
  }

  /// The next time at which `advance` has something to do without other input; nil for none.
  public var nextDeadline: UTCTime? {
    var deadlines = requests.map { $0.deadline }
    for one in watched where one.isBeacon {
      if let deadline = one.beacon.deadline(configuration) { deadlines.append(deadline) }
    }
    if let deadline = significant?.deadline(configuration) { deadlines.append(deadline) }
    return deadlines.min()
  }

  private mutating func updateRest(_ fix: MonitoredFix) {
    guard fix.isOnTrack else { return }
    let radius = max(configuration.visitRadiusMetres / 2, 2 * fix.accuracy)
    if let rest, rest.point.distance(to: fix.point) <= radius { return }
    rest = Rest(point: fix.point, since: fix.fix.time)
  }

  /// Discards what the times of earlier fixes began. Without another clock the deadlines are moved
  /// too.
  private mutating func receiverClockWasSet(to time: UTCTime, isOnlyClock: Bool) {
    rest = nil
    (track, motion) = (PlausibleTrack(), TrackMotion())
    for index in watched.indices { watched[index].area.reset() }
    significant?.discardWaiting()
    visits?.clockWasSet(to: time)
    guard isOnlyClock else { return }
    now = time
    boundDeadlines(by: time)
  }

  /// Limits every remaining wait to its full length from now, for waits that began in what is now
  /// the future.
  private mutating func boundDeadlines(by time: UTCTime) {
    let latest = time.advanced(bySeconds: configuration.stateRequestSeconds)
    for index in requests.indices {
      requests[index].deadline = min(requests[index].deadline, latest)
    }
    for index in watched.indices { watched[index].beacon.clockWasSet(to: time) }
    significant?.bound(by: time)
  }
}
