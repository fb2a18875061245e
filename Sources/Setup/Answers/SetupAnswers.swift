import Configuration
import LinuxIO
import Quantities
import Servers

/// The answers to the questions of the set-up, from a YAML file: the same on many boards.
package struct SetupAnswers: Equatable, Sendable {
  /// A question, by its key in the file.
  package enum Key: String, CaseIterable, Sendable {
    /// Whether the safe remedies of the doctor are applied.
    case repair
    /// Whether a receiver is wired to the pins 8 and 10.
    case pins = "uart-receiver"
    case board, mount, receiver
    case gpsdPort = "gpsd-port"
    case nmeaPort = "nmea-port"
    case signalKPort = "signalk-port"
    case nmea2000 = "nmea2000-interface"
    case foxglove = "foxglove-port"
    case mavlink = "mavlink-udp"
    case gdl90 = "gdl90-udp"
    case ownTracks = "owntracks-url"
    case osmAnd = "osmand-url"
    case rotctl = "rotctl-port"
    case lx200 = "lx200-port"
    case stellarium = "stellarium-port"
    case broker = "mqtt-broker"
    case username = "mqtt-username"
    /// The file with the password: the answers have no secret.
    case passwordFile = "mqtt-password-file"
    /// The servers to which other devices may connect.
    case network
    case readers = "http-read"
    case calibration
    /// Whether the daemon is started.
    case service
    /// Whether the first heading is awaited.
    case check

    /// An output that few boards have. The answers need no word about it: files of earlier versions
    /// have none.
    var isRare: Bool { self == .nmea2000 || RareOutput.all.contains { $0.key == self } }
  }

  /// The word for what is not wanted.
  static let (none, off, yes, no) = ("none", "off", "yes", "no")

  private struct Value: Equatable {
    var text: String
    var line: Int
  }

  /// The path of the file, for messages; names of files in it are relative to its folder.
  let path: String
  private var values: [Key: Value] = [:]

  /// Reads a file.
  /// - Throws: `SetupFault.answers` with the key and the line.
  package init(path: String) throws(SetupFault) {
    let text: String
    do throws(FileFault) { text = try LinuxFiles().text(of: path) } catch {
      throw .answers("\(path): cannot be read: \(error.reason)")
    }
    try self.init(text, path: path)
  }

  /// Reads a text.
  package init(_ text: String, path: String) throws(SetupFault) {
    self.path = path
    do throws(YAMLFault) {
      for (name, node) in try YAMLNode.root(of: text)?.values(of: Self.names) ?? [:] {
        guard let key = Key(rawValue: name) else { continue }
        let allowed = Self.allowed(key)
        let text = try Self.text(node, key)
        guard Self.accepts(text, key) else { throw node.fault(expected: allowed) }
        values[key] = Value(text: text, line: node.line)
      }
    } catch {
      throw .answers("\(path):\(error.line): \(error.problem); allowed: \(error.allowed)")
    }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).count
    let missing = Key.allCases.filter { values[$0] == nil && isNeeded($0) }
    guard missing.isEmpty else {
      let list = missing.map { "\($0.rawValue) (\(Self.allowed($0)))" }.joined(separator: ", ")
      throw .answers("\(path):\(lines): missing: \(list)")
    }
    try checkNetwork()
  }

  /// The text of an answer; a list of servers is written as such, or with commas.
  private static func text(_ node: YAMLNode, _ key: Key) throws(YAMLFault) -> String {
    let allowed = Self.allowed(key)
    guard key == .network, let list = node.list else { return try node.text(expected: allowed) }
    var words: [String] = []
    for word in list { words.append(try word.text(expected: allowed)) }
    return words.joined(separator: ",")
  }

  /// Refuses an answer for the network that contradicts the ports, or leaves the servers open.
  private func checkNetwork() throws(SetupFault) {
    func fault(_ problem: String) -> SetupFault {
      let line = values[.network]?.line ?? 1
      return .answers(
        "\(path):\(line): network: '\(self[.network] ?? "")' \(problem); allowed: "
          + Self.allowed(.network))
    }
    for server in NetworkServer.allCases {
      guard let key = Key(rawValue: server.portKey) else { continue }
      if isYes(.network), key != .gpsdPort, port(key) != nil {
        throw fault("does not state whether to open \(server.title), which has a port")
      }
      if openServers.contains(server), port(key) == nil {
        throw fault("has \(server.rawValue), and \(key.rawValue) is off")
      }
    }
  }

  /// The answer to a question; nil where another answer makes it pointless.
  subscript(key: Key) -> String? { values[key]?.text }

  /// Whether a question is answered by yes.
  func isYes(_ key: Key) -> Bool { self[key] == Self.yes }

  /// The servers to which other devices may connect.
  var openServers: [NetworkServer] { self[.network].flatMap(Self.servers) ?? [] }

  /// The answer to a question about a port; nil where it is off.
  func port(_ key: Key) -> String? { self[key].flatMap { $0 == Self.off ? nil : $0 } }

  /// The answer as a file, which may be named relative to the answers; nil for none.
  func file(_ key: Key) -> String? {
    self[key].flatMap { name in
      name == Self.none ? nil : name.hasPrefix("/") ? name : path.parentFolder + "/" + name
    }
  }

  /// The fault of an answer that this machine cannot fulfil.
  func fault(_ key: Key, _ reason: String) -> SetupFault {
    let line = values[key]?.line ?? 1
    return .unfulfilled("\(path):\(line): \(key.rawValue): \(self[key] ?? ""): \(reason)")
  }

  // MARK: What is allowed

  private static var names: [String] { Key.allCases.map(\.rawValue) }

  private func isNeeded(_ key: Key) -> Bool {
    switch key {
    case _ where key.isRare: false
    case .username: self[.broker] != Self.none
    case .passwordFile: self[.broker] != Self.none && self[.username] != Self.none
    case .readers: openServers.contains(.http)
    default: true
    }
  }

  /// The directions of x, y and z, as `forward,left,up`.
  static func axes(_ text: String) -> AxisMount? {
    let words = text.split(separator: ",").map { word in
      AxisDirection(rawValue: String(word.filter { $0 != " " }))
    }
    guard words.count == 3, let x = words[0], let y = words[1], let z = words[2] else { return nil }
    return AxisMount(x: x, y: y, z: z)
  }

  /// The servers of an answer; nil for another text.
  private static func servers(_ text: String) -> [NetworkServer]? {
    switch text {
    case no: return []
    case yes: return [.http]
    default:
      let words = text.split(separator: ",", omittingEmptySubsequences: false)
      let servers = words.compactMap { word in
        NetworkServer(rawValue: String(word.filter { $0 != " " }))
      }
      return servers.count == words.count && Set(servers).count == servers.count ? servers : nil
    }
  }

  /// What the value of a key may be.
  static func allowed(_ key: Key) -> String {
    switch key {
    case .repair, .pins, .service, .check: "yes, no"
    case .network:
      "no, or a list of the servers that other devices may reach, of gpsd, http, nmea and signalk, such as http,nmea; yes "
        + "means http where nmea-port and signalk-port are off"
    case .board:
      "the name of an installed board, a board file, found (the chips of this machine), search (the daemon searches), "
        + "simulate"
    case .mount: "keep, auto, or the directions of x, y and z such as forward,left,up"
    case .receiver:
      "keep, none, gpsd, found (the receiver that sends), or a port with its speed such as /dev/ttyACM0 9600"
    case .gpsdPort, .nmeaPort, .signalKPort: "a port such as 10110, or off"
    case .nmea2000: "the name of a CAN interface such as can0, or off"
    case .broker: "mqtt://HOST[:PORT], mqtts://HOST[:PORT], or none"
    case .username: "a name, or none"
    case .passwordFile: "the path of a file with the password, or none"
    case .readers: "token, anyone"
    case .calibration: "learn (it learns by itself), off, keep"
    default: (ServeKey.fault(of: "", for: key.rawValue) ?? "") + ", or off"
    }
  }

  private static func accepts(_ text: String, _ key: Key) -> Bool {
    switch key {
    case .network: servers(text) != nil
    case .repair, .pins, .service, .check: [yes, no].contains(text)
    case .mount: ["keep", "auto"].contains(text) || axes(text) != nil
    case .receiver:
      ["keep", none, "gpsd", "found"].contains(text) || SetupReceiver(text) != nil
    case .broker: text == none || ServeKey.fault(of: text, for: key.rawValue) == nil
    case .username: text == none || ServeKey.fault(of: text, for: key.rawValue) == nil
    case .readers: ServeKey.fault(of: text, for: key.rawValue) == nil
    case .calibration: ["learn", off, "keep"].contains(text)
    case .board, .passwordFile: true
    default: text == off || text != "0" && ServeKey.fault(of: text, for: key.rawValue) == nil
    }
  }
}

/// A receiver's port as an answer: `/dev/ttyACM0`, or with its speed, `/dev/ttyACM0 9600`.
struct SetupReceiver: Equatable {
  let port: String
  let baud: Int?

  /// Reads an answer; nil for another text.
  init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard (1...2).contains(words.count), words[0].contains("/") else { return nil }
    port = words[0]
    guard words.count == 2 else {
      baud = nil
      return
    }
    guard let speed = Int(words[1]), speed > 0 else { return nil }
    baud = speed
  }

  /// Makes an answer.
  init(port: String, baud: Int?) { (self.port, self.baud) = (port, baud) }

  /// The answer's text.
  var text: String { port + (baud.map { " \($0)" } ?? "") }

  /// True for a port of this machine, at which a receiver can be listened for.
  var isDevice: Bool { port.hasPrefix("/") }
}
