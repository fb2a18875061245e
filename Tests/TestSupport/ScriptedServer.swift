import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// A TCP server on a local port that the system chooses; a test's closure serves its clients. It
/// ends with the object.
public final class ScriptedServer: Sendable {
  /// One client's connection, for the script.
  public final class Client {
    private let file: Int32
    private let isStopped: () -> Bool
    private var received: [UInt8] = []

    init(file: Int32, isStopped: @escaping () -> Bool) {
      self.file = file
      self.isStopped = isStopped
    }

    deinit { close(file) }

    /// Sends text; ignored where the client has disconnected.
    public func send(_ text: String) { send(Array(text.utf8)) }

    /// Sends bytes; ignored where the client has disconnected.
    public func send(_ bytes: [UInt8]) {
      var done = 0
      while done < bytes.count {
        let count = bytes[done...].withUnsafeBytes {
          Glibc.send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
        guard count > 0 else { return }
        done += count
      }
    }

    /// Reads until a word was received; false where the client or the server ended before.
    public func awaits(_ word: String) -> Bool {
      var text = ""
      while !isStopped() {
        var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 50) > 0 else { continue }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = recv(file, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        text += String(decoding: bytes[..<count], as: UTF8.self)
        if text.contains(word) { return true }
      }
      return false
    }

    /// True until the client has disconnected.
    public var isConnected: Bool {
      var byte: UInt8 = 0
      let count = recv(file, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
      return count > 0 || count < 0 && errno == EAGAIN
    }

    /// True where the server has ended.
    public var hasEnded: Bool { isStopped() }

    /// Reads to the end of a word, and keeps what follows for the next call.
    /// - Returns: nil where the client or the server ended before.
    public func text(until word: String) -> String? {
      while true {
        if let end = received.firstRange(of: word.utf8)?.upperBound {
          defer { received.removeFirst(end) }
          return String(decoding: received[..<end], as: UTF8.self)
        }
        guard !isStopped() else { return nil }
        var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 50) > 0 else { continue }
        var bytes = [UInt8](repeating: 0, count: 1024)
        let count = recv(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        received += bytes[..<count]
      }
    }

    /// Waits; true where the server has ended.
    public func pause(_ seconds: Double) -> Bool {
      let end = Date(timeIntervalSinceNow: seconds)
      while Date() < end, !isStopped() { Thread.sleep(forTimeInterval: 0.01) }
      return isStopped()
    }
  }

  /// The server's port at 127.0.0.1.
  public let port: UInt16
  private let state = State()

  /// The reason why the server cannot be started.
  public struct Unavailable: Error {}

  /// Starts a server.
  /// - Parameter script: Serves each client, one after the other, with the client's number from 0;
  ///   the connection ends when it returns.
  /// - Throws: Where no port is available.
  public init(_ script: @escaping @Sendable (Client, Int) -> Void) throws {
    let file = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard file >= 0 else { throw Unavailable() }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(file, $0, size) == 0 && listen(file, 8) == 0 && getsockname(file, $0, &size) == 0
      }
    }
    port = UInt16(bigEndian: address.sin_port)
    guard isBound else {
      close(file)
      throw Unavailable()
    }
    let state = self.state
    Thread {
      var number = 0
      while !state.isStopped {
        var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
        guard poll(&descriptor, 1, 50) > 0 else { continue }
        let client = accept(file, nil, nil)
        guard client >= 0 else { continue }
        script(Client(file: client) { state.isStopped }, number)
        number += 1
      }
      close(file)
    }.start()
  }

  deinit { state.stop() }

  /// Ends the server and its connections.
  public func stop() { state.stop() }

  private final class State: @unchecked Sendable {
    private let lock = NSLock()
    private var stopped = false
    var isStopped: Bool { lock.withLock { stopped } }
    func stop() { lock.withLock { stopped = true } }
  }
}
