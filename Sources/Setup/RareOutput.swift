import LinuxIO
import Servers

/// An output of the daemon that few boards have: one question names them all.
struct RareOutput {
  /// The key of its port or address.
  let key: SetupAnswers.Key
  /// The word for it in the question.
  let word: String
  /// The question about its port or address.
  let question: String
  /// The usual port or address; empty where there is none.
  let usual: String

  static let all = [
    RareOutput(
      key: .foxglove, word: "foxglove", question: "Port for Foxglove's WebSocket", usual: "8765"),
    RareOutput(
      key: .mavlink, word: "mavlink",
      question: "Address and port of the ground station or autopilot", usual: "127.0.0.1:14550"),
    RareOutput(
      key: .gdl90, word: "gdl90",
      question: "Address and port of the tablet, such as 192.168.10.20:4000",
      usual: ""),
    RareOutput(
      key: .ownTracks, word: "owntracks",
      question: "Broker or URL of OwnTracks, such as mqtts://HOST",
      usual: ""),
    RareOutput(
      key: .osmAnd, word: "traccar", question: "URL of Traccar, such as https://HOST:5055/",
      usual: ""),
    RareOutput(
      key: .rotctl, word: "rotctl", question: "Port for rotctl and antenna programs", usual: "4533"),
    RareOutput(
      key: .lx200, word: "lx200", question: "Port for telescope programs (LX200)", usual: "4030"),
    RareOutput(
      key: .stellarium, word: "stellarium", question: "Port for Stellarium", usual: "10001"),
  ]

  /// Whether a port, an address or a URL is of another machine.
  static func isRemote(_ value: String) -> Bool {
    if let address = DatagramAddress(value) { return !Loopback.contains(address.host) }
    return TrackerServer(value).map { !$0.isLocal } ?? false
  }

  /// The outputs of an answer such as `foxglove, gdl90`; nil for another text.
  static func named(in text: String) -> [RareOutput]? {
    guard text != SetupAnswers.none else { return [] }
    let words = text.split(separator: ",").map { word in word.filter { $0 != " " } }
    let outputs = words.compactMap { word in all.first { $0.word == word } }
    return outputs.count == words.count ? outputs : nil
  }
}
