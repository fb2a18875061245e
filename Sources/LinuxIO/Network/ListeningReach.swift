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
    self = .everywhere
    do throws(NetworkError) {
      let addresses = try InternetAddresses(host: Loopback.addresses(of: host)[0], port: 0)
      self = try addresses.first { (found) throws(NetworkError) in Self.reach(of: found) }
    } catch {
      // The listener's error names the host.
    }
  }

  private static func reach(of found: addrinfo) -> ListeningReach {
    guard let end = InternetEnd(found.ai_addr), end.address.contains(where: { $0 != 0 }) else {
      return .everywhere
    }
    if end.isLoopback { return .loopback(address: end.host, index: Self.index { $1 } ?? 1) }
    return Self.index { address, _ in address == end.address }.map(ListeningReach.interface)
      ?? .everywhere
  }

  /// The index of the first interface whose address fits.
  /// - Source: getifaddrs(3), if_nametoindex(3).
  private static func index(_ fits: (_ address: [UInt8]?, _ isLoopback: Bool) -> Bool) -> Int32? {
    var list: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&list) == 0 else { return nil }
    defer { freeifaddrs(list) }
    var next = list
    while let entry = next?.pointee {
      next = entry.ifa_next
      let isLoopback = entry.ifa_flags & UInt32(IFF_LOOPBACK) != 0
      guard fits(InternetEnd(entry.ifa_addr)?.address, isLoopback) else { continue }
      let index = if_nametoindex(entry.ifa_name)
      if index > 0 { return Int32(clamping: index) }
    }
    return nil
  }
}
