import Foundation
import Monitoring
import MonitoringFeeds
import Quantities
import ServiceProtocol

/// The desks of all applications, on a queue of their own: they write to the disk before they tell, and nobody's
/// headings wait for that.
final class DeskKeeper: @unchecked Sendable {
  let queue = DispatchQueue(label: "lodestar-monitoring")
  let source: any DeskSource
  let access: AccessKeeper
  let places: ReducedPlaces
  let launcher: Launcher
  let launchInterval: Double
  private let launchGrace: Double
  let mostApplications: Int
  let log: ServiceLog
  let applicationsFolder: String
  let now: @Sendable () -> UTCTime
  let onDemand: @Sendable (FixDemand) -> Void
  let onBeacons: @Sendable (Set<BeaconPattern>) -> Void

  // Only on the queue.
  var entries: [ApplicationKey: DeskEntry] = [:]
  var configuration: MonitoringConfiguration
  /// Sessions that want events, those of applications without a desk included.
  var listeners: [Int: @Sendable (MonitoringEvent) -> Void] = [:]
  var lastDemand: FixDemand?
  var lastBeacons: Set<BeaconPattern> = []
  /// Applications whose journal could not be opened: it is tried again.
  var failed: Set<ApplicationKey> = []
  private var timer: DispatchSourceTimer?
  /// Until when, in nanoseconds of a clock that is never set, clients of a daemon before may still come back.
  var graceEnd: UInt64 = 0
  var isEnding = false
  /// Who is connected, those of applications without a desk included.
  var connected: [Int: DeskClient] = [:]

  let pulse = Pulse()
  let lock = NSLock()
  var waitingFixes = 0

  init(
    source: any DeskSource, access: AccessKeeper, places: ReducedPlaces,
    configuration: ServeConfiguration, log: ServiceLog, now: @escaping @Sendable () -> UTCTime,
    onDemand: @escaping @Sendable (FixDemand) -> Void,
    onBeacons: @escaping @Sendable (Set<BeaconPattern>) -> Void = { _ in }
  ) {
    self.source = source
    self.access = access
    self.places = places
    self.log = log
    self.now = now
    self.onDemand = onDemand
    self.onBeacons = onBeacons
    launcher = Launcher(program: configuration.launcher, log: log)
    launchInterval = configuration.launchInterval
    launchGrace = configuration.launchGrace
    mostApplications = configuration.mostApplications
    applicationsFolder = configuration.stateFolder + "/applications"
    self.configuration = MonitoringConfiguration(access.policy)
  }

  /// Takes up what was kept, and lets time pass from now on.
  func start() {
    queue.async { [self] in
      graceEnd = DispatchTime.now().uptimeNanoseconds + UInt64(launchGrace * 1e9)
      for key in source.applications() {
        open(key)
        releaseIfEmpty(key)
      }
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
      timer.setEventHandler { [weak self] in self?.tick() }
      timer.resume()
      self.timer = timer
      tellDemand()
    }
  }

  /// The daemon is about to end: its clients go because of that, and nothing is started for them any more.
  func endLaunches() { queue.async { [self] in isEnding = true } }

  /// Ends; what was begun is done.
  func stop() {
    queue.sync {
      timer?.cancel()
      for entry in entries.values {
        entry.desk.deliver(to: nil)
        entry.desk.close()
      }
      entries = [:]
    }
  }

  /// Ends as a kill does: what is not kept yet is lost. The journals are free when it returns.
  func abandon() {
    let desks = queue.sync {
      timer?.cancel()
      defer { entries = [:] }
      return entries.values.map { WeakDesk(desk: $0.desk) }
    }
    let end = Date(timeIntervalSinceNow: 2)
    while desks.contains(where: { $0.desk != nil }), Date() < end {
      Thread.sleep(forTimeInterval: 0.001)
    }
    // A journal closes just after its desk.
    Thread.sleep(forTimeInterval: 0.02)
  }

  private struct WeakDesk {
    weak var desk: (any ApplicationDesk)?
  }

  /// Other rules hold.
  func policyChanged() {
    queue.async { [self] in
      configuration = MonitoringConfiguration(access.policy)
      for entry in entries.values { entry.desk.use(configuration) }
      deliverByAccess()
      tellDemand()
    }
  }

  /// Applications may something else than before.
  func accessChanged() {
    queue.async { [self] in
      deliverByAccess()
      tellDemand()
    }
  }
}
