#if canImport(Glibc)
  import Glibc
#endif

/// The addresses of this machine in its networks, and its name.
package enum MachineAddress {
  /// The numeric addresses of the interfaces that are up, those of private networks first: another
  /// device of the boat or the house reaches them. Loopback, link-local and IPv6 addresses of one
  /// network only are left out.
  /// - Source: RFC 1918; RFC 3927.
  package static func ofNetworks(isIPv6: Bool = false) -> [String] {
    var found: [String] = []
    forEach { end, flags in
      let isUsable = flags & UInt32(IFF_UP) != 0 && flags & UInt32(IFF_LOOPBACK) == 0
      guard isUsable, end.address.count == (isIPv6 ? 16 : 4) else { return }
      let number = end.host
      if !number.hasPrefix("169.254."), !number.hasPrefix("fe80:"), !found.contains(number) {
        found.append(number)
      }
    }
    return found.filter(isPrivate) + found.filter { !isPrivate($0) }
  }

  /// The addresses of all interfaces, in network byte order.
  static var all: Set<[UInt8]> {
    var found: Set<[UInt8]> = []
    forEach { end, _ in found.insert(end.address) }
    return found
  }

  /// Calls `body` with each address and the flags of its interface.
  /// - Source: getifaddrs(3).
  private static func forEach(_ body: (InternetEnd, UInt32) -> Void) {
    var first: UnsafeMutablePointer<ifaddrs>?
    guard getifaddrs(&first) == 0 else { return }
    defer { freeifaddrs(first) }
    var next = first
    while let entry = next?.pointee {
      next = entry.ifa_next
      if let end = InternetEnd(entry.ifa_addr) { body(end, entry.ifa_flags) }
    }
  }

  /// The machine's name; nil if it has none.
  package static var hostName: String? {
    var text = [CChar](repeating: 0, count: 256)
    let code = gethostname(&text, text.count - 1)
    let name = string(text)
    return code == 0 && !name.isEmpty ? name : nil
  }

  /// True for a numeric address, IPv6 without brackets.
  package static func isNumeric(_ text: String) -> Bool { InternetEnd(numeric: text) != nil }

  private static func string(_ text: [CChar]) -> String {
    String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func isPrivate(_ address: String) -> Bool {
    let parts = address.split(separator: ".").compactMap { Int($0) }
    guard parts.count == 4 else { return false }
    return parts[0] == 10 || (parts[0] == 192 && parts[1] == 168)
      || (parts[0] == 172 && (16..<32).contains(parts[1]))
  }
}
