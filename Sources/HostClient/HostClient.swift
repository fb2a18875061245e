import FoundationEssentials
import HostProtocol
import LinuxIO
public import Observers
public import Quantities

/// A program's connection to a location host: to the daemon over its socket, or to a host in this
/// process.
///
/// Over a socket the connection has its own thread, and reconnects after a restart of the daemon.
/// After a reconnection it sends the program's requests again. `stop`, or releasing the last
/// reference, ends it. Closures are called on the connection's thread or on threads of the host in
/// this process; they must return quickly.
public final class HostClient: Sendable {
  /// Default timeout of the first connection, seconds.
  public static let timeout = 2.0
  /// Timeout of opening a source, seconds: a bus may be slow, and a receiver is configured.
  private static let lookTimeout = 130.0

  package let core: ClientCore

  /// Connects to the daemon.
  /// - Parameters:
  ///   - application: The identifier by which policy, monitoring and launch identify the
  ///     application, together with the user.
  ///   - client: The program's name, for messages.
  ///   - environment: The environment that names the socket.
  ///   - timeout: Seconds to wait for the daemon's answer.
  /// - Throws: `HostError` if no daemon answers or the daemon refuses.
  public init(
    application: String, client: String = ProcessInfo.processInfo.processName,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    timeout: Double = HostClient.timeout
  ) throws(HostError) {
    let wakener = try Self.makeWakener()
    let candidates = SocketPath.candidates(environment: environment)
    core = ClientCore(
      hello: Self.hello(application, client), place: candidates.first ?? "", wakener: wakener)
    start(wakener, candidates, standIn: nil, HostTiming())
    do {
      try core.waitForWelcome(seconds: timeout)
    } catch {
      core.stop()
      throw error
    }
  }

  /// Connects to a host in this process.
  /// - Parameters:
  ///   - application: As above.
  ///   - client: As above.
  ///   - host: The host.
  public init(
    application: String, client: String = ProcessInfo.processInfo.processName,
    host: any InProcessHost
  ) {
    core = ClientCore(
      hello: Self.hello(application, client), place: HostError.thisProcess, wakener: nil)
    core.attach(host)
  }

  /// Connects to the daemon if one answers, else to a host in this process.
  ///
  /// A daemon that starts later replaces the host in this process. The host in this process
  /// replaces a daemon that has been unreachable for 10 s. Requests and registrations are
  /// transferred.
  /// - Parameters:
  ///   - application: As above.
  ///   - client: As above.
  ///   - environment: The environment that names the daemon's socket.
  ///   - standIn: The host that serves without a daemon.
  /// - Throws: `HostError` if neither can be reached.
  public convenience init(
    application: String, client: String = ProcessInfo.processInfo.processName,
    environment: [String: String], standIn: any InProcessHost
  ) throws(HostError) {
    try self.init(
      application: application, client: client, environment: environment, standIn: standIn,
      timing: HostTiming())
  }

  package init(
    application: String, client: String, environment: [String: String],
    standIn: any InProcessHost, timing: HostTiming
  ) throws(HostError) {
    let wakener = try Self.makeWakener()
    let candidates = SocketPath.candidates(environment: environment)
    core = ClientCore(
      hello: Self.hello(application, client), place: candidates.first ?? "", wakener: wakener)
    start(wakener, candidates, standIn: standIn, timing)
    do {
      // Longest case: a daemon that does not answer, then opening the source in this process.
      try core.waitForWelcome(seconds: 2 * Self.timeout + Self.lookTimeout)
    } catch {
      core.stop()
      throw error
    }
  }

  private static func hello(_ application: String, _ client: String) -> ClientHello {
    ClientHello(
      application: application, client: client, pid: ProcessInfo.processInfo.processIdentifier)
  }

  private static func makeWakener() throws(HostError) -> Wakener {
    do {
      return try Wakener()
    } catch {
      throw .socket(error)
    }
  }

  private func start(
    _ wakener: Wakener, _ candidates: [String], standIn: (any InProcessHost)?, _ timing: HostTiming
  ) {
    let loop = ClientLoop(
      core: core, wakener: wakener, candidates: candidates, standIn: standIn, timing: timing)
    WorkerThread.start("lodestar-client") { loop.run() }
  }

  deinit { core.stop() }

  /// Closes the connection and ends its lease.
  public func stop() { core.stop() }

  // MARK: Reported by the host

  /// The source of the estimates.
  public var source: SourceDescription { core.withState { $0.source } }

  /// Opens the source if it is closed, and waits until that is done.
  /// - Returns: The source of the estimates; the last known one if no host answers.
  public func openSource() -> SourceDescription {
    do throws(HostError) {
      let answer = try core.requestSource(seconds: Self.lookTimeout)
      if case .looked(_, let source) = answer { return source }
      return source
    } catch {
      return source
    }
  }

  /// The last fix of this machine, possibly of an earlier run: only its civil time is valid. nil if
  /// there is none.
  public var lastFix: Estimate? { core.withState { $0.lastFix } }

  /// The daemon's socket, or "this process"; for messages.
  public var place: String { core.withState { $0.socketPath } ?? core.place }

  /// True while the client is connected.
  public var isConnected: Bool { core.withState { $0.isWelcome } }

  /// Why the daemon's socket is not usable while a host in this process serves; nil if no daemon
  /// runs.
  public var daemonFault: HostError? {
    switch core.withState({ $0.socketFault }) {
    case nil, .noSocket, .notRunning: nil
    case let fault: fault
    }
  }

  /// Calls `body` at each change of `source`, also of its troubles.
  public func observeTroubles(
    _ body: @escaping @Sendable (SourceDescription) -> Void
  ) -> Observation { core.troubles.add(body) }

  /// Calls `body` at each change of `source` except its troubles.
  public func observeSource(
    _ body: @escaping @Sendable (SourceDescription) -> Void
  ) -> Observation { core.sources.add(body) }

  /// Calls `body` with nil after a reconnection, and with the reason when the connection is lost.
  public func observeConnection(_ body: @escaping @Sendable (HostError?) -> Void) -> Observation {
    core.connections.add(body)
  }

  /// Calls `body` with each notice for the user.
  public func observeNotices(_ body: @escaping @Sendable (String) -> Void) -> Observation {
    core.notices.add(body)
  }

  // MARK: Services

  /// The estimates.
  public var publisher: HostPublisher { HostPublisher(client: self) }

  /// The application's monitoring.
  public var monitoring: HostMonitoring { HostMonitoring(client: self) }

  /// The application's access.
  public var access: HostAccess { HostAccess(client: self) }

  /// Requests the host to store fixes while this process is stopped, until the lease is released.
  /// The host stores at most 3600 fixes and then drops the oldest.
  public func requestLease() -> HostLease { HostLease(client: self) }
}
