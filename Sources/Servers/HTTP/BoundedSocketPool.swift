import FlyingFox
import FlyingSocks

/// The library's pool of sockets; each socket that waits is reported to the limits of its port.
struct BoundedSocketPool: AsyncSocketPool {
  private let pool: any AsyncSocketPool
  private let connections: HTTPConnections

  init(_ connections: HTTPConnections) {
    (pool, self.connections) = (HTTPServer.defaultPool(), connections)
  }

  func prepare() async throws { try await pool.prepare() }
  func run() async throws { try await pool.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    connections.waits(socket.file.rawValue)
    try await pool.suspendSocket(socket, untilReadyFor: events)
  }
}
