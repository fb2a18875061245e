import CLinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// A connection to a TCP server. Used from one thread; closed in `deinit`.
public final class TCPStream {
  /// The given server, such as `localhost:2947`.
  public let peer: String

  private let file: Int32

  /// Interval between checks for a stop while connecting, nanoseconds.
  private static var longestWait: UInt64 { 200_000_000 }

  /// Connects to the first of the host's addresses that answers.
  ///
  /// The deadline does not limit the look-up of a name by the system's resolver.
  /// - Parameters:
  ///   - host: A name or an address of either version.
  ///   - port: The server's.
  ///   - deadline: The end of the attempt, on `CLOCK_MONOTONIC`.
  ///   - isStopped: Called several times a second; true ends the attempt.
  /// - Throws: `NetworkError` of the last address.
  public init(
    host: String, port: UInt16, until deadline: Timestamp, isStopped: () -> Bool = { false }
  ) throws(NetworkError) {
    // An IPv6 address contains colons.
    peer = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_protocol = Int32(IPPROTO_TCP)
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, "\(port)", &hints, &list)
    guard status == 0 else {
      let reason = gai_strerror(status).map { String(cString: $0) } ?? "error \(status)"
      throw NetworkError(.hostNotFound(reason), peer: peer)
    }
    defer { freeaddrinfo(list) }
    var failure = NetworkError(.hostNotFound("it has no address"), peer: peer)
    var next = list
    while let address = next?.pointee {
      do throws(NetworkError) {
        file = try Self.connected(address, peer, deadline, isStopped)
        Self.watch(file)
        return
      } catch {
        failure = error
      }
      if failure.kind == .stopped { break }
      next = address.ai_next
    }
    throw failure
  }

  deinit { close(file) }

  /// Reads received bytes, at most as many as fit.
  /// - Parameters:
  ///   - bytes: The destination.
  ///   - deadline: The end of the wait for the first byte.
  /// - Returns: The number of bytes; 0 at the deadline.
  /// - Throws: `NetworkError`; `.closed` once the peer has closed the connection and all bytes are read.
  public func read(
    into bytes: UnsafeMutableRawBufferPointer, until deadline: Timestamp
  ) throws(NetworkError) -> Int {
    guard !bytes.isEmpty else { return 0 }
    while true {
      guard try wait(for: POLLIN, until: deadline, doing: "reading") else { return 0 }
      let count = recv(file, bytes.baseAddress, bytes.count, 0)
      if count > 0 { return count }
      if count == 0 { throw NetworkError(.closed, peer: peer) }
      if errno != EINTR && errno != EAGAIN {
        throw NetworkError(code: errno, doing: "reading", peer: peer)
      }
    }
  }

  /// Writes all of the bytes; returns when the kernel has accepted them.
  public func write(
    _ bytes: UnsafeRawBufferPointer, until deadline: Timestamp
  ) throws(NetworkError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      // Without the flag a closed peer would end the process by SIGPIPE.
      let count = send(file, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      if count > 0 {
        done += count
      } else if count == 0 || errno == EAGAIN {
        guard try wait(for: POLLOUT, until: deadline, doing: "writing") else {
          throw NetworkError(.timedOut, peer: peer)
        }
      } else if errno != EINTR {
        throw NetworkError(code: errno, doing: "writing", peer: peer)
      }
    }
  }

  /// Waits for an event; false at the deadline.
  private func wait(
    for events: Int32, until deadline: Timestamp, doing: String
  ) throws(NetworkError) -> Bool {
    var descriptor = pollfd(fd: file, events: Int16(events), revents: 0)
    let ready = linuxbus_poll(&descriptor, 1, deadline.nanoseconds)
    if ready < 0 { throw NetworkError(code: -ready, doing: doing, peer: peer) }
    return ready > 0
  }

  private static func connected(
    _ address: addrinfo, _ peer: String, _ deadline: Timestamp, _ isStopped: () -> Bool
  ) throws(NetworkError) -> Int32 {
    let type = address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let file = socket(address.ai_family, type, address.ai_protocol)
    guard file >= 0 else { throw NetworkError(code: errno, doing: "opening a socket", peer: peer) }
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
      var descriptor = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
      let ready = linuxbus_poll(&descriptor, 1, slice.nanoseconds)
      if ready < 0 { throw NetworkError(code: -ready, doing: "connecting", peer: peer) }
      if ready > 0 { break }
      if slice == deadline { throw NetworkError(.timedOut, peer: peer) }
    }
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    if getsockopt(file, SOL_SOCKET, SO_ERROR, &code, &size) < 0 { code = errno }
    if code != 0 { throw NetworkError(code: code, doing: "connecting", peer: peer) }
  }

  /// Enables keep-alive, so that the kernel detects a peer without power or network: probes after 15 s of
  /// silence, and an error after three unanswered probes.
  private static func watch(_ file: Int32) {
    let options: [(level: Int32, name: Int32, value: Int32)] = [
      (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 15),
      (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
    ]
    for option in options {
      var value = option.value
      // If an option is refused, the kernel detects the loss later.
      setsockopt(
        file, option.level, option.name, &value, socklen_t(MemoryLayout<Int32>.size))
    }
  }
}
