import HostProtocol
public import Observers

/// The application's authorization by the daemon's policy.
public struct HostAccess: Sendable {
  /// Timeout of a request, seconds.
  private static let timeout = 2.0

  let client: HostClient

  /// The current authorization and accuracy.
  public var current: GrantedAccess { client.core.withState { $0.access } }

  /// Requests `whenInUse` or `always`. A change of the access is reported to observers. Without a
  /// daemon the request is sent after the next connection.
  public func request(_ wanted: GrantedAuthorization) {
    client.core.send { state in
      state.wantedAccess.removeAll { $0 == wanted }
      state.wantedAccess.append(wanted)
      return .authorize(wanted)
    }
  }

  /// Requests full accuracy for a purpose, and waits for the response.
  /// - Returns: nil if it was granted, else the reason.
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

  /// Calls `body` at each change of the access, on the connection's thread.
  public func observe(_ body: @escaping @Sendable () -> Void) -> Observation {
    client.core.accesses.add { _ in body() }
  }
}

/// While it exists, the host stores fixes for this process while the process is stopped. Releasing
/// the last reference ends the lease.
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
