import LinuxIO
import Quantities

/// Refuses requests that a foreign web page makes by the browser of a user: by a name of its own
/// for this machine's address (DNS rebinding), or from its own pages.
package struct BrowserGuard: Sendable {
  private let names: Set<String>

  /// Allows numeric addresses, `localhost`, the machine's name with and without `.local`, and the
  /// given names. Any other name in `.local` can be another machine's of the same network.
  package init(names: [String], hostName: String? = MachineAddress.hostName) {
    var known = Set(names + ["localhost"])
    if let own = hostName?.lowercased(), let label = own.split(separator: ".").first {
      known.formUnion([own, String(label), "\(label).local"])
    }
    self.names = known
  }

  /// Why a request is refused; nil for an allowed one. A program that is no browser may omit both
  /// headers.
  package func fault(host: String?, origin: String?) -> String? {
    guard let host = host?.lowercased() else {
      return origin == nil ? nil : "a request with the header Origin needs the header Host"
    }
    let name = Self.name(host)
    guard MachineAddress.isNumeric(name) || names.contains(name) else {
      return
        "'\(String(printable: name))' is no known name of this machine: add it to http-names, or use its address"
    }
    guard let origin = origin?.lowercased() else { return nil }
    // Browsers send the scheme of the page; some WebSocket libraries, as OpenCPN's, that of their
    // own address.
    let schemes = [
      ("http://", ":80"), ("https://", ":443"), ("ws://", ":80"), ("wss://", ":443"),
    ]
    for (scheme, port) in schemes where origin.hasPrefix(scheme) {
      func short(_ text: Substring) -> Substring {
        text.hasSuffix(port) ? text.dropLast(port.count) : text
      }
      if short(origin.dropFirst(scheme.count)) == short(host[...]) { return nil }
    }
    return "requests of pages of '\(String(printable: origin))' are refused"
  }

  /// The name of `name:port`, `[address]:port`, or without a port; a final dot is left out.
  private static func name(_ host: String) -> String {
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
    let name = host.prefix { $0 != ":" }
    return String(name.hasSuffix(".") ? name.dropLast() : name)
  }
}
