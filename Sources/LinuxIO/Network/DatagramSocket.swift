#if canImport(Glibc)
  import Glibc
#endif

/// A numeric address and port of datagrams, for one receiver, a group or all of a network.
public struct DatagramAddress: Sendable, Equatable, CustomStringConvertible {
  /// The IPv4 or IPv6 address.
  public let host: String
  /// The UDP port.
  public let port: Int

  /// The address of a text such as `192.168.1.255:10110` or `[::1]:10110`; nil for another text and
  /// for names, whose look-up takes time.
  public init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      (1...65_535).contains(port)
    else { return nil }
    let place = text[..<colon]
    let isBracketed = place.hasPrefix("[") && place.hasSuffix("]")
    let host = String(isBracketed ? place.dropFirst().dropLast() : place)
    var address = in6_addr()
    guard inet_pton(isBracketed ? AF_INET6 : AF_INET, host, &address) == 1 else { return nil }
    (self.host, self.port) = (host, port)
  }

  /// The text of the initializer.
  public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Sends datagrams to one address without waiting; closes with its last reference.
package final class DatagramSocket: Sendable {
  private let file: Int32
  private let name: String
  private let address: sockaddr_storage
  private let length: socklen_t

  /// Opens a socket.
  package init(to destination: DatagramAddress) throws(NetworkError) {
    let addresses = try InternetAddresses(
      host: destination.host, port: destination.port, flags: Int32(AI_NUMERICHOST), isDatagram: true
    )
    name = addresses.name
    (file, address, length) = try addresses.first { (found) throws(NetworkError) in
      let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let file = socket(found.ai_family, type, found.ai_protocol)
      guard file >= 0 else {
        throw NetworkError(code: errno, doing: "opening a socket", peer: addresses.name)
      }
      var address = sockaddr_storage()
      withUnsafeMutableBytes(of: &address) {
        $0.copyMemory(
          from: UnsafeRawBufferPointer(start: found.ai_addr, count: Int(found.ai_addrlen)))
      }
      return (file, address, found.ai_addrlen)
    }
    var on: Int32 = 1
    setsockopt(file, SOL_SOCKET, SO_BROADCAST, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Opens a socket for a Unix datagram socket, which need not exist before the first datagram.
  package init(path: String) throws(NetworkError) {
    let place = try UnixAddress(path: path)
    name = path
    let type = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    file = socket(AF_UNIX, type, 0)
    var address = sockaddr_storage()
    length = place.withPointer { pointer, length in
      withUnsafeMutableBytes(of: &address) {
        $0.copyMemory(from: UnsafeRawBufferPointer(start: pointer, count: Int(length)))
      }
      return length
    }
    self.address = address
    if file < 0 { throw NetworkError(code: errno, doing: "opening a socket", peer: path) }
  }

  deinit { close(file) }

  /// Sends one datagram; it is dropped where the kernel's queue is full.
  package func send(_ bytes: ArraySlice<UInt8>) throws(NetworkError) {
    let code = bytes.withUnsafeBytes { bytes in
      withUnsafeBytes(of: address) { address in
        let sent = sendto(
          file, bytes.baseAddress, bytes.count, 0,
          address.assumingMemoryBound(to: sockaddr.self).baseAddress, length)
        return sent < 0 ? errno : 0
      }
    }
    if code != 0, code != EAGAIN, code != ENOBUFS, code != EINTR {
      throw NetworkError(code: code, doing: "sending", peer: name)
    }
  }
}
