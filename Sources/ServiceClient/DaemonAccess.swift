public import Engine
public import ServiceProtocol

/// What the application may, by the daemon's policy.
public struct DaemonAccess: Sendable {
  /// Seconds that an answer may take.
  private static let patience = 2.0

  let client: DaemonClient

  /// What the application may now.
  public var current: ServedAccess { client.core.withState { $0.access } }

  /// Asks for `whenInUse` or `always`; observers hear what it changes.
  /// While the daemon is away the request waits.
  public func request(_ wanted: ServedAuthorization) {
    client.core.say { state in
      guard !state.isWelcome else { return .authorize(wanted) }
      state.wantedAccess.removeAll { $0 == wanted }
      state.wantedAccess.append(wanted)
      return nil
    }
  }

  /// Asks for full accuracy for a purpose, and waits for the answer.
  /// - Returns: nil where it was granted, else why not.
  public func requestFullAccuracy(purposeKey: String) -> DaemonError? {
    do throws(DaemonError) {
      _ = try client.core.ask(seconds: Self.patience) {
        .fullAccuracy(id: $0, purpose: purposeKey)
      }
      return nil
    } catch {
      return error
    }
  }

  /// Calls `body` at each change, on the connection's thread.
  public func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    client.core.accesses.add { _ in body() }
  }
}

/// Keeps fixes coming while the process is stopped; released with its last holder.
public final class DaemonLease: Sendable {
  private let client: DaemonClient

  init(client: DaemonClient) {
    self.client = client
    client.core.say { state in
      state.leases += 1
      return state.leases == 1 ? .lease(true) : nil
    }
  }

  deinit {
    client.core.say { state in
      state.leases -= 1
      return state.leases == 0 ? .lease(false) : nil
    }
  }
}
