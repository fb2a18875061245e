import CLinuxIO
import Quantities

#if canImport(Glibc)
  import Glibc
#endif

/// Receives datagrams at a port of this machine; closes with its last reference. Used from one
/// thread.
package final class DatagramReceiver {
  /// The largest datagram of UDP, bytes.
  private static let mostInDatagram = 65_536
  /// Seconds after which the ports of this process are looked up again.
  private static let portLifetime = 1.0

  /// The address and port, for messages.
  package let name: String
  private let file: Int32
  private var datagram = [UInt8](repeating: 0, count: mostInDatagram)
  private var ownPorts: (ports: Set<Int>, at: Timestamp)?

  /// Binds a port, which other programs may also bind.
  /// - Parameters:
  ///   - address: An address of this machine; nil for all of its IPv4 addresses.
  ///   - port: The port; for 0 the kernel chooses one.
  /// - Throws: `NetworkError`.
  package init(address: String?, port: Int) throws(NetworkError) {
    let addresses = try InternetAddresses(
      host: address ?? "0.0.0.0", port: port, flags: Int32(AI_NUMERICHOST), isDatagram: true)
    let place = addresses.name
    name = place
    file = try addresses.first { (found) throws(NetworkError) in
      let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let file = socket(found.ai_family, type, found.ai_protocol)
      guard file >= 0 else {
        throw NetworkError(code: errno, doing: "opening a socket", peer: place)
      }
      // Several programs receive the datagrams of a broadcast.
      var on: Int32 = 1
      setsockopt(file, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
      guard bind(file, found.ai_addr, found.ai_addrlen) == 0 else {
        let code = errno
        close(file)
        throw NetworkError(code: code, doing: "binding", peer: place)
      }
      return file
    }
  }

  deinit { close(file) }

  /// The port.
  package var port: Int? { InternetEnd(of: file, getsockname)?.port }

  /// Waits for a datagram. Those of this process are ignored: its output would be its input.
  /// - Returns: Its bytes; empty at the deadline.
  package func next(until deadline: Timestamp) throws(NetworkError) -> ArraySlice<UInt8> {
    while true {
      var descriptor = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
      let ready = linuxbus_poll(&descriptor, 1, deadline.nanoseconds)
      if ready < 0 { throw NetworkError(code: -ready, doing: "reading", peer: name) }
      if ready == 0 { return [] }
      var source = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      let count = datagram.withUnsafeMutableBytes { bytes in
        withUnsafeMutableBytes(of: &source) {
          $0.withMemoryRebound(to: sockaddr.self) {
            recvfrom(file, bytes.baseAddress, bytes.count, 0, $0.baseAddress, &size)
          }
        }
      }
      if count > 0, !isOwn(source) { return datagram[..<count] }
      // A flood of ignored datagrams must not extend the wait.
      if MonotonicClock.now >= deadline { return [] }
      // ECONNREFUSED and the like belong to an earlier datagram.
      if count < 0, errno == EBADF || errno == ENOMEM {
        throw NetworkError(code: errno, doing: "reading", peer: name)
      }
    }
  }

  private func isOwn(_ source: sockaddr_storage) -> Bool {
    guard let end = InternetEnd(source) else { return false }
    let now = MonotonicClock.now
    var known = ownPorts ?? (sendingPorts, now)
    if now.seconds(since: known.at) > Self.portLifetime { known = (sendingPorts, now) }
    ownPorts = known
    return known.ports.contains(end.port) && isOfThisMachine(source)
  }

  /// The ports of this process without the receiver's own, at which other programs may be bound
  /// too.
  private var sendingPorts: Set<Int> {
    PortOwner.ownPorts(datagrams: true).subtracting([port].compactMap { $0 })
  }

  /// Only an address of this machine can be bound.
  private func isOfThisMachine(_ source: sockaddr_storage) -> Bool {
    var address = source
    let probe = socket(
      Int32(address.ss_family), Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else { return false }
    defer { close(probe) }
    return withUnsafeMutableBytes(of: &address) { bytes in
      // Port 0: any.
      (bytes[2], bytes[3]) = (0, 0)
      return bytes.withMemoryRebound(to: sockaddr.self) {
        bind(probe, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_storage>.size)) == 0
      }
    }
  }
}
