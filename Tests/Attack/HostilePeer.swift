import Foundation
import LinuxIO
import Quantities
import Synchronization

/// A server that the daemon connects to, at a loopback port or a Unix socket. It treats each client
/// as the attack has set, until the attack sets another conduct.
final class HostilePeer: Sendable {
  /// Serves one client on a thread of its own; the connection is closed when it returns or throws.
  typealias Conduct = @Sendable (Client) throws -> Void

  /// A connection of the daemon.
  final class Client {
    private let socket: StreamSocket
    private let isOver: () -> Bool
    private var buffer = [UInt8](repeating: 0, count: 65_536)

    fileprivate init(_ socket: StreamSocket, isOver: @escaping () -> Bool) {
      (self.socket, self.isOver) = (socket, isOver)
    }

    /// Another conduct was set.
    struct Over: Error {}

    /// Sends all bytes.
    func send(_ bytes: [UInt8]) throws {
      var done = 0
      while done < bytes.count {
        if isOver() { throw Over() }
        let count = try socket.write(bytes[done...])
        if count == 0 { Thread.sleep(forTimeInterval: 0.001) }
        done += count
      }
    }

    /// Sends text.
    func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// The next bytes, at least one.
    func receive() throws -> [UInt8] {
      while !isOver() {
        let count = try socket.read(
          into: &buffer, until: MonotonicClock.now.advanced(bySeconds: 0.02))
        if count > 0 { return Array(buffer[..<count]) }
      }
      throw Over()
    }

    /// Waits.
    func pause(_ seconds: Double = .infinity) throws {
      let begin = MonotonicClock.now
      while MonotonicClock.now.seconds(since: begin) < seconds {
        if isOver() { throw Over() }
        Thread.sleep(forTimeInterval: 0.002)
      }
    }
  }

  private struct State {
    var conduct: Conduct = { try $0.pause() }
    var generation = 0
    var clients = 0
    var isOver = false
  }
  private let state = Mutex(State())
  /// The path of its Unix socket; nil at a port.
  private let path: String?
  /// Its port; 0 for a Unix socket.
  let port: Int

  /// Listens at a free loopback port, or at a Unix socket of its own.
  init(isBus: Bool = false) throws {
    path = isBus ? "/tmp/lsa-bus-\(UInt32.random(in: 0...UInt32.max))" : nil
    let listener =
      try path.map { try StreamListener(path: $0, backlog: 8) }
      ?? StreamListener(host: "127.0.0.1", port: 0)
    port = listener.port ?? 0
    Thread.detachNewThread { [weak self] in
      do {
        while let self, !self.state.withLock({ $0.isOver }) {
          if let socket = try listener.accept() { self.serve(socket) }
          Thread.sleep(forTimeInterval: 0.002)
        }
      } catch { print("the attack's server has ended: \(error)") }
    }
  }

  /// Accepts no more clients and closes the present connections.
  func end() {
    state.withLock { ($0.isOver, $0.generation) = (true, $0.generation + 1) }
    if let path { unlink(path) }
  }

  private func serve(_ socket: StreamSocket) {
    let (conduct, generation) = state.withLock { state in
      state.clients += 1
      return (state.conduct, state.generation)
    }
    Thread.detachNewThread { [weak self] in
      do {
        try conduct(Client(socket) { self?.state.withLock { $0.generation } != generation })
      } catch {
        // The daemon has disconnected, or the conduct is over.
      }
    }
  }

  /// Treats clients like this from now on, and closes the present connections.
  func set(_ conduct: @escaping Conduct) {
    state.withLock { ($0.conduct, $0.generation) = (conduct, $0.generation + 1) }
  }

  /// The number of connections so far.
  var clients: Int { state.withLock { $0.clients } }

  /// Waits for a connection after the first `count`; false after `seconds`.
  func hasClient(after count: Int, within seconds: Double) -> Bool {
    let begin = MonotonicClock.now
    while clients <= count {
      guard MonotonicClock.now.seconds(since: begin) < seconds else { return false }
      Thread.sleep(forTimeInterval: 0.002)
    }
    return true
  }

  /// The variables with which a program uses the Unix socket as its system's bus.
  var environment: [String: String] {
    path.map { ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\($0)"] } ?? [:]
  }
}
