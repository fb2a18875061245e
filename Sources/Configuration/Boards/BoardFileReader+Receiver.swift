import Foundation
import ReceiverProtocols
import Yams

extension BoardFileReader {
  /// The receiver's section.
  func receiver(_ node: Node) throws(BoardFileError) -> Board.Receiver {
    let keys = try mapping(
      node,
      allowed: [
        "port", "baud", "pps", "set-up", "rate", "model", "messages", "set-baud", "corrections",
        "rtcm-output",
      ], called: "a receiver")
    guard let port = keys["port"] else {
      throw refusal(node, "the key 'port' of the receiver is missing", "port: /dev/…")
    }
    var receiver = Board.Receiver(port: try string(port, called: "a device"), baud: nil)
    if receiver.port.hasPrefix(GPSDAddress.scheme), receiver.gpsd == nil {
      throw refusal(port, "'\(receiver.port)' is not the address of a gpsd", GPSDAddress.form)
    }
    if let value = keys["baud"] { receiver.baud = try baud(value) }
    if let node = keys["pps"] { receiver.pulse = try pulse(node) }
    if let value = keys["set-up"] {
      receiver.setUp.manner = try word(
        value, "manner of set-up", Board.SetUp.Manner.allCases.map { ($0.rawValue, $0) })
    }
    if let value = keys["rate"] {
      // The fastest supported receivers have 25 solutions a second; below 1 the port search would time out.
      receiver.setUp.rateHertz = try number(value, "rate", "solutions a second", in: 1...25)
    }
    if let value = keys["model"] {
      receiver.setUp.model = try word(
        value, "dynamic model", UBXDynamicModel.allCases.map { ($0.word, $0) })
    }
    if let value = keys["messages"] {
      receiver.setUp.messages = try word(
        value, "kind of messages", UBXSetupRequest.Messages.allCases.map { ($0.rawValue, $0) })
    }
    if let value = keys["set-baud"] { receiver.setUp.baud = try baud(value) }
    if let value = keys["corrections"] { receiver.corrections = try stream(value) }
    if let value = keys["rtcm-output"] { receiver.correctionsOutput = try stream(value) }
    return receiver
  }

  private func baud(_ node: Node) throws(BoardFileError) -> Int {
    let rates = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
    guard let value = node.int, rates.contains(value) else {
      throw refusal(
        node, "'\(node.string ?? "?")' is not a supported baud rate",
        rates.map(String.init).joined(separator: ", "))
    }
    return value
  }

  private func word<Value>(
    _ node: Node, _ what: String, _ values: [(String, Value)]
  ) throws(BoardFileError) -> Value {
    // Compared as written: YAML reads the word `no` as false.
    let written = node.scalar?.string ?? ""
    guard let found = values.first(where: { $0.0 == written }) else {
      throw refusal(
        node, "'\(written)' is not a \(what)", values.map { $0.0 }.joined(separator: ", "))
    }
    return found.1
  }

  private func stream(_ node: Node) throws(BoardFileError) -> Board.Stream {
    let text = try string(node, called: "a file or an address")
    guard let scheme = text.range(of: "://") else { return .file(text) }
    let rest = text[scheme.upperBound...]
    guard text[..<scheme.lowerBound] == "tcp", let colon = rest.lastIndex(of: ":"),
      let port = Int(rest[rest.index(after: colon)...]), (1...65_535).contains(port)
    else {
      throw refusal(node, "'\(text)' is not a stream", "a file, or tcp://HOST:PORT")
    }
    var host = rest[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty else {
      throw refusal(node, "'\(text)' has no host", "tcp://HOST:PORT")
    }
    return .tcp(host: String(host), port: port)
  }
}
