import HostProtocol
import LinuxIO
import Synchronization

/// The clients of a host.
final class HostSessions: Sendable {
  private struct State {
    var sessions: [Int: HostSession] = [:]
    var nextNumber = 1
  }

  private let state = Mutex(State())

  /// Adds a session.
  /// - Returns: Its number.
  func add(_ peer: PeerCredentials, deliver: @escaping @Sendable (HostDelivery) -> Void) -> Int {
    state.withLock { state in
      let number = state.nextNumber
      state.nextNumber += 1
      state.sessions[number] = HostSession(number: number, peer: peer, deliver: deliver)
      return number
    }
  }

  func remove(_ number: Int) -> HostSession? {
    state.withLock { $0.sessions.removeValue(forKey: number) }
  }

  subscript(number: Int) -> HostSession? { state.withLock { $0.sessions[number] } }

  /// All sessions in the order of their numbers.
  var all: [HostSession] {
    state.withLock { $0.sessions.values.sorted { $0.number < $1.number } }
  }

  /// Sends a message to all clients that have received their welcome.
  func send(_ message: HostMessage) {
    for session in all where session.withState({ $0.isWelcome }) { session.send(message) }
  }
}
