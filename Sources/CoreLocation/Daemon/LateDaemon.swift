internal import Engine
internal import ServiceClient
internal import ServiceProtocol

/// A daemon that starts after the program, which found no sensor of its own: it gives headings and locations.
/// Monitoring stays in this process until the next start.
final class LateDaemon: Sendable {
  private let environment: [String: String]
  private let client = Locked<DaemonClient?>(nil)

  init(environment: [String: String]) { self.environment = environment }

  /// The daemon's estimates; nil where none was found.
  var publisher: (any EstimatePublisher)? { client.withLock { $0 }?.publisher }

  /// The daemon's last fix.
  var lastFix: LocationValues? { client.withLock { $0 }?.knownFix }

  /// Hears of another source behind the daemon's estimates.
  func observe(_ body: @escaping @Sendable () -> Void) -> Observation? {
    client.withLock { $0 }?.observeSource { _ in body() }
  }

  /// Looks for a daemon.
  /// - Returns: Its estimates; nil where there is none.
  func connect() -> (any EstimatePublisher)? {
    guard let found = DaemonOpening.connect(environment: environment) else { return nil }
    switch found.access.current.authorization {
    // The program's own authority has decided; the daemon has the same policy's answer, once it is asked.
    case .notDetermined: found.access.request(.always)
    case .denied, .restricted: return nil
    case .always, .whenInUse: break
    }
    client.withLock { $0 = found }
    return found.publisher
  }
}

extension DaemonClient {
  /// The last fix that the daemon knows of, as a program keeps it.
  var knownFix: LocationValues? {
    lastFix.flatMap { LocationValues($0, receivedAt: Date(), isLive: source.isLive, sources: []) }
  }
}
