import Dispatch
import FoundationEssentials
import LinuxIO
import LocationHost
import Storage

/// The daemon: a location host behind a Unix socket, and the servers of the catalogue.
public final class Daemon: Sendable {
  private let host: LocationHost
  private let server: SocketServer
  private let manager: ServiceManager
  private let log: HostLog
  private let configuration: ServeConfiguration
  private let folder: StateFolder
  private let stateWatch: StateWatch
  private let servers: ServerSet
  private let reread: (@Sendable () throws(ServeFileError) -> ServeChange)?
  private let hasEnded = Waitable(false)
  /// Time until the code that only the start needs is removed from memory, seconds.
  private static let startTime = 30.0

  /// Locks the state folder and listens at the socket; clients may connect from now on.
  /// - Parameters:
  ///   - opening: How to open the source of estimates.
  ///   - configuration: The server's options.
  ///   - environment: The process's environment, with systemd's variables.
  ///   - log: The log; standard error by default.
  ///   - reread: Reads the configuration again, for `reload`; nil without a file.
  /// - Throws: `ServeError`.
  public convenience init(
    _ opening: SourceOpening, configuration: ServeConfiguration,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    log: HostLog? = nil,
    reread: (@Sendable () throws(ServeFileError) -> ServeChange)? = nil
  ) throws(ServeError) {
    try self.init(
      opening, configuration: configuration, environment: environment, log: log,
      stateFiles: LinuxFiles(), reread: reread)
  }

  /// Does the same with other file operations for the state folder itself, for tests.
  package init(
    _ opening: SourceOpening, configuration: ServeConfiguration, environment: [String: String],
    log: HostLog?, stateFiles: any FileOperations,
    reread: (@Sendable () throws(ServeFileError) -> ServeChange)? = nil
  ) throws(ServeError) {
    let log = log ?? .standardError(environment: environment)
    // The socket comes first, so that a second daemon fails with the error that one runs already.
    let listener = try SocketListener(
      path: configuration.socketPath, mode: configuration.socketMode,
      group: configuration.socketGroup)
    folder = try StateFolder(configuration.stateFolder, files: stateFiles)
    let health = StateHealth(log: log)
    let access = AccessKeeper(
      stateFolder: configuration.stateFolder, policyFolder: configuration.policyFolder,
      environment: environment, log: log, health: health)
    var parts = LocationHost.Parts(
      access: access,
      journals: StoredMonitoring(
        stateFolder: configuration.stateFolder, isLive: opening.isLive || opening.isPlayed,
        log: log, health: health),
      isLive: opening.isLive, log: log,
      source: { events in
        BoardSupervisor(opening.withCoarseFixes(of: access.policy), events: events, log: log)
      })
    parts.isPlayed = opening.isPlayed
    parts.health = health
    host = LocationHost(configuration.host, parts)
    stateWatch = StateWatch(folder, health, host, log: log)
    manager = ServiceManager(environment: environment)
    server = try SocketServer(
      host, listener: listener, configuration: configuration, manager: manager, log: log)
    servers = ServerSet(
      configuration,
      ServerContext(
        host: host, log: log, stateFolder: configuration.stateFolder, health: health,
        boardHealth: HealthMonitor(
          host, stateFolder: configuration.stateFolder,
          recordingFolder: configuration.recording.folder)))
    self.reread = reread
    (self.log, self.configuration) = (log, configuration)
  }

  /// Checks the state folder now, for tests.
  package func checkState() { stateWatch.check() }

  /// The TCP ports at which the servers listen, by the option of each.
  package var serverPorts: [String: Int] { servers.ports }

  /// Whether there is a web page, and no token of it.
  package func isWithoutToken() throws(TokenFault) -> Bool {
    guard folder.fault == nil, configuration.http.served != nil else { return false }
    return try TokenStore(stateFolder: configuration.stateFolder).tokens().isEmpty
  }

  /// A new one-time link to the web page; nil without the page.
  package func makeLink() throws(TokenFault) -> PageLink? {
    guard let address = configuration.http.served else { return nil }
    let store = TokenStore(stateFolder: configuration.stateFolder)
    return PageLink(to: address, code: try store.makeCode())
  }

  /// Starts the server and returns at once.
  public func start() {
    // Before the host, whose own complaints of an unusable folder it replaces.
    stateWatch.start()
    // Before clients: one that comes before the stored monitoring is opened would see none.
    host.start()
    WorkerThread.start("lodestar-service") { [server, hasEnded] in
      server.run()
      hasEnded.withLock { $0 = true }
    }
    log.notice("serving at \(configuration.socketPath), state in \(configuration.stateFolder)")
    manager.ready()
    servers.start()
  }

  /// Reads the policy and the file again, sends each changed access to its clients, and restarts
  /// the servers whose options have changed.
  public func reload() {
    manager.reloading()
    host.reload()
    log.notice("the policy was read again")
    do throws(ServeFileError) {
      if let change = try reread?() {
        servers.apply(change.configuration)
        log.notice("the configuration was read again")
        if !change.pending.isEmpty {
          log.warning(
            "\(change.pending.joined(separator: ", ")): the changed value is used after a restart of the daemon"
          )
        }
      }
    } catch {
      log.warning("the configuration was not changed: \(error)")
    }
    manager.ready()
  }

  /// Stops the daemon: stores the source's calibration, sends `goodbye` to clients and removes the
  /// socket.
  public func stop() {
    manager.stopping()
    log.notice("ending")
    stateWatch.stop()
    servers.stop()
    host.stop("the daemon was stopped") {
      server.post { $0.finish() }
      waitForEnd()
    }
    folder.unlock()
  }

  /// Stops as if killed, for tests: sends nothing to clients and stores nothing.
  package func abandon() {
    stateWatch.stop()
    servers.stop()
    host.abandon {
      server.post { $0.abandon() }
      waitForEnd()
    }
    folder.unlock()
  }

  private func waitForEnd() { hasEnded.wait(atMost: .infinity) { $0 ? () : nil } }

  /// Serves until SIGTERM or SIGINT; SIGHUP reads the policy again.
  /// - Parameter signals: Made before the daemon, so that a signal during its start is not lost.
  public func run(_ signals: DaemonSignals) {
    start()
    // All servers run by then.
    ProcessMemory.releaseCode(after: Self.startTime)
    let reloads = DispatchQueue(label: "lodestar-reload")
    // An end does not wait for a reload, which reads files.
    while signals.next() == .reload { reloads.async { [self] in reload() } }
    stop()
  }
}
