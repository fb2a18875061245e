import Beacons
import Foundation
import Monitoring
import MonitoringFeeds
import Quantities
import ServiceProtocol

/// The daemon: it owns the board and serves it at a Unix socket until it is stopped.
public final class Daemon: Sendable {
  private let context: ServiceContext
  private let loop: ServiceLoop
  private let folder: StateFolder
  private let end = DispatchSemaphore(value: 0)

  /// Takes the state folder and the socket; clients may connect from now on.
  /// - Parameters:
  ///   - opening: How to get at estimates.
  ///   - configuration: How to serve them.
  ///   - environment: The process's environment: systemd's variables.
  ///   - log: Where lines for people go.
  /// - Throws: `ServeError`.
  public convenience init(
    _ opening: SourceOpening, configuration: ServeConfiguration,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    log: ServiceLog? = nil
  ) throws(ServeError) {
    let log = log ?? .standardError(environment: environment)
    try self.init(
      opening, configuration: configuration, environment: environment, log: log,
      desks: KeptDesks(stateFolder: configuration.stateFolder, log: log))
  }

  package init(
    _ opening: SourceOpening, configuration: ServeConfiguration, environment: [String: String],
    log: ServiceLog, desks source: any DeskSource
  ) throws(ServeError) {
    // The socket first: who starts a daemon twice is told that one runs.
    let listener = try SocketListener(configuration)
    folder = try StateFolder(configuration.stateFolder)
    let access = AccessKeeper(
      stateFolder: configuration.stateFolder, policyFolder: configuration.policyFolder,
      environment: environment, log: log)
    let (hub, clock, box) = (EstimateHub(), DaemonClock(isPlayed: opening.isPlayed), LoopBox())
    let (ear, places, samples) = (BeaconEar(), ReducedPlaces(), SampleHub())
    let desks = DeskKeeper(
      source: source, access: access, places: places, configuration: configuration, log: log,
      now: { clock.now },
      onDemand: { demand in
        box.post {
          $0.deskDemand = demand
          $0.updateDemand()
        }
      }, onBeacons: { ear.feed?.follow($0) })
    let feed = BeaconFeed(beacons: BeaconService(), reports: { [weak desks] in desks?.take($0) })
    feed.onNotice { log.warning($0) }
    ear.feed = feed
    let hearing = BoardSupervisor.Hearing(
      estimate: { estimate in
        clock.take(estimate)
        if hub.put(estimate) { desks.take(estimate, waits: opening.isPlayed) }
        box.wake()
      },
      row: { row in if samples.put(row) { box.wake() } },
      source: { source in box.post { $0.sourceChanged(source) } },
      calibration: { box.post { $0.calibrationChanged() } },
      notice: { text in box.post { $0.notice(text) } })
    context = ServiceContext(
      configuration: configuration, access: access, desks: desks,
      supervisor: BoardSupervisor(
        opening.withCoarseFixes(of: access.policy), hearing: hearing, log: log), hub: hub,
      samples: samples, places: places,
      manager: ServiceManager(environment: environment), log: log, isLive: opening.isLive)
    loop = try ServiceLoop(context, listener: listener)
    box.loop = loop
  }

  /// Begins to serve; it returns at once.
  public func start() {
    let thread = Thread { [loop, end] in
      loop.run()
      end.signal()
    }
    thread.name = "lodestar-service"
    thread.start()
    let configuration = context.configuration
    context.log.notice(
      "serving at \(configuration.socketPath), state in \(configuration.stateFolder)")
    context.manager.ready()
    context.desks.start()
    context.supervisor.start()
  }

  /// Reads the policy again and tells clients what it changes for them.
  public func reload() {
    context.manager.reloading()
    context.access.reload()
    context.desks.policyChanged()
    loop.post { $0.policyChanged() }
    context.log.notice("the policy was read again")
    context.manager.ready()
  }

  /// Ends: the source's calibration is kept, clients are told, the socket is removed.
  public func stop() {
    context.manager.stopping()
    context.desks.endLaunches()
    context.log.notice("ending")
    // No estimate comes after this.
    context.supervisor.stop()
    loop.post { $0.finish("the daemon was stopped") }
    end.wait()
    end.signal()
    context.desks.stop()
    folder.unlock()
  }

  /// Ends as a kill does, for tests: nobody is told and nothing more is kept.
  package func abandon() {
    context.desks.abandon()
    loop.post { $0.abandon() }
    end.wait()
    end.signal()
    context.supervisor.stop()
    folder.unlock()
  }

  /// Serves until SIGTERM or SIGINT; SIGHUP reads the policy again.
  public func run() {
    let (over, registered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let sources = [SIGTERM, SIGINT, SIGHUP].map { number in
      let source = DispatchSource.makeSignalSource(
        signal: number, queue: DispatchQueue(label: "lodestar-signals"))
      source.setEventHandler { [self] in
        if number == SIGHUP { reload() } else { over.signal() }
      }
      source.setRegistrationHandler { registered.signal() }
      source.resume()
      return source
    }
    // Until then a signal has its usual effect; ignored, it would be lost.
    for _ in sources { registered.wait() }
    start()
    over.wait()
    for source in sources { source.cancel() }
    stop()
  }
}

/// Bluetooth, for the desks that are made before it; set once, before anybody asks.
private final class BeaconEar: @unchecked Sendable {
  var feed: BeaconFeed?
}

/// The loop, for those that are made before it.
private final class LoopBox: @unchecked Sendable {
  weak var loop: ServiceLoop?

  func post(_ work: @escaping @Sendable (ServiceLoop) -> Void) { loop?.post(work) }
  func wake() { loop?.wake() }
}

/// Civil time: the machine's, or that of the recording that is played.
private final class DaemonClock: @unchecked Sendable {
  private let isPlayed: Bool
  private let lock = NSLock()
  private var played: UTCTime?

  init(isPlayed: Bool) { self.isPlayed = isPlayed }

  func take(_ estimate: Estimate) {
    if isPlayed, let utc = estimate.utc { lock.withLock { played = utc } }
  }

  var now: UTCTime {
    if isPlayed, let played = lock.withLock({ self.played }) { return played }
    return UTCTime(secondsSince1970: Date().timeIntervalSince1970)
      ?? UTCTime(nanosecondsSince1970: 0)
  }
}
