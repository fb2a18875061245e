import FlyingSocks
import LinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// The library's pool of sockets with a limit of connections, which the library has not: a connection beyond the limit is
/// closed when it first waits, so that clients cannot occupy all descriptors of the daemon.
struct BoundedSocketPool: AsyncSocketPool {
  /// Limit of the open connections.
  static let mostConnections = 128

  private let pool: any AsyncSocketPool
  private let known = Locked(Set<Int32>())

  init(_ pool: any AsyncSocketPool) { self.pool = pool }

  func prepare() async throws { try await pool.prepare() }
  func run() async throws { try await pool.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    guard admits(socket.file.rawValue) else { throw SocketError.disconnected }
    try await pool.suspendSocket(socket, untilReadyFor: events)
  }

  private func admits(_ file: Int32) -> Bool {
    known.withLock { known in
      if known.contains(file) { return true }
      if known.count > Self.mostConnections {
        // The pool is not informed of the end of a connection.
        known = known.filter { fcntl($0, F_GETFD) != -1 }
      }
      // The listening socket is the first, and one more than the limit.
      guard known.count <= Self.mostConnections else { return false }
      known.insert(file)
      return true
    }
  }
}
