import Quantities

extension JSONValue {
  /// The canonical text, independent of the layout: no space, names in order of their code points,
  /// numbers in the shortest digits that give the double again.
  package var canonicalText: [UInt8] {
    var text: [UInt8] = []
    append(to: &text, indent: nil)
    return text
  }

  /// The readable text: one line for each member of an object and each row of a matrix.
  var readableText: String { String(decoding: readableBytes, as: UTF8.self) }

  /// The same as UTF-8.
  package var readableBytes: [UInt8] {
    var text: [UInt8] = []
    append(to: &text, indent: 0)
    return text
  }

  /// Appends with so many spaces before each line; the canonical text where `indent` is nil.
  private func append(to text: inout [UInt8], indent: Int?) {
    switch self {
    case .null: text.append(ascii: "null")
    case .boolean(let value): text.append(ascii: value ? "true" : "false")
    case .number(let value): Self.append(value, to: &text)
    case .text(let value): text.append(quoted: value, hasShortEscapes: true)
    case .array(let values):
      let hasLines = values.contains(where: \.isNested)
      Self.append("[", values, "]", hasLines, to: &text, indent) { $0.append(to: &$1, indent: $2) }
    case .object(let object):
      let members =
        indent != nil
        ? object.members
        : object.members.sorted {
          $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars)
        }
      Self.append("{", members, "}", !members.isEmpty, to: &text, indent) { member, text, indent in
        text.append(quoted: member.key, hasShortEscapes: true)
        text.append(ascii: indent == nil ? ":" : ": ")
        member.value.append(to: &text, indent: indent)
      }
    }
  }

  private static func append<Element>(
    _ opening: StaticString, _ elements: [Element], _ closing: StaticString, _ hasLines: Bool,
    to text: inout [UInt8], _ indent: Int?, _ append: (Element, inout [UInt8], Int?) -> Void
  ) {
    func newLine(_ indent: Int?) {
      guard hasLines, let indent else { return }
      text.append(UInt8(ascii: "\n"))
      text.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
    }
    let inner = indent.map { $0 + 2 }
    text.append(ascii: opening)
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(ascii: indent == nil || hasLines ? "," : ", ") }
      newLine(inner)
      append(element, &text, inner)
    }
    newLine(indent)
    text.append(ascii: closing)
  }

  private var isNested: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }

  /// A value that is not finite becomes `null`, which readers of a number refuse.
  private static func append(_ value: Double, to text: inout [UInt8]) {
    guard value.isFinite else { return text.append(ascii: "null") }
    text.append(exactly: value)
    if text.suffix(2).elementsEqual(".0".utf8) { text.removeLast(2) }
  }
}
