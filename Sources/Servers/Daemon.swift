import Foundation
import HostProtocol
import LinuxIO
import LocationHost

/// The daemon: a location host behind a Unix socket, until it is stopped.
public final class Daemon: Sendable {
  private let host: LocationHost
  private let server: SocketServer
  private let manager: ServiceManager
  private let log: HostLog
  private let configuration: ServeConfiguration
  private let folder: StateFolder
  private let hasEnded = Waitable(false)

  /// Takes the state folder and the socket; clients may connect from now on.
  /// - Parameters:
  ///   - opening: How to get at estimates.
  ///   - configuration: How to serve them.
  ///   - environment: The process's environment: systemd's variables.
  ///   - log: Where lines for people go.
  /// - Throws: `ServeError`.
  public init(
    _ opening: SourceOpening, configuration: ServeConfiguration,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    log: HostLog? = nil
  ) throws(ServeError) {
    let log = log ?? .standardError(environment: environment)
    // The socket first: a second daemon reads that one runs.
    let listener = try SocketListener(configuration)
    folder = try StateFolder(configuration.stateFolder)
    let access = AccessKeeper(
      stateFolder: configuration.stateFolder, policyFolder: configuration.policyFolder,
      environment: environment, log: log)
    var parts = LocationHost.Parts(
      access: access,
      journals: StoredMonitoring(
        stateFolder: configuration.stateFolder, isLive: opening.isLive || opening.isPlayed, log: log
      ),
      isLive: opening.isLive, log: log,
      source: { events in
        BoardSupervisor(opening.withCoarseFixes(of: access.policy), events: events, log: log)
      })
    parts.isPlayed = opening.isPlayed
    host = LocationHost(configuration.host, parts)
    manager = ServiceManager(environment: environment)
    server = try SocketServer(
      host, listener: listener, configuration: configuration, manager: manager, log: log)
    (self.log, self.configuration) = (log, configuration)
  }

  /// Begins to serve; it returns at once.
  public func start() {
    let thread = Thread { [server, hasEnded] in
      server.run()
      hasEnded.withLock { $0 = true }
    }
    thread.name = "lodestar-service"
    thread.start()
    log.notice("serving at \(configuration.socketPath), state in \(configuration.stateFolder)")
    manager.ready()
    host.start()
  }

  /// Reads the policy again; clients receive what it changes for them.
  public func reload() {
    manager.reloading()
    host.reload()
    log.notice("the policy was read again")
    manager.ready()
  }

  /// Ends: the source's calibration is stored, clients receive that the daemon ends, the socket is removed.
  public func stop() {
    manager.stopping()
    log.notice("ending")
    host.stop("the daemon was stopped") {
      server.post { $0.finish() }
      waitForEnd()
    }
    folder.unlock()
  }

  /// Ends as a kill does, for tests: clients receive nothing and nothing more is stored.
  package func abandon() {
    host.abandon {
      server.post { $0.abandon() }
      waitForEnd()
    }
    folder.unlock()
  }

  private func waitForEnd() { hasEnded.wait(atMost: .infinity) { $0 ? () : nil } }

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
