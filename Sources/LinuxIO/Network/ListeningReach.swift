#if canImport(Glibc)
  import Glibc
#endif

/// The network interfaces through which an address of this machine is reached.
package enum ListeningReach: Equatable, Sendable {
  /// All interfaces.
  case everywhere
  /// One interface, by the kernel's index.
  case interface(Int32)
  /// This machine alone: the numeric address, and the index of the loopback interface.
  case loopback(address: String, index: Int32)

  /// True where only this machine reaches it.
  package var isLoopback: Bool {
    guard case .loopback = self else { return false }
    return true
  }

  /// The reach of a name or a numeric address; everywhere where it is none of this machine.
  package init(host: String) {
    let host = host == "localhost" ? "127.0.0.1" : host
    self = .everywhere
    do throws(NetworkError) {
      let addresses = try InternetAddresses(host: host, port: 0)
      self = try addresses.first { (found) throws(NetworkError) in Self.reach(of: found) }
    } catch {
      // The listener's error names the host.
    }
  }

  private static func reach(of found: addrinfo) -> ListeningReach {
    let bytes = Self.bytes(of: found.ai_addr)
    guard let bytes, bytes.contains(where: { $0 != 0 }) else { return .everywhere }
    // ::1 is the only other address that begins with 15 zeros.
    let isLoopback = bytes.count == 4 ? bytes[0] == 127 : bytes.dropLast().allSatisfy { $0 == 0 }
    if isLoopback {
      let numbers = bytes.count == 4 ? bytes.map { "\($0)" }.joined(separator: ".") : "::1"
      return .loopback(address: numbers, index: Self.index { $0.isLoopback } ?? 1)
    }
    return Self.index { $0.bytes == bytes }.map(ListeningReach.interface) ?? .everywhere
  }

  /// The bytes of an internet address; nil for another family.
  private static func bytes(of address: UnsafeMutablePointer<sockaddr>?) -> [UInt8]? {
    guard let address else { return nil }
    let raw = UnsafeRawPointer(address)
    switch Int32(address.pointee.sa_family) {
    case AF_INET:
      return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in.self).sin_addr) { Array($0) }
    case AF_INET6:
      return withUnsafeBytes(of: raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr) { Array($0) }
    default: return nil
    }
  }

  /// The index of the first interface whose address fits.
  /// - Source: getifaddrs(3), if_nametoindex(3).
  private static func index(_ fits: ((bytes: [UInt8]?, isLoopback: Bool)) -> Bool) -> Int32? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      let isLoopback = entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0
      guard fits((bytes(of: entry.ifa_addr), isLoopback)) else { continue }
      let index = if_nametoindex(entry.ifa_name)
      if index > 0 { return Int32(clamping: index) }
    }
    return nil
  }
}
