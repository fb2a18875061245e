/// Where sentences come from over the network: `tcp://HOST:PORT`, a server's, or
/// `udp://[ADDRESS]:PORT`, datagrams to this machine.
public enum SentenceFeed: Equatable, Sendable {
  /// A server.
  case tcp(host: String, port: Int)
  /// Datagrams to an address of this machine; nil for all of its IPv4 addresses.
  case udp(address: String?, port: Int)

  /// The form of an address, for messages.
  public static var form: String { "tcp://HOST:PORT or udp://[ADDRESS]:PORT" }

  /// Reads an address; nil for another text, such as a device.
  public init?(_ text: String) {
    guard let scheme = text.firstRange(of: "://") else { return nil }
    let rest = text[scheme.upperBound...]
    guard let colon = rest.lastIndex(of: ":"), let port = Int(rest[rest.index(after: colon)...]),
      (1...65_535).contains(port)
    else { return nil }
    var host = rest[..<colon]
    // An IPv6 address is in brackets.
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.contains(where: { "[]/@".contains($0) || $0.isWhitespace }) else { return nil }
    switch text[..<scheme.lowerBound] {
    case "tcp" where !host.isEmpty: self = .tcp(host: String(host), port: port)
    case "udp": self = .udp(address: host.isEmpty ? nil : String(host), port: port)
    default: return nil
    }
  }

  /// Whether a text is meant as such an address.
  package static func isNamed(by text: String) -> Bool {
    text.hasPrefix("tcp://") || text.hasPrefix("udp://")
  }
}

extension Board.Receiver {
  /// The feed in the network; nil for a device of this machine and for a gpsd daemon.
  public var feed: SentenceFeed? { SentenceFeed(port) }
}
