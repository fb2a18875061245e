import CLinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A connected stream socket, Unix or TCP: it never blocks beyond a deadline, no program that is
/// started inherits it, and it closes with its last reference.
public final class StreamSocket: Sendable {
  /// The other end, such as `localhost:2947`, or the path of a Unix socket.
  public let peer: String
  /// The descriptor, for `poll`.
  package let file: Int32

  /// Interval between checks for a stop while connecting and writing, nanoseconds.
  private static var longestWait: UInt64 { 200_000_000 }

  /// Takes a connected descriptor.
  package init(file: Int32, peer: String) { (self.file, self.peer) = (file, peer) }

  deinit { close(file) }

  // MARK: Connecting

  /// Connects to a Unix socket, which answers at once or not at all.
  package convenience init(path: String) throws(NetworkError) {
    let address = try UnixAddress(path: path)
    self.init(file: try Self.open(AF_UNIX, peer: path), peer: path)
    let code = address.withPointer { connect(file, $0, $1) == 0 ? 0 : errno }
    if code != 0 { throw NetworkError(code: code, doing: "connecting", peer: path) }
  }

  /// Connects to the first of the host's addresses that answers.
  ///
  /// The deadline does not limit the look-up of a name by the system's resolver.
  /// - Parameters:
  ///   - host: A name or an address of either version.
  ///   - port: The server's.
  ///   - deadline: The end of the attempt, on `CLOCK_MONOTONIC`.
  ///   - isStopped: Called several times a second; true ends the attempt.
  /// - Throws: `NetworkError` of the last address.
  public convenience init(
    host: String, port: Int, until deadline: Timestamp, isStopped: () -> Bool = { false }
  ) throws(NetworkError) {
    let addresses = try InternetAddresses(host: host, port: port)
    let file = try addresses.first { (address) throws(NetworkError) in
      try Self.connected(address, addresses.name, deadline, isStopped)
    }
    self.init(file: file, peer: addresses.name)
    detectLoss()
  }

  /// A socket that does not block and is closed in programs that are started.
  static func open(_ family: Int32, _ number: Int32 = 0, peer: String) throws(NetworkError) -> Int32
  {
    let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let file = socket(family, type, number)
    guard file >= 0 else { throw NetworkError(code: errno, doing: "opening a socket", peer: peer) }
    return file
  }

  private static func connected(
    _ address: addrinfo, _ peer: String, _ deadline: Timestamp, _ isStopped: () -> Bool
  ) throws(NetworkError) -> Int32 {
    let file = try open(address.ai_family, address.ai_protocol, peer: peer)
    do throws(NetworkError) {
      if connect(file, address.ai_addr, address.ai_addrlen) == 0 { return file }
      guard errno == EINPROGRESS || errno == EINTR else {
        throw NetworkError(code: errno, doing: "connecting", peer: peer)
      }
      try finish(file, peer, deadline, isStopped)
      return file
    } catch {
      close(file)
      throw error
    }
  }

  /// Waits until the connection is made or refused.
  private static func finish(
    _ file: Int32, _ peer: String, _ deadline: Timestamp, _ isStopped: () -> Bool
  ) throws(NetworkError) {
    while true {
      if isStopped() { throw NetworkError(.stopped, peer: peer) }
      let slice = min(deadline, MonotonicClock.now.advanced(byNanoseconds: longestWait))
      if try wait(file, for: POLLOUT, until: slice, doing: "connecting", peer) { break }
      if slice == deadline { throw NetworkError(.timedOut, peer: peer) }
    }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    if getsockopt(file, SOL_SOCKET, SO_ERROR, &code, &size) < 0 { code = errno }
    if code != 0 { throw NetworkError(code: code, doing: "connecting", peer: peer) }
  }

  /// Enables keep-alive, so that the kernel detects a peer without power or network: probes after
  /// 15 s of silence, and an error after three unanswered probes, or after 30 s in which the peer
  /// accepts nothing.
  package func detectLoss() {
    let options: [(level: Int32, name: Int32, value: Int32)] = [
      (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 15),
      (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
      (Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, 30_000),
    ]
    // If an option is refused, the kernel detects the loss later.
    for option in options { set(option.name, option.value, level: option.level) }
  }

  private func set(_ name: Int32, _ value: Int32, level: Int32 = SOL_SOCKET) {
    var value = value
    setsockopt(file, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Limits the unread bytes that the kernel stores for the other end, approximately.
  package func limitKernelQueue(to bytes: Int32) { set(SO_SNDBUF, bytes) }

  /// Ends the output: the other end reads what was written, and then the end.
  package func finishWriting() { shutdown(file, Int32(SHUT_WR)) }

  /// The address of the other end; nil for a Unix socket.
  package var peerHost: String? { InternetEnd(of: file, getpeername)?.host }

  /// Whether the other end is a server of this process: its output would be its input.
  package var isOwnServer: Bool {
    guard let other = InternetEnd(of: file, getpeername),
      let this = InternetEnd(of: file, getsockname),
      other.isLoopback || other.address == this.address
    else { return false }
    return PortOwner.ownPorts(datagrams: false).contains(other.port)
  }

  // MARK: Bytes

  /// Reads the bytes that have arrived, up to the size of the destination.
  /// - Parameter bytes: The destination, not empty.
  /// - Returns: The number of bytes; 0 where none has arrived.
  /// - Throws: `NetworkError`; `.closed` once the peer has closed the connection and all bytes are
  ///   read.
  public func read(into bytes: inout [UInt8]) throws(NetworkError) -> Int {
    while true {
      let count = bytes.withUnsafeMutableBytes { recv(file, $0.baseAddress, $0.count, 0) }
      if count > 0 { return count }
      if count == 0 { throw NetworkError(.closed, peer: peer) }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw NetworkError(code: errno, doing: "reading", peer: peer) }
    }
  }

  /// Waits for bytes and reads them.
  /// - Parameters:
  ///   - bytes: The destination, not empty.
  ///   - deadline: The end of the wait for the first byte.
  /// - Returns: The number of bytes; 0 at the deadline.
  /// - Throws: `NetworkError`; `.closed` once the peer has closed the connection and all bytes are
  ///   read.
  public func read(
    into bytes: inout [UInt8], until deadline: Timestamp
  ) throws(NetworkError) -> Int {
    while try Self.wait(file, for: POLLIN, until: deadline, doing: "reading", peer) {
      let count = try read(into: &bytes)
      if count > 0 { return count }
    }
    return 0
  }

  /// Writes the bytes that the kernel accepts at once.
  /// - Returns: The number of bytes written, from the first on.
  /// - Throws: `NetworkError`; `.closed` where the peer has closed the connection.
  public func write(_ bytes: ArraySlice<UInt8>) throws(NetworkError) -> Int {
    while true {
      // Without the flag a closed peer would end the process by SIGPIPE.
      let count = bytes.withUnsafeBytes {
        send(file, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 { return count }
      if errno == EAGAIN { return 0 }
      if errno != EINTR { throw NetworkError(code: errno, doing: "writing", peer: peer) }
    }
  }

  /// Writes all of the bytes; returns when the kernel has accepted them.
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - deadline: The end of the attempt, on `CLOCK_MONOTONIC`.
  ///   - isStopped: Called several times a second while the peer accepts nothing; true ends the
  ///     attempt.
  /// - Throws: `NetworkError`; `.timedOut` at the deadline, `.stopped` after a stop.
  public func write(
    _ bytes: [UInt8], until deadline: Timestamp, isStopped: () -> Bool = { false }
  ) throws(NetworkError) {
    var done = 0
    while done < bytes.count {
      let count = try write(bytes[done...])
      done += count
      guard count == 0 else { continue }
      if isStopped() { throw NetworkError(.stopped, peer: peer) }
      let slice = min(deadline, MonotonicClock.now.advanced(byNanoseconds: Self.longestWait))
      let isReady = try Self.wait(file, for: POLLOUT, until: slice, doing: "writing", peer)
      if !isReady, slice == deadline { throw NetworkError(.timedOut, peer: peer) }
    }
  }

  /// Waits for an event; false at the deadline.
  private static func wait(
    _ file: Int32, for events: Int32, until deadline: Timestamp, doing: String, _ peer: String
  ) throws(NetworkError) -> Bool {
    var descriptor = pollfd(fd: file, events: Int16(events), revents: 0)
    let ready = linuxbus_poll(&descriptor, 1, deadline.nanoseconds)
    if ready < 0 { throw NetworkError(code: -ready, doing: doing, peer: peer) }
    return ready > 0
  }
}
