import FoundationEssentials
import LinuxIO

/// A server of trackers: `mqtt://`, `mqtts://`, `http://` or `https://`.
public enum TrackerServer: Sendable, Equatable, CustomStringConvertible {
  /// A broker.
  case mqtt(MQTTBroker)
  /// A URL.
  case http(String)

  /// Reads an address; nil for another text, and for one with a user.
  public init?(_ text: String) {
    if let broker = MQTTBroker(text) {
      self = .mqtt(broker)
      return
    }
    guard let parts = URLComponents(string: text), let host = parts.host, !host.isEmpty,
      ["http", "https"].contains(parts.scheme), parts.user == nil, parts.password == nil,
      parts.fragment == nil, (1...65_535).contains(parts.port ?? 80)
    else { return nil }
    self = .http(text)
  }

  /// The complete text.
  public var description: String {
    switch self {
    case .mqtt(let broker): broker.description
    case .http(let url): url
    }
  }

  /// The scheme, host and port, for messages: a path may be a secret, as that of a webhook.
  var place: String {
    switch self {
    case .mqtt(let broker): return broker.description
    case .http(let url):
      guard var parts = URLComponents(string: url) else { return "the server" }
      (parts.path, parts.query) = ("", nil)
      return parts.string ?? "the server"
    }
  }

  /// Whether it is on this machine.
  package var isLocal: Bool {
    switch self {
    case .mqtt(let broker): broker.isLocal
    case .http(let url): Loopback.contains(URLComponents(string: url)?.host ?? "")
    }
  }

  /// Whether what is sent can be read on the way: without TLS, to another machine.
  var isReadable: Bool {
    switch self {
    case .mqtt(let broker): !broker.isEncrypted && !isLocal
    case .http(let url): url.hasPrefix("http:") && !isLocal
    }
  }
}

/// A server to which positions are reported.
public struct TrackerSettings: Sendable, Equatable {
  /// The server; nil for none.
  public var server: TrackerServer?
  /// The user's name; nil for none.
  public var username: String?
  /// The file with the password; nil for none.
  public var passwordFile: String?
  /// The file with the certificates that are trusted; nil for those of the system.
  public var caFile: String?
  /// The topic at OwnTracks, the device's identifier at others; nil for one of the host's name.
  public var identity: String?
  /// The time between two positions of a straight way, seconds.
  public var interval = 15.0
  /// The time between two positions at rest, seconds.
  public var heartbeat = 900.0

  /// The keys of OwnTracks.
  static var ownTracksKeys: [ServeKey] {
    keys(
      "owntracks", \.ownTracks, identity: "topic", allowed: "owntracks/USER/DEVICE",
      "an MQTT or HTTP URL"
    ) {
      let levels = $0.split(separator: "/", omittingEmptySubsequences: false)
      return levels.count == 3 && levels[0] == "owntracks" && levels.allSatisfy(isName)
    } reads: { _ in
      true
    }
  }

  /// The keys of the OsmAnd protocol.
  static var osmAndKeys: [ServeKey] {
    keys("osmand", \.osmAnd, identity: "id", allowed: "letters, digits, - _ .", "an HTTP URL") {
      isName($0[...])
    } reads: {
      if case .http = $0 { true } else { false }
    }
  }

  private static func keys(
    _ prefix: String, _ settings: WritableKeyPath<ServeConfiguration, TrackerSettings>,
    identity: String, allowed: String, _ urls: String,
    isIdentity: @escaping (String) -> Bool, reads: @escaping (TrackerServer) -> Bool
  ) -> [ServeKey] {
    [
      ServeKey(
        "\(prefix)-url", allowed: urls, settings.appending(path: \.server),
        read: { TrackerServer($0).flatMap { reads($0) ? .some($0) : nil } },
        text: { $0?.description }),
      ServeKey(
        "\(prefix)-\(identity)", allowed: allowed, settings.appending(path: \.identity),
        read: { isIdentity($0) ? .some($0) : nil }, text: { $0 }),
      ServeKey(
        "\(prefix)-username", allowed: "a name without a colon",
        settings.appending(path: \.username),
        read: { !$0.isEmpty && !$0.contains(":") ? .some($0) : nil }, text: { $0 }),
      .path("\(prefix)-password-file", settings.appending(path: \.passwordFile)),
      .path("\(prefix)-ca-file", settings.appending(path: \.caFile)),
      .seconds("\(prefix)-interval", 3...3600, settings.appending(path: \.interval)),
      .seconds("\(prefix)-heartbeat", 60...86_400, settings.appending(path: \.heartbeat)),
    ]
  }

  /// Whether a text needs no quotes in a topic, a header and a form.
  static func isName(_ text: Substring) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_.".utf8.contains($0) }
  }
}

extension UInt8 {
  fileprivate var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }
}
