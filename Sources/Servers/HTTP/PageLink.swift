import LinuxIO
import Storage

/// The one-time link to the web page, which gives a token to the browser that opens it.
package struct PageLink: Sendable {
  /// The link by each address of this machine; the first is the most likely one.
  package let links: [String]
  /// True where only this machine reaches the page.
  package let isLocal: Bool

  /// Makes the link.
  /// - Parameters:
  ///   - address: Where the page is served.
  ///   - code: The one-time code.
  ///   - networks: The addresses of this machine, of IPv6 or IPv4.
  package init(
    to address: ServedAddress, code: String,
    networks: (_ isIPv6: Bool) -> [String] = { MachineAddress.ofNetworks(isIPv6: $0) }
  ) {
    isLocal = Loopback.contains(address.host)
    let hosts: [String]
    switch address.host {
    case "0.0.0.0": hosts = networks(false)
    case "::": hosts = networks(false) + networks(true)
    default: hosts = [address.host]
    }
    let named = MachineAddress.hostName.map { [$0 + ".local"] } ?? ["localhost"]
    links = (hosts.isEmpty ? named : hosts).map {
      "http://\($0.contains(":") ? "[\($0)]" : $0):\(address.port)/\(Self.fragment(code))"
    }
  }

  /// Makes the link with another beginning, such as that of a proxy.
  package init(to base: String, code: String) {
    links = [base + (base.hasSuffix("/") ? "" : "/") + Self.fragment(code)]
    isLocal = false
  }

  /// A fragment is not sent to servers, so it is in no log.
  private static func fragment(_ code: String) -> String { "#code=\(code)" }
}
