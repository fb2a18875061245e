#if canImport(Glibc)
  import Glibc
#endif

/// Accepts connections at an address of this machine.
public final class TCPListener {
  private let file: Int32
  /// The port: the requested one, or the kernel's choice for 0.
  public let port: Int
  private let peer: String

  /// Starts to listen.
  public init(address: String, port: Int) throws(ConnectionError) {
    let peer = "\(address):\(port)"
    self.peer = peer
    let list = try TCPConnection.addresses(address, port, flags: Int32(AI_PASSIVE), peer)
    defer { freeaddrinfo(list) }
    let file = try TCPConnection.socket(list.pointee, peer)
    self.file = file
    var on: Int32 = 1
    setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    // The backlog: enough for the clients of one receiver.
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
    // Both families have the port at the same offset, in network byte order.
    self.port =
      isKnown
      ? withUnsafeBytes(of: &own) { Int($0[2]) << 8 | Int($0[3]) } : port
  }

  deinit { close(file) }

  /// Accepts a waiting client; nil for none.
  public func accept() throws(ConnectionError) -> TCPConnection? {
    while true {
      let client = Glibc.accept(file, nil, nil)
      if client >= 0 {
        // The flags are not inherited from the listening socket.
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return TCPConnection(file: client, peer: peer)
      }
      switch errno {
      case EAGAIN: return nil
      // The client disconnected while it waited.
      case EINTR, ECONNABORTED: continue
      default: throw ConnectionError(peer, doing: "taking a client in", code: errno)
      }
    }
  }
}
