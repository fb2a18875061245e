internal import Beacons
internal import Engine
internal import Monitoring
internal import MonitoringFeeds
internal import MonitoringStore
internal import Quantities

/// Feeds monitoring that runs in this process: with fixes while it wants some, with beacons, with time.
///
/// With the daemon there is none of this here.
final class MonitoringFeed: ServiceUser, @unchecked Sendable {
  private let desk: MonitoringDesk
  private let beacons: BeaconFeed
  private weak var services: LocationServices?
  private let state = Locked(State())

  private struct State {
    var isAttached = false
    var alarm: Observation?
    var retry: Observation?
  }

  init(desk: MonitoringDesk, services: LocationServices) {
    (self.desk, self.services) = (desk, services)
    let clock = services.clock
    beacons = BeaconFeed(
      beacons: services.beacons,
      reports: { [desk] report in
        if let now = UTCTime(clock.now()) { desk.process(report, at: now) }
      })
  }

  /// Begins; once it is held by somebody.
  func start() { desk.onDemandChange { [weak self] _ in self?.follow() } }

  var isActive: Bool { desk.demand != .none }

  /// What monitoring wants now.
  func follow() {
    let isWanted = isActive
    let wasAttached = state.withLock { state in
      defer { state.isAttached = isWanted }
      return state.isAttached
    }
    if isWanted, !wasAttached { services?.attach(self) }
    if !isWanted, wasAttached { services?.detach(self) }
    services?.demandHasChanged()
    commandsHaveChanged()
  }

  /// Something else may be monitored from now on.
  func commandsHaveChanged() {
    beacons.follow(desk.beaconPatterns)
    setAlarm()
  }

  /// Wakes when monitoring has something to decide.
  func setAlarm() {
    guard let services, let deadline = desk.nextDeadline else {
      return state.withLock { $0.alarm = nil }
    }
    let seconds = max(Date(deadline).timeIntervalSince(services.clock.now()), 0)
    let alarm = services.clock.alarm(after: seconds) { [weak self] in
      guard let self, let clock = self.services?.clock, let now = UTCTime(clock.now()) else {
        return
      }
      desk.advance(to: now)
      setAlarm()
    }
    state.withLock { $0.alarm = alarm }
  }

  // MARK: From the source

  var receiverDemand: ReceiverDemand { ReceiverDemand(desk.demand) }

  func sourceReady(hasReceiver: Bool, known: CLLocation?, latest: Estimate?) {
    // The last known place answers what can be answered before the first fix.
    if let known = known?.placeFix { desk.process(known) }
  }

  /// A sensor or a permission may come later: monitoring waits for both.
  func sourceFailed(_ error: CLError) {
    let retry = services?.clock.alarm(after: LocationServices.retry) { [weak self] in
      self?.follow()
    }
    state.withLock { state in
      state.isAttached = false
      state.retry = retry
    }
  }

  func receive(_ estimate: Estimate, fix: CLLocation?, at now: Date) {
    guard let fix = fix?.placeFix else { return }
    desk.process(fix)
    setAlarm()
  }

  func authorizationIsKnown(_ status: CLAuthorizationStatus) {}
}
