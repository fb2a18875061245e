/// Where this program's own Signal K server is reached. A connection of signalk-server to another
/// Signal K server replaces `$source` by `CONNECTION.HOST:PORT`, so that only this address tells
/// whose values they are.
///
/// - Source: signalk-server, `packages/streams/src/mdns-ws.ts`.
package struct SignalKOwnPlaces: Equatable, Sendable {
  /// The names and addresses of this machine, in lower case, IPv6 without brackets.
  package var hosts: Set<String>
  /// The ports at which this program listens.
  package var ports: Set<Int>

  /// Makes the places of a program; by default of one without a server.
  package init(hosts: Set<String> = [], ports: Set<Int> = []) {
    (self.hosts, self.ports) = (hosts, ports)
  }

  /// Whose values they are.
  enum Verdict { case own, other, unknown }

  /// A source's `CONNECTION.HOST:PORT`. Both names may have dots.
  struct Tail {
    /// The host with each possible part of the connection's name, the shortest last.
    let hosts: [Substring]
    let port: Int

    /// Reads a source in lower case; nil for another form.
    init?(of source: String) {
      guard let colon = source.lastIndex(of: ":"),
        let port = UInt16(source[source.index(after: colon)...]), port > 0
      else { return nil }
      self.port = Int(port)
      var hosts = [source[..<colon]]
      while let rest = hosts.last, let dot = rest.firstIndex(of: ".") {
        hosts.append(rest[rest.index(after: dot)...])
      }
      // The name of a server in the domain `local` may end in a dot.
      self.hosts = hosts.map { host in
        let isInBrackets = host.hasPrefix("[") && host.hasSuffix("]")
        return isInBrackets
          ? host.dropFirst().dropLast() : host.hasSuffix(".") ? host.dropLast() : host
      }
    }
  }

  /// Whether an address is this program's own server. Unknown if this program has no server, or if
  /// the port is its own and the host name may be an alias of this machine.
  func verdict(on tail: Tail) -> Verdict {
    guard !ports.isEmpty else { return .unknown }
    guard ports.contains(tail.port) else { return .other }
    if tail.hosts.contains(where: { hosts.contains(String($0)) }) { return .own }
    return tail.hosts.contains(where: Self.isOfOneMachine) ? .other : .unknown
  }

  /// Whether a host is a name or an address that no other machine has: IPv4, IPv6, or `….local`.
  package static func isOfOneMachine(_ host: some StringProtocol) -> Bool {
    let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
    return host.hasSuffix(".local") || host.contains(":")
      || numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
  }
}
