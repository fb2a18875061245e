import CLinuxIO

#if canImport(Glibc)
  import Glibc
#endif

/// What the kernel has counted of a TCP connection.
package struct ConnectionTraffic: Sendable {
  /// Bytes that have arrived.
  package var received: UInt64
  /// Bytes that were written.
  package var written: UInt64
  /// Bytes of these that the peer has confirmed.
  package var confirmed: UInt64
  /// Time without data in either direction, seconds.
  package var idleSeconds: Double

  /// Makes counts.
  package init(received: UInt64, written: UInt64, confirmed: UInt64, idleSeconds: Double) {
    (self.received, self.written) = (received, written)
    (self.confirmed, self.idleSeconds) = (confirmed, idleSeconds)
  }

  /// Reads the counts of a descriptor; nil where it is no TCP connection.
  package init?(of file: Int32) {
    var counts = linuxbus_traffic()
    guard linuxbus_traffic(file, &counts) == 0 else { return nil }
    self.init(
      received: counts.received, written: counts.confirmed + counts.outstanding,
      confirmed: counts.confirmed, idleSeconds: Double(counts.idle) * 1e-3)
  }
}

/// One end of a TCP connection behind a descriptor that another part of the program, such as a library, may
/// close at any time: the socket is compared before it is used, since a closed descriptor's number is given to
/// the next file.
package struct ForeignSocket: Sendable {
  /// The descriptor.
  package let file: Int32
  /// The number of the socket, equal for all its descriptors.
  package let identity: ino_t

  /// Finds a connected TCP socket of this program; nil for another file.
  /// - Parameters:
  ///   - file: The descriptor.
  ///   - port: Its own port.
  package init?(_ file: Int32, port: Int) {
    guard let identity = Self.identity(of: file), InternetEnd(of: file, getsockname)?.port == port,
      InternetEnd(of: file, getpeername) != nil
    else { return nil }
    (self.file, self.identity) = (file, identity)
  }

  /// The connections at a port among the open files of this program.
  /// - Parameters:
  ///   - port: Their own port.
  ///   - isNew: Whether a descriptor is to be looked at.
  /// - Returns: The connections, unordered.
  package static func all(port: Int, where isNew: (Int32) -> Bool) -> [ForeignSocket] {
    SystemFiles.names(in: "/proc/self/fd").compactMap { name in
      guard let file = Int32(name), isNew(file) else { return nil }
      return ForeignSocket(file, port: port)
    }
  }

  private static func identity(of file: Int32) -> ino_t? {
    var status = stat()
    return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFSOCK ? status.st_ino : nil
  }

  /// What the kernel has counted; nil once the descriptor is closed.
  package var traffic: ConnectionTraffic? {
    guard Self.identity(of: file) == identity else { return nil }
    return ConnectionTraffic(of: file)
  }

  /// Address and port of the peer, such as `192.0.2.1` and 50000; nil once the connection has ended.
  package var peer: (host: String, port: Int)? {
    InternetEnd(of: file, getpeername).map { ($0.host, $0.port) }
  }

  /// Runs `body` with another descriptor of the same socket, which the other part cannot close; false where the
  /// socket is closed already. `body` owns the descriptor.
  private func duplicate<Result>(_ body: (Int32) -> Result) -> Result? {
    let copy = fcntl(file, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { return nil }
    guard Self.identity(of: copy) == identity else {
      close(copy)
      return nil
    }
    return body(copy)
  }

  /// Ends the connection in both directions, without input or output that has not been read; the other part finds it
  /// ended.
  package func end() {
    _ = duplicate { copy in
      var now = linger(l_onoff: 1, l_linger: 0)
      setsockopt(copy, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
      shutdown(copy, Int32(SHUT_RDWR))
      // What was received before is discarded without a copy: tcp(7), MSG_TRUNC.
      for _ in 0..<16 {
        guard recv(copy, nil, 1 << 20, Int32(MSG_TRUNC) | Int32(MSG_DONTWAIT)) > 0 else { break }
      }
      close(copy)
    }
  }

  /// The same connection as a socket of its own, which stays open when the other part closes its own descriptor; nil
  /// where it is closed already.
  package func shared() -> StreamSocket? {
    let name = peer.map { "\($0.host):\($0.port)" } ?? "a client"
    return duplicate { StreamSocket(file: $0, peer: name) }
  }

  /// Limits the bytes that the kernel stores of a client before they are read, for all later connections of a
  /// listening socket.
  package static func limitInput(ofListener file: Int32, to bytes: Int32) {
    var bytes = bytes
    setsockopt(file, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Closes the descriptor in programs that are started, limits the unread output in the kernel, and detects a peer
  /// without network.
  package func bound(output bytes: Int32) {
    guard let socket = shared() else { return }
    socket.limitKernelQueue(to: bytes)
    socket.detectLoss()
    if Self.identity(of: file) == identity { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
  }
}
