/// A host and a port at the begin of an address, each of which may be left out, and what follows. An
/// IPv6 address is in brackets.
struct NetworkPlace {
  var host: String?
  var port: UInt16?
  /// From the slash or the second colon on.
  var rest: Substring

  /// Reads an address after its scheme; nil for an invalid one.
  init?(_ text: Substring) {
    rest = text
    if rest.first == "[" {
      guard let end = rest.firstIndex(of: "]") else { return nil }
      let name = rest[rest.index(after: rest.startIndex)..<end]
      guard !name.isEmpty else { return nil }
      host = String(name)
      rest = rest[rest.index(after: end)...]
    } else {
      let name = rest.prefix { $0 != ":" && $0 != "/" }
      if !name.isEmpty { host = String(name) }
      rest = rest.dropFirst(name.count)
    }
    guard rest.first == ":" else { return }
    let digits = rest.dropFirst().prefix { $0 != ":" && $0 != "/" }
    guard let number = UInt16(digits), number > 0 else { return nil }
    port = number
    rest = rest.dropFirst(1 + digits.count)
  }

  /// A host and a port as text.
  static func text(_ host: String, _ port: UInt16) -> String {
    "\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }
}
