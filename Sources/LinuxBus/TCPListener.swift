#if canImport(Glibc)
  import Glibc
#endif

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
