/// A server of the daemon that other machines may be permitted to reach, by the prefix of its keys.
enum NetworkServer: String, CaseIterable, Sendable {
  case gpsd, http, nmea
  case signalK = "signalk"

  /// The key of its port.
  var portKey: String { "\(rawValue)-port" }

  /// The key of its address.
  var addressKey: String { "\(rawValue)-address" }

  /// The port without the key; 0 for none.
  var usualPort: String {
    switch self {
    case .gpsd: "2947"
    case .http: "8090"
    case .nmea, .signalK: "0"
    }
  }

  /// Its name in questions.
  var title: String {
    switch self {
    case .gpsd: "gpsd's protocol"
    case .http: "the web page"
    case .nmea: "NMEA 0183"
    case .signalK: "Signal K"
    }
  }

  /// Whether access can be limited to those who have a token.
  var hasTokens: Bool { self == .http }

  /// All IPv4 networks of this machine.
  static let everywhere = "0.0.0.0"
}
