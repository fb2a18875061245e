import CLinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Why a connection could not be made or was lost. The description is one line with the peer.
public struct ConnectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Host and port, as `host:port`.
  public var peer: String
  /// The fault and the remedy.
  public var reason: String

  /// One line to display.
  public var description: String { "tcp://\(peer): \(reason)" }

  init(_ peer: String, _ reason: String) {
    self.peer = peer
    self.reason = reason
  }

  init(_ peer: String, doing: String, code: Int32) {
    let remedy: String =
      switch code {
      case ECONNREFUSED: "; check that a server listens there"
      case EADDRINUSE: "; another program listens there, choose another port"
      case EACCES: "; ports below 1024 are root's, choose another"
      case EADDRNOTAVAIL: "; no interface of this machine has that address"
      default: ""
      }
    self.init(peer, "\(doing) failed: \(String(cString: strerror(code)))\(remedy)")
  }
}

/// A TCP connection, used from one thread. Closed in `deinit`.
public final class TCPConnection {
  private let file: Int32
  private let peer: String

  init(file: Int32, peer: String) {
    self.file = file
    self.peer = peer
  }

  /// Connects to the first of the host's addresses that answers.
  /// - Throws: `ConnectionError`, also at the deadline.
  public convenience init(
    host: String, port: Int, until deadline: Timestamp
  ) throws(ConnectionError) {
    let peer = "\(host):\(port)"
    self.init(file: try Self.connected(host, port, peer, deadline), peer: peer)
  }

  deinit { close(file) }

  /// Reads received bytes.
  /// - Returns: The number of bytes; 0 at the deadline, nil after the peer has closed.
  public func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(ConnectionError) -> Int? {
    while true {
      guard try Self.poll(file, Int16(POLLIN), deadline, peer) else { return 0 }
      let count = recv(file, bytes.baseAddress, bytes.count, 0)
      if count > 0 { return count }
      if count == 0 { return bytes.isEmpty ? 0 : nil }
      if errno != EINTR && errno != EAGAIN {
        throw ConnectionError(peer, doing: "reading", code: errno)
      }
    }
  }

  /// Writes as many bytes as the kernel accepts at once.
  /// - Returns: The number of bytes written, from the first on.
  public func writeSome(_ bytes: UnsafeRawBufferPointer) throws(ConnectionError) -> Int {
    while true {
      let count = send(file, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      if count >= 0 { return count }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw ConnectionError(peer, doing: "writing", code: errno) }
    }
  }

  /// The numeric addresses of a name.
  static func addresses(
    _ host: String, _ port: Int, flags: Int32, _ peer: String
  ) throws(ConnectionError) -> UnsafeMutablePointer<addrinfo> {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = flags
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0, let list else {
      throw ConnectionError(
        peer, "the name cannot be resolved: \(String(cString: gai_strerror(code)))")
    }
    return list
  }

  /// A non-blocking, close-on-exec socket.
  static func socket(_ info: addrinfo, _ peer: String) throws(ConnectionError) -> Int32 {
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let file = Glibc.socket(info.ai_family, kind, info.ai_protocol)
    if file < 0 { throw ConnectionError(peer, doing: "opening a socket", code: errno) }
    return file
  }

  private static func connected(
    _ host: String, _ port: Int, _ peer: String, _ deadline: Timestamp
  ) throws(ConnectionError) -> Int32 {
    let list = try addresses(host, port, flags: 0, peer)
    defer { freeaddrinfo(list) }
    var failure = ConnectionError(peer, "the name has no address; check its spelling")
    var entry: UnsafeMutablePointer<addrinfo>? = list
    while let info = entry {
      do throws(ConnectionError) {
        return try connected(info.pointee, peer, deadline)
      } catch {
        failure = error
      }
      entry = info.pointee.ai_next
    }
    throw failure
  }

  private static func connected(
    _ info: addrinfo, _ peer: String, _ deadline: Timestamp
  ) throws(ConnectionError) -> Int32 {
    let file = try socket(info, peer)
    do throws(ConnectionError) {
      guard connect(file, info.ai_addr, info.ai_addrlen) < 0 else { return file }
      guard errno == EINPROGRESS else {
        throw ConnectionError(peer, doing: "connecting", code: errno)
      }
      guard try poll(file, Int16(POLLOUT), deadline, peer) else {
        throw ConnectionError(peer, "no answer; check the address and the network")
      }
      var code: Int32 = 0
      var size = socklen_t(MemoryLayout<Int32>.size)
      getsockopt(file, SOL_SOCKET, SO_ERROR, &code, &size)
      guard code == 0 else { throw ConnectionError(peer, doing: "connecting", code: code) }
      return file
    } catch {
      close(file)
      throw error
    }
  }

  /// Waits for an event; false at the deadline.
  private static func poll(
    _ file: Int32, _ events: Int16, _ deadline: Timestamp, _ peer: String
  ) throws(ConnectionError) -> Bool {
    var descriptor = pollfd(fd: file, events: events, revents: 0)
    let ready = linuxbus_poll(&descriptor, 1, deadline.nanoseconds)
    if ready < 0 { throw ConnectionError(peer, doing: "waiting", code: -ready) }
    return ready > 0
  }
}
