#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// One end of an Internet connection, the source of a datagram, or the address of an interface.
struct InternetEnd: Hashable {
  /// In network byte order: 4 or 16 bytes.
  let address: [UInt8]
  /// The port; 0 for the address of an interface.
  let port: Int

  /// Reads the address of a socket; nil for another family.
  /// - Source: `sockaddr_in` and `sockaddr_in6` of ip(7) and ipv6(7): the port is at the same
  ///   offset, in network byte order.
  init?(_ socketAddress: UnsafePointer<sockaddr>?) {
    guard let socketAddress else { return nil }
    let range: Range<Int>
    switch Int32(socketAddress.pointee.sa_family) {
    case AF_INET: range = 4..<8
    case AF_INET6: range = 8..<24
    default: return nil
    }
    let bytes = UnsafeRawBufferPointer(start: socketAddress, count: range.upperBound)
    (address, port) = (Array(bytes[range]), Int(bytes[2]) << 8 | Int(bytes[3]))
  }

  /// Reads the source of a datagram; nil for another family.
  init?(_ storage: sockaddr_storage) {
    let end = withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { InternetEnd($0) }
    }
    guard let end else { return nil }
    self = end
  }

  /// Asks the kernel for an end of a socket; nil where it has none, or for another family.
  /// - Parameters:
  ///   - file: The descriptor.
  ///   - get: `getsockname` for its own end, `getpeername` for the other one.
  init?(
    of file: Int32,
    _ get: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let isKnown = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { get(file, $0, &size) == 0 }
    }
    guard isKnown else { return nil }
    self.init(storage)
  }

  /// Reads a numeric address, IPv6 without brackets; nil for other text.
  init?(numeric text: String) {
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 {
      (address, port) = (Array(bytes[..<4]), 0)
    } else if inet_pton(AF_INET6, text, &bytes) == 1 {
      (address, port) = (bytes, 0)
    } else {
      return nil
    }
  }

  /// Reads an address of `/proc/net/tcp` or `/proc/net/tcp6`, `0100007F:1F90`: words of 32 bits in
  /// the machine's order. IPv4 in IPv6 becomes IPv4.
  init?(listed text: Substring) {
    let parts = text.split(separator: ":")
    guard parts.count == 2, parts[0].count == 8 || parts[0].count == 32,
      let port = Int(parts[1], radix: 16)
    else { return nil }
    var bytes: [UInt8] = []
    var rest = parts[0]
    while !rest.isEmpty {
      guard let word = UInt32(rest.prefix(8), radix: 16) else { return nil }
      withUnsafeBytes(of: word) { bytes += $0 }
      rest = rest.dropFirst(8)
    }
    self = InternetEnd(address: bytes, port: port).unmapped
  }

  private init(address: [UInt8], port: Int) { (self.address, self.port) = (address, port) }

  /// The same end, with IPv4 in IPv6 as IPv4.
  var unmapped: InternetEnd {
    isMapped ? InternetEnd(address: Array(address[12...]), port: port) : self
  }

  private var isMapped: Bool {
    address.count == 16 && address[..<10].allSatisfy { $0 == 0 } && address[10] == 255
      && address[11] == 255
  }

  /// The numeric address, IPv6 without brackets.
  var host: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(address.count == 4 ? AF_INET : AF_INET6, address, &text, socklen_t(text.count))
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether the address is this machine's own, 127.0.0.0/8 or ::1, in either family.
  var isLoopback: Bool {
    if address.count == 4 { return address[0] == 127 }
    return isMapped
      ? address[12] == 127 : address[..<15].allSatisfy { $0 == 0 } && address[15] == 1
  }
}

/// The name and the addresses that only this machine reaches.
package enum Loopback {
  /// Whether a host is `localhost` or a numeric address in 127.0.0.0/8 or ::1.
  package static func contains(_ host: String) -> Bool {
    host == "localhost" || InternetEnd(numeric: host)?.isLoopback ?? false
  }

  /// The addresses at which a server of a host listens: for `localhost` 127.0.0.1 and ::1, which a
  /// machine without IPv6 has not.
  package static func addresses(of host: String) -> [String] {
    host == "localhost" ? ["127.0.0.1", "::1"] : [host]
  }
}
