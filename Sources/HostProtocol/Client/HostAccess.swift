public import Engine

/// What the application may, by the daemon's policy.
public struct HostAccess: Sendable {
  /// Seconds that an answer may take.
  private static let timeout = 2.0

  let client: HostClient

  /// What the application may now.
  public var current: GrantedAccess { client.core.withState { $0.access } }

  /// Asks for `whenInUse` or `always`; observers hear what it changes.
  /// While the daemon is away the request waits.
  public func request(_ wanted: GrantedAuthorization) {
    client.core.send { state in
      guard !state.isWelcome else { return .authorize(wanted) }
      state.wantedAccess.removeAll { $0 == wanted }
      state.wantedAccess.append(wanted)
      return nil
    }
  }

  /// Asks for full accuracy for a purpose, and waits for the answer.
  /// - Returns: nil where it was granted, else why not.
  public func requestFullAccuracy(purposeKey: String) -> HostError? {
    do throws(HostError) {
      _ = try client.core.ask(seconds: Self.timeout) {
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
public final class HostLease: Sendable {
  private let client: HostClient

  init(client: HostClient) {
    self.client = client
    client.core.send { state in
      state.leases += 1
      return state.leases == 1 ? .lease(true) : nil
    }
  }

  deinit {
    client.core.send { state in
      state.leases -= 1
      return state.leases == 0 ? .lease(false) : nil
    }
  }
}
