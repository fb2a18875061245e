import FoundationEssentials
import LinuxIO

/// The address of a broker: `mqtt://HOST[:PORT]`, or `mqtts://HOST[:PORT]` with TLS.
public struct MQTTBroker: Sendable, Equatable, CustomStringConvertible {
  /// A name or an address.
  public let host: String
  /// The TCP port.
  public let port: Int
  /// True with TLS.
  public let isEncrypted: Bool

  /// The ports that IANA has assigned.
  private static func usualPort(isEncrypted: Bool) -> Int { isEncrypted ? 8883 : 1883 }

  /// Reads an address; nil for another text, and for one with a user, a path or a query.
  public init?(_ text: String) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme,
      ["mqtt", "mqtts"].contains(scheme), var host = parts.host, !host.isEmpty,
      parts.user == nil, parts.password == nil, ["", "/"].contains(parts.path),
      parts.query == nil, parts.fragment == nil
    else { return nil }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    isEncrypted = scheme == "mqtts"
    port = parts.port ?? Self.usualPort(isEncrypted: isEncrypted)
    guard (1...65_535).contains(port) else { return nil }
    self.host = host
  }

  /// The complete text.
  public var description: String {
    "\(isEncrypted ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// True where the connection stays on this machine.
  package var isLocal: Bool { Loopback.contains(host) }
}

/// The publisher's broker, credentials and topics.
public struct MQTTSettings: Sendable, Equatable {
  /// The broker; nil for none.
  public var broker: MQTTBroker?
  /// The user's name; nil for none.
  public var username: String?
  /// The file with the password; nil for none.
  public var passwordFile: String?
  /// The file with the certificates that are trusted; nil for those of the system.
  public var caFile: String?
  /// The file with the client's certificate; nil for none.
  public var certificate: String?
  /// The file with the key of the client's certificate; nil for none.
  public var keyFile: String?
  /// The prefix of the topics; nil for `lodestar/` and the host's name.
  public var topic: String?
  /// The client's identifier; nil for one of the host's name and of the machine.
  public var clientIdentifier: String?
  /// The least time between two states, seconds.
  public var interval = 10.0
  /// The quality of service of a state: 1 for at least once, 0 for at most once.
  public var qualityOfService = 1
  /// The prefix of Home Assistant's discovery topics; nil for no discovery.
  public var discovery: String? = "homeassistant"

  /// Makes the default settings: no broker.
  public init() {}

  /// The allowed intervals, seconds.
  private static let intervals = 0.1...3600
  /// The longest topic and identifier, bytes; longer ones are a mistake.
  private static let longestText = 200

  /// A topic without wildcards, empty levels and those of the broker itself; nil for another text.
  /// - Source: MQTT 3.1.1, 4.7.
  private static func topic(_ text: String) -> String? {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    let isAllowed =
      text.utf8.count <= longestText && !text.hasPrefix("$")
      && levels.allSatisfy { !$0.isEmpty } && isText(text)
      && !text.contains { "+#".contains($0) }
    return isAllowed ? text : nil
  }

  /// A text that is not empty, without control characters.
  private static func isText(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestText
      && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
  }

  private static func text(
    _ name: String, _ path: WritableKeyPath<ServeConfiguration, String?>
  ) -> ServeKey {
    ServeKey(
      name, allowed: "a text of at most \(longestText) bytes", path,
      read: { isText($0) ? .some($0) : nil }, text: { $0 })
  }

  /// The keys of the daemon's file.
  static var keys: [ServeKey] {
    [
      ServeKey(
        "mqtt-broker",
        allowed: "mqtt://HOST[:PORT] or, with TLS, mqtts://HOST[:PORT]", \.mqtt.broker,
        read: { MQTTBroker($0).map(Optional.some) }, text: { $0?.description }),
      text("mqtt-username", \.mqtt.username),
      .path("mqtt-password-file", \.mqtt.passwordFile),
      .path("mqtt-ca-file", \.mqtt.caFile),
      .path("mqtt-certificate", \.mqtt.certificate),
      .path("mqtt-key-file", \.mqtt.keyFile),
      ServeKey(
        "mqtt-topic", allowed: "a topic such as boats/albatros, without + # and $", \.mqtt.topic,
        read: { topic($0).map(Optional.some) }, text: { $0 }),
      text("mqtt-client-id", \.mqtt.clientIdentifier),
      ServeKey(
        "mqtt-interval", allowed: "0.1 to 3600 s", \.mqtt.interval,
        read: { Double($0).flatMap { intervals.contains($0) ? $0 : nil } },
        text: { $0 == $0.rounded() ? "\(Int(bounded: $0))" : "\($0)" }),
      ServeKey(
        "mqtt-qos", allowed: "0 or 1", \.mqtt.qualityOfService,
        read: { ["0": 0, "1": 1][$0] }, text: { "\($0)" }),
      ServeKey(
        "mqtt-discovery", allowed: "a topic such as homeassistant, or off", \.mqtt.discovery,
        read: { $0 == "off" ? .some(nil) : topic($0).map(Optional.some) }, text: { $0 ?? "off" }),
    ]
  }

  /// What is wrong with the settings together; nil for nothing.
  package var contradiction: String? {
    let tls = [
      "mqtt-ca-file": caFile, "mqtt-certificate": certificate, "mqtt-key-file": keyFile,
    ]
    let unused = tls.filter { $0.value != nil }.keys.sorted().first
    return if passwordFile != nil, username == nil {
      "mqtt-password-file needs mqtt-username"
    } else if (certificate == nil) != (keyFile == nil) {
      "mqtt-certificate and mqtt-key-file belong together: give both or none"
    } else if let broker, !broker.isEncrypted, let unused {
      "\(unused) is used with TLS only: write mqtt-broker as mqtts://\(broker.host)"
    } else {
      nil
    }
  }

  /// The names of this machine's device.
  package func names(host: String, machine: String) -> MQTTNames {
    MQTTNames(self, host: host, machine: machine)
  }
}

/// The names that a device has at the broker. They are the same after each start.
package struct MQTTNames: Equatable, Sendable {
  /// The name for people.
  package var device: String
  /// The client's identifier.
  package var client: String
  /// The prefix of the topics.
  package var topic: String

  /// The names of a machine.
  /// - Parameters:
  ///   - settings: The configured names.
  ///   - host: The host's name.
  ///   - machine: The content of `/etc/machine-id`, which distinguishes hosts of one name; the
  ///     names do not disclose it.
  package init(_ settings: MQTTSettings, host: String, machine: String) {
    let level = String(host.map { "/+#$".contains($0) ? "_" : $0 })
    device = host
    client = settings.clientIdentifier ?? "lodestar-\(level)-\(Self.digest(machine))"
    topic = settings.topic ?? "lodestar/\(level)"
    if let configured = settings.topic?.split(separator: "/").last { device = String(configured) }
  }

  /// The identifier for Home Assistant.
  package var identifier: String {
    String(
      client.map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") ? $0 : "_" })
  }

  /// 32 bits of FNV-1a as hexadecimal digits: of 128 bits, so that the machine's identifier is not
  /// disclosed.
  /// - Source: machine-id(5): the identifier should not be used directly in a network.
  private static func digest(_ text: String) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    let digits = String(UInt32(truncatingIfNeeded: hash ^ (hash >> 32)), radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// The state's topic.
  package var state: String { topic + "/state" }
  /// The topic of `online` and `offline`.
  package var status: String { topic + "/status" }
  /// States of the past, which waited for the broker.
  package var history: String { topic + "/history" }
  /// The topic of the health.
  package var health: String { topic + "/health" }
}
