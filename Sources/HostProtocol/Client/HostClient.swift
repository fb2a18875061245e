public import Engine
import Foundation
import LinuxIO
public import Quantities

/// A program's connection to a location host: to the daemon over its socket, or to a host in this process.
///
/// Over a socket it has a thread of its own and connects again after the daemon's restart; either way it takes up
/// what was wanted before. It ends with `stop` or with its last holder. Closures are called on the connection's
/// thread, or on threads of the host in this process: they hand over and return.
public final class HostClient: Sendable {
  /// Seconds that a first connection may take.
  public static let timeout = 2.0
  /// Seconds that opening a source may take: a slow bus, a receiver that is configured.
  private static let lookTimeout = 130.0

  package let core: ClientCore

  /// Connects to the daemon.
  /// - Parameters:
  ///   - application: What policy, monitoring and relaunch go by, together with the user.
  ///   - client: The program, for people.
  ///   - environment: Where it says the socket is.
  ///   - timeout: Seconds to wait for the daemon's answer.
  /// - Throws: `HostError` where no daemon answers, or the daemon refuses.
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
      hello: Self.hello(application, client), place: "this process", wakener: nil)
    core.attach(host)
  }

  /// Connects to the daemon where one answers, else to a host in this process. A daemon that starts later takes
  /// over, and the host in this process does again once the daemon has been gone for a while; what is wanted and
  /// monitored is taken along.
  /// - Parameters:
  ///   - application: As above.
  ///   - client: As above.
  ///   - environment: Where it says the daemon's socket is.
  ///   - standIn: The host while there is no daemon.
  /// - Throws: `HostError` where neither can be reached.
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
      // A daemon that does not answer, and then the host in this process.
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
    let thread = Thread { loop.run() }
    thread.name = "lodestar-client"
    thread.start()
  }

  deinit { core.stop() }

  /// Ends the connection; a lease ends with it.
  public func stop() { core.stop() }

  // MARK: What the host reports

  /// What stands behind the estimates.
  public var source: SourceDescription { core.withState { $0.source } }

  /// Opens the source where it is not open, and waits for that.
  /// - Returns: What stands behind the estimates then; what was known last where there is no host.
  public func look() -> SourceDescription {
    do throws(HostError) {
      let answer = try core.look(seconds: Self.lookTimeout)
      if case .looked(_, let source) = answer { return source }
      return source
    } catch {
      return source
    }
  }

  /// The last fix of this machine, maybe of an earlier run: only its civil time counts. nil for none.
  public var lastFix: Estimate? { core.withState { $0.lastFix } }

  /// True while the host answers.
  public var isConnected: Bool { core.withState { $0.isWelcome } }

  /// Why the daemon's socket cannot be used while a host in this process serves; nil where there is no daemon.
  public var daemonFault: HostError? {
    switch core.withState({ $0.socketFault }) {
    case nil, .noSocket, .notRunning: nil
    case let fault: fault
    }
  }

  /// Calls `body` at each change of `source`.
  public func observeSource(
    _ body: @escaping @Sendable (SourceDescription) -> Void
  ) -> Observation { core.sources.add(body) }

  /// Calls `body` with nil when the host answers again, and with the reason when the connection ends.
  public func observeConnection(_ body: @escaping @Sendable (HostError?) -> Void) -> Observation {
    core.connections.add(body)
  }

  /// Calls `body` with each notice for people.
  public func observeNotices(_ body: @escaping @Sendable (String) -> Void) -> Observation {
    core.notices.add(body)
  }

  // MARK: What can be done with it

  /// The estimates.
  public var publisher: HostPublisher { HostPublisher(client: self) }

  /// The application's monitoring.
  public var monitoring: HostMonitoring { HostMonitoring(client: self) }

  /// What the application may.
  public var access: HostAccess { HostAccess(client: self) }

  /// Asks the host to store fixes while this process is stopped, until the lease is released. Beyond the daemon's
  /// bound (3600 fixes) the oldest are dropped.
  public func takeLease() -> HostLease { HostLease(client: self) }
}
