public import Quantities

/// Monitoring of one application as a value: commands, fixes and sightings go in, events wait in `pending`.
///
/// It is all there is to keep but for the tuning: written down and read back it goes on as if nothing had
/// happened. The same inputs make the same events; time comes only from them.
public struct ApplicationMonitor: Sendable {
  /// The tuning.
  public var configuration: MonitoringConfiguration
  /// What the application has asked for and not taken back.
  public internal(set) var registrations = MonitoringRegistrations()
  /// The events that the application has not acknowledged, oldest first.
  ///
  /// At most `pendingLimit`. Where there are more, what a later one says as well goes first: significant
  /// changes before the newest, visits' arrivals whose departure waits too, region states before a newer
  /// one of the region. Then the oldest goes and is counted in `droppedEvents`.
  public internal(set) var pending: [MonitoringEvent] = []
  /// Events that were given up because an application did not take `pendingLimit` of them.
  public internal(set) var droppedEvents = 0
  /// The newest fix that was taken.
  public internal(set) var lastFix: PlaceFix?
  /// Grows with everything that must not be forgotten: events, commands, states that came to be known. What
  /// else changes with a fix costs no event when it is lost.
  public internal(set) var revision: UInt64 = 0

  /// The newest time of any input.
  var now: UTCTime?
  /// What the machine's clock said last: commands, beacons and deadlines go by it, fixes by the receiver's.
  var clock: UTCTime?
  var sequence: UInt64 = 0
  var watched: [WatchedCondition] = []
  var requests: [StateRequest] = []
  var track = PlausibleTrack()
  /// Where one has been since when: the receiver may sleep longer at rest.
  var rest: Rest?
  var visits: VisitDetector?
  var significant: SignificantChanges?

  struct Rest: Codable, Sendable {
    var point: EarthPoint
    var since: UTCTime
  }

  /// A region whose state was asked for.
  struct StateRequest: Codable, Sendable {
    var region: MonitoredRegion
    var deadline: UTCTime
  }

  /// Makes monitoring of nothing.
  public init(configuration: MonitoringConfiguration = MonitoringConfiguration()) {
    self.configuration = configuration
  }

  /// Time that goes back by more than this is a clock that was set, seconds.
  private static let clockStepSeconds = 60.0

  // MARK: Inputs

  /// Takes a fix. What is no place, or older than the one before, is passed over; time that goes back by
  /// more than a minute is a clock that was set, and what was being decided begins anew.
  public mutating func process(_ fix: PlaceFix) {
    guard fix.position.isOnEarth, fix.horizontalAccuracyMetres >= 0,
      fix.horizontalAccuracyMetres < 1e7
    else { return }
    if let last = lastFix, fix.time <= last.time {
      guard last.time.seconds(since: fix.time) > Self.clockStepSeconds else { return }
      clockWasSet(to: fix.time)
    }
    pass(to: fix.time)
    let point = EarthPoint(fix.position)
    let verdict = track.verdict(fix, point, configuration)
    let judged = MonitoredFix(
      fix: fix, point: point, accuracy: fix.horizontalAccuracyMetres, verdict: verdict)
    lastFix = fix
    noteRest(judged)
    for index in watched.indices {
      guard let change = watched[index].process(judged, configuration) else { continue }
      revision += 1
      tell(watched[index], change, time: fix.time, fix: fix)
    }
    answerRequests(judged)
    if let told = significant?.process(judged, configuration) {
      emit(.significantChange(told), at: fix.time, fix: fix)
    }
    for visit in visits?.process(judged, configuration) ?? [] {
      emit(.visit(visit), at: fix.time, fix: fix)
    }
  }

  /// Takes what a scanner says of the beacons of a pattern: regions and conditions of exactly this pattern
  /// hear of it.
  /// - Parameters:
  ///   - report: What it says.
  ///   - time: When.
  public mutating func process(_ report: BeaconReport, at time: UTCTime) {
    advance(to: time)
    for index in watched.indices {
      guard let change = watched[index].process(report, at: time) else { continue }
      revision += 1
      tell(watched[index], change, time: time, fix: nil)
    }
    for request in requests {
      guard case .beacon(let pattern) = request.region.condition,
        pattern.isSame(as: report.pattern)
      else { continue }
      answer(request, report.isPresent ? .satisfied : .unsatisfied, at: time, fix: nil)
    }
  }

  /// Lets time pass: beacons are left, requests for a state end, a significant change that came too early
  /// is told. Where the clock went back by more than a minute what waits for a time has to wait no longer
  /// than before.
  public mutating func advance(to time: UTCTime) {
    if let clock, clock.seconds(since: time) > Self.clockStepSeconds {
      now = time
      boundDeadlines(by: time)
    }
    clock = time
    pass(to: time)
  }

  /// Lets time pass, by whatever clock.
  private mutating func pass(to time: UTCTime) {
    while let deadline = nextDeadline, deadline <= time {
      for request in requests where request.deadline <= deadline {
        answer(request, .unknown, at: deadline, fix: nil)
      }
      for index in watched.indices {
        guard let change = watched[index].advance(to: deadline, configuration) else { continue }
        revision += 1
        tell(watched[index], change, time: deadline, fix: nil)
      }
      if let told = significant?.advance(to: deadline, configuration) {
        emit(.significantChange(told), at: deadline, fix: told)
      }
    }
    now = max(now ?? time, time)
  }

  /// When `advance` decides something next without any other input.
  public var nextDeadline: UTCTime? {
    var deadlines = requests.map(\.deadline)
    for one in watched where one.isBeacon {
      if let deadline = one.beacon.deadline(configuration) { deadlines.append(deadline) }
    }
    if let deadline = significant?.deadline(configuration) { deadlines.append(deadline) }
    return deadlines.min()
  }

  private mutating func noteRest(_ fix: MonitoredFix) {
    guard fix.isOnTrack else { return }
    let radius = max(configuration.visitRadiusMetres / 2, 2 * fix.accuracy)
    if let rest, rest.point.distance(to: fix.point) <= radius { return }
    rest = Rest(point: fix.point, since: fix.fix.time)
  }

  private mutating func clockWasSet(to time: UTCTime) {
    now = time
    rest = nil
    track = PlausibleTrack()
    for index in watched.indices { watched[index].area.beginAnew() }
    significant?.clockWasSet(to: time)
    visits?.clockWasSet(to: time)
    boundDeadlines(by: time)
  }

  /// Nothing waits for longer than it would from now on, though it began in what is the future now.
  private mutating func boundDeadlines(by time: UTCTime) {
    let latest = time.advanced(bySeconds: configuration.stateRequestSeconds)
    for index in requests.indices {
      requests[index].deadline = min(requests[index].deadline, latest)
    }
    for index in watched.indices { watched[index].beacon.clockWasSet(to: time) }
    significant?.bound(by: time)
  }
}
