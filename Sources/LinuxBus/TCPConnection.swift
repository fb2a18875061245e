import CLinuxBus
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Why a connection could not be made or ended. The description is one line that names the other end.
public struct ConnectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// Host and port, as `host:port`.
  public var peer: String
  /// What went wrong, and what to do.
  public var reason: String

  /// One line for people.
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

/// A stream of bytes to another program, used by one thread. It closes with its last holder.
public final class TCPConnection {
  private let file: Int32
  private let peer: String

  init(file: Int32, peer: String) {
    self.file = file
    self.peer = peer
  }

  /// Connects, by whichever of the host's addresses answers first in their order.
  /// - Throws: `ConnectionError`, also where the deadline passes.
  public convenience init(
    host: String, port: Int, until deadline: Timestamp
  ) throws(ConnectionError) {
    let peer = "\(host):\(port)"
    let list = try Self.addresses(host, port, flags: 0, peer)
    defer { freeaddrinfo(list) }
    var failure = ConnectionError(peer, "the name has no address; check its spelling")
    var entry: UnsafeMutablePointer<addrinfo>? = list
    while let info = entry {
      do throws(ConnectionError) {
        self.init(file: try Self.connected(info.pointee, peer, deadline), peer: peer)
        return
      } catch {
        failure = error
      }
      entry = info.pointee.ai_next
    }
    throw failure
  }

  deinit { close(file) }

  /// Reads what has come in.
  /// - Returns: How many bytes; 0 where the deadline passed, nil where the other end has closed.
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

  /// Writes what the kernel takes at once.
  /// - Returns: How many bytes, from the first on.
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

  /// A socket that neither blocks nor outlives an exec.
  static func socket(_ info: addrinfo, _ peer: String) throws(ConnectionError) -> Int32 {
    let kind =
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let file = Glibc.socket(info.ai_family, kind, info.ai_protocol)
    if file < 0 { throw ConnectionError(peer, doing: "opening a socket", code: errno) }
    return file
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

  /// Waits; false where the deadline passed.
  private static func poll(
    _ file: Int32, _ events: Int16, _ deadline: Timestamp, _ peer: String
  ) throws(ConnectionError) -> Bool {
    var descriptor = pollfd(fd: file, events: events, revents: 0)
    let ready = linuxbus_poll(&descriptor, 1, deadline.nanoseconds)
    if ready < 0 { throw ConnectionError(peer, doing: "waiting", code: -ready) }
    return ready > 0
  }
}

/// Takes in connections at an address of this machine.
public final class TCPListener {
  private let file: Int32
  /// The port that it listens at: the one asked for, or the kernel's choice where that was 0.
  public let port: Int
  private let peer: String

  /// Begins to listen.
  public init(address: String, port: Int) throws(ConnectionError) {
    let peer = "\(address):\(port)"
    self.peer = peer
    let list = try TCPConnection.addresses(address, port, flags: Int32(AI_PASSIVE), peer)
    defer { freeaddrinfo(list) }
    let file = try TCPConnection.socket(list.pointee, peer)
    self.file = file
    var on: Int32 = 1
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    // As many waiting clients as anybody would have of one receiver.
    guard bind(file, list.pointee.ai_addr, list.pointee.ai_addrlen) == 0, listen(file, 8) == 0
    else {
      let code = errno
      self.port = port
      throw ConnectionError(peer, doing: "listening", code: code)
    }
    var own = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutableBytes(of: &own) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { getsockname(file, $0.baseAddress, &size) == 0 }
    }
    // Both families have the port at the same place, the higher byte first.
    self.port =
      isKnown
      ? withUnsafeBytes(of: &own) { Int($0[2]) << 8 | Int($0[3]) } : port
  }

  deinit { close(file) }

  /// A client that waits to be taken in; nil where none does.
  public func accept() throws(ConnectionError) -> TCPConnection? {
    while true {
      let client = Glibc.accept(file, nil, nil)
      if client >= 0 {
        // Neither flag comes from the listening socket.
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return TCPConnection(file: client, peer: peer)
      }
      switch errno {
      case EAGAIN: return nil
      // The client went away while it waited.
      case EINTR, ECONNABORTED: continue
      default: throw ConnectionError(peer, doing: "taking a client in", code: errno)
      }
    }
  }
}
