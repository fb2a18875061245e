import LinuxIO
import Storage

/// Who may read over HTTP.
public enum HTTPReaders: String, Sendable, CaseIterable {
  /// Everyone who reaches the port.
  case anyone
  /// Browsers and programs with a token.
  case token
}

/// The web page, the JSON interface and the metrics.
public struct HTTPSettings: Sendable, Equatable {
  /// The address and the port.
  public var address = StreamAddress()
  /// Who may read.
  public var readers = HTTPReaders.anyone
  /// Names by which browsers may address the server, beside the machine's own: those of a proxy.
  public var names: [String] = []

  /// Makes the default settings, without a port.
  public init() {}

  /// The TCP port; nil for none.
  public var port: Int? {
    get { address.port }
    set { address.port = newValue }
  }

  /// Where the page is served, for links; nil for nowhere.
  var served: ServedAddress? { port.map { ServedAddress(host: address.host, port: $0) } }

  static var keys: [ServeKey] {
    [
      .port("http-port", \.http.address.port),
      .text("http-address", allowed: HTTPService.allowedHosts, \.http.address.host),
      ServeKey(
        "http-read", allowed: HTTPReaders.allCases.map(\.rawValue).joined(separator: ", "),
        \.http.readers, read: { HTTPReaders(rawValue: $0) }, text: { $0.rawValue }),
      ServeKey(
        "http-names", allowed: "host names without ports, separated by commas", \.http.names,
        read: names, text: { $0.isEmpty ? nil : $0.joined(separator: ",") }),
    ]
  }

  private static func names(_ text: String) -> [String]? {
    let names = text.lowercased().split(separator: ",").map {
      String($0.drop { $0 == " " }.prefix { $0 != " " })
    }
    let isValid = names.allSatisfy { name in
      !name.isEmpty
        && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
    }
    return isValid && !names.isEmpty ? names : nil
  }
}
