extension JSONValue {
  /// The canonical text, independent of the layout: no space, names in order of their code points, numbers in
  /// the shortest digits that give the double again.
  var canonicalText: String {
    switch self {
    case .array(let values): "[" + values.map(\.canonicalText).joined(separator: ",") + "]"
    case .object(let object):
      "{"
        + object.members.sorted {
          $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars)
        }
        .map { Self.quoted($0.key) + ":" + $0.value.canonicalText }.joined(separator: ",") + "}"
    default: scalarText
    }
  }

  /// The readable text: one line for each member of an object and each row of a matrix.
  func readableText(indent: String = "") -> String {
    let inner = indent + "  "
    switch self {
    case .object(let object) where !object.members.isEmpty:
      let lines = object.members.map {
        inner + Self.quoted($0.key) + ": " + $0.value.readableText(indent: inner)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
    case .array(let values) where values.contains(where: \.isNested):
      let lines = values.map { inner + $0.readableText(indent: inner) }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
    case .array(let values): return "[" + values.map(\.scalarText).joined(separator: ", ") + "]"
    default: return scalarText
    }
  }

  private var isNested: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  private var scalarText: String {
    switch self {
    case .null: "null"
    case .boolean(let value): value ? "true" : "false"
    case .number(let value): Self.digits(value)
    case .text(let value): Self.quoted(value)
    case .array: "[]"
    case .object: "{}"
    }
  }

  /// A value that is not finite becomes `null`, which readers of a number refuse.
  private static func digits(_ value: Double) -> String {
    guard value.isFinite else { return "null" }
    let text = "\(value)"
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\u{0}"..<"\u{20}":
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
