import FoundationEssentials
import JSON
import Quantities

/// A message as a line: `{"type":"monitor","id":7,"body":…}`. Unknown keys are ignored.
enum MessageLine {
  private struct Head: Decodable {
    var type: String
    var id: UInt64?
  }

  private struct Whole<Body: Encodable>: Encodable {
    var type: String
    var id: UInt64?
    var body: Body?
  }

  private struct Tail<Body: Decodable>: Decodable {
    var body: Body?
  }

  /// Numbers that are not finite are written as words, because JSON has no such numbers.
  private static let words = ("inf", "-inf", "nan")

  static func encoded<Body: Encodable>(_ type: String, id: UInt64?, _ body: Body?) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: words.0, negativeInfinity: words.1, nan: words.2)
    do {
      return Array(try encoder.encode(Whole(type: type, id: id, body: body)))
    } catch {
      // Every message type can be encoded, so this is unreachable; the peer ignores the unknown
      // type.
      return Array("{\"type\":\"unwritten\"}".utf8)
    }
  }

  /// The type and number of a line.
  static func head(_ line: Data) throws(HostFault) -> (type: String, id: UInt64?) {
    do {
      try JSONText.check(line)
      let head = try JSONDecoder().decode(Head.self, from: line)
      return (head.type, head.id)
    } catch {
      throw HostFault(
        .malformed, "the line is no message: expected {\"type\":…}: \(reason(error))")
    }
  }

  /// The body of a line.
  /// - Parameters:
  ///   - kind: The body's type.
  ///   - line: The line.
  ///   - type: The message's type, for the error.
  ///   - isFinite: True to refuse numbers that are not finite.
  /// - Returns: The body.
  /// - Throws: `HostFault.malformed`.
  static func body<Body: Decodable>(
    _ kind: Body.Type, of line: Data, type: String, isFinite: Bool = false
  ) throws(HostFault) -> Body {
    guard let body = try optionalBody(kind, of: line, type: type, isFinite: isFinite) else {
      throw HostFault(.malformed, "the message '\(type)' has no 'body'")
    }
    return body
  }

  /// The body of a line; nil without one.
  static func optionalBody<Body: Decodable>(
    _: Body.Type, of line: Data, type: String, isFinite: Bool = false
  ) throws(HostFault) -> Body? {
    let decoder = JSONDecoder()
    if !isFinite {
      decoder.nonConformingFloatDecodingStrategy = .convertFromString(
        positiveInfinity: words.0, negativeInfinity: words.1, nan: words.2)
    }
    do {
      // The texts of the line were checked with its head.
      return try decoder.decode(Tail<Body>.self, from: line).body
    } catch {
      throw HostFault(.malformed, "the message '\(type)' cannot be read: \(reason(error))")
    }
  }

  static func number(_ id: UInt64?, type: String) throws(HostFault) -> UInt64 {
    guard let id else { throw HostFault(.malformed, "the message '\(type)' has no 'id'") }
    return id
  }

  /// The place and the reason of an error, in one short line. It repeats words of the peer's line,
  /// which may be of any length and contain control characters.
  private static func reason(_ error: any Error) -> String {
    let longest = 300
    let text = fullReason(error).unicodeScalars
    let shown = text.prefix(longest).map {
      $0.properties.generalCategory == .control ? " " : Character($0)
    }
    return String(shown) + (text.count > longest ? "…" : "")
  }

  private static func fullReason(_ error: any Error) -> String {
    func place(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: ".")
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      let path = place(context)
      return "'\(path.isEmpty ? "" : path + ".")\(key.stringValue)' is missing"
    case DecodingError.typeMismatch(let type, let context):
      return "'\(place(context))' is not \(type)"
    case DecodingError.valueNotFound(let type, let context):
      return "'\(place(context))' is null, expected \(type)"
    case DecodingError.dataCorrupted(let context):
      return context.codingPath.isEmpty
        ? "not JSON" : "'\(place(context))': \(context.debugDescription)"
    default:
      return "\(error)"
    }
  }
}
