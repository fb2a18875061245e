public import Engine
import Foundation
public import Quantities
public import ServiceProtocol

/// A program's connection to the daemon. It has a thread of its own, connects again after the daemon's restart,
/// and takes up what was wanted before; it ends with `stop` or with its last holder.
///
/// All that it calls is called on that thread: hand over and return.
public final class DaemonClient: Sendable {
  /// Seconds that a first connection may take.
  public static let patience = 2.0

  package let core: ClientCore

  /// Connects to the daemon.
  /// - Parameters:
  ///   - application: What policy, monitoring and relaunch go by, together with the user.
  ///   - client: The program, for people.
  ///   - environment: Where it says the socket is.
  ///   - patience: Seconds to wait for the daemon's answer.
  /// - Throws: `DaemonError` where nobody answers, or who answers refuses.
  public init(
    application: String, client: String = ProcessInfo.processInfo.processName,
    environment: [String: String] = ProcessInfo.processInfo.environment,
    patience: Double = DaemonClient.patience
  ) throws(DaemonError) {
    let hello = ClientHello(
      application: application, client: client,
      pid: ProcessInfo.processInfo.processIdentifier)
    core = try ClientCore(hello: hello, candidates: SocketPath.candidates(environment: environment))
    let core = self.core
    let thread = Thread { ClientLoop(core: core).run() }
    thread.name = "lodestar-client"
    thread.start()
    do {
      try core.waitForWelcome(seconds: patience)
    } catch {
      core.stop()
      throw error
    }
  }

  deinit { core.stop() }

  /// Ends the connection; a lease ends with it.
  public func stop() { core.stop() }

  /// Whether a daemon answers where the environment says; nothing is opened for longer than that takes.
  public static func isServed(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Bool {
    SocketPath.candidates(environment: environment).contains { path in
      do {
        _ = try UnixSocket(connectingTo: path)
        return true
      } catch {
        return false
      }
    }
  }

  // MARK: What the daemon tells

  /// What stands behind the estimates.
  public var source: ServedSource { core.withState { $0.source } }

  /// The last fix of this machine, maybe of an earlier run: only its civil time counts. nil for none.
  public var lastFix: Estimate? { core.withState { $0.lastFix } }

  /// True while the daemon answers.
  public var isConnected: Bool { core.withState { $0.isWelcome } }

  /// Calls `body` at each change of `source`.
  public func observeSource(_ body: @escaping @Sendable (ServedSource) -> Void) -> Observation {
    core.sources.add(body)
  }

  /// Calls `body` with nil when the daemon answers again, and with the reason when the connection ends.
  public func observeConnection(_ body: @escaping @Sendable (DaemonError?) -> Void) -> Observation {
    core.connections.add(body)
  }

  /// Calls `body` with each notice for people.
  public func observeNotices(_ body: @escaping @Sendable (String) -> Void) -> Observation {
    core.notices.add(body)
  }

  // MARK: What can be done with it

  /// The estimates.
  public var publisher: DaemonPublisher { DaemonPublisher(client: self) }

  /// The application's monitoring.
  public var monitoring: DaemonMonitoring { DaemonMonitoring(client: self) }

  /// What the application may.
  public var access: DaemonAccess { DaemonAccess(client: self) }

  /// Asks the daemon to keep fixes while this process is stopped, until the lease is released. Beyond the
  /// daemon's bound (3600 fixes) the oldest go.
  public func takeLease() -> DaemonLease { DaemonLease(client: self) }
}
