import CYAML

/// A value of a YAML text with its place: what libyaml's events compose.
struct YAMLTree {
  /// A place in the text, from 1.
  struct Mark: Equatable {
    var line: Int, column: Int
  }

  enum Content {
    /// A scalar as written; `isPlain` without quotation marks.
    case scalar(String, isPlain: Bool)
    case list([YAMLTree])
    /// Keys and values in the order of the text.
    case mapping([(key: YAMLTree, value: YAMLTree)])
  }

  var mark: Mark
  var content: Content

  /// The only document of a text; nil for a text without one.
  init?(_ text: String) throws(YAMLFault) {
    var tree: YAMLTree?
    var fault: YAMLFault?
    let bytes = Array(text.utf8)
    bytes.withUnsafeBufferPointer { bytes in
      do throws(YAMLFault) {
        var composer = try Composer(bytes)
        defer { composer.close() }
        tree = try composer.document()
      } catch let found {
        fault = found
      }
    }
    if let fault { throw fault }
    guard let tree else { return nil }
    self = tree
  }

  fileprivate init(_ mark: Mark, _ content: Content) { (self.mark, self.content) = (mark, content) }
}

// MARK: Scalars

extension YAMLTree {
  /// The text of a scalar.
  var text: String? {
    guard case .scalar(let text, _) = content else { return nil }
    return text
  }

  private var plain: String? {
    guard case .scalar(let text, isPlain: true) = content else { return nil }
    return text
  }

  /// True for nothing, `~` and `null` without quotation marks.
  var isNull: Bool { plain.map { ["", "~", "null", "Null", "NULL"].contains($0) } ?? false }

  /// The words of YAML 1.1 for true and false, without quotation marks.
  var truth: Bool? {
    switch plain {
    case "true", "True", "TRUE", "yes", "Yes", "YES", "on", "On", "ON": true
    case "false", "False", "FALSE", "no", "No", "NO", "off", "Off", "OFF": false
    default: nil
    }
  }

  /// An integer of YAML 1.1 without quotation marks: decimal, or with the prefix `0x`, `0b`, `0o`
  /// or, for octal too, `0`. The numbers of base 60 (`1:30`) are none.
  var integer: Int? {
    guard let text = plain?.replacing("_", with: "") else { return nil }
    if text == "0" { return 0 }
    let isNegative = text.hasPrefix("-")
    let digits = text.dropFirst(isNegative || text.hasPrefix("+") ? 1 : 0)
    for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8), ("0", 8)]
    where digits.hasPrefix(prefix) {
      return Int((isNegative ? "-" : "") + digits.dropFirst(prefix.count), radix: radix)
    }
    return Int(text)
  }

  /// A number of YAML 1.1 without quotation marks.
  var number: Double? {
    guard let text = plain else { return nil }
    switch text.lowercased() {
    case ".inf", "+.inf": return .infinity
    case "-.inf": return -.infinity
    case ".nan": return .nan
    default: return Double(text.replacing("_", with: ""))
    }
  }
}

// MARK: Composing

extension YAMLTree {
  /// Composes the events of a text.
  private struct Composer {
    private static let library = "libyaml-0.so.2"
    /// The deepest nesting; recursion needs stack.
    private static let deepest = 64

    private let parser: OpaquePointer
    private var event = cyaml_event()
    /// The values with a name, for aliases; a later one replaces an earlier one.
    private var named: [String: YAMLTree] = [:]

    init(_ bytes: UnsafeBufferPointer<UInt8>) throws(YAMLFault) {
      guard let parser = cyaml_open(Self.library, bytes.baseAddress, bytes.count) else {
        throw YAMLFault(
          line: 1, column: 1, key: "the file",
          .other(
            "\(Self.library), which reads YAML, is missing",
            expected: "the package libyaml-0-2 (sudo apt install libyaml-0-2)"))
      }
      self.parser = parser
    }

    func close() { cyaml_close(parser) }

    /// The only document.
    mutating func document() throws(YAMLFault) -> YAMLTree? {
      try readNext()
      try readNext()
      guard event.kind == CYAML_DOCUMENT_START else { return nil }
      try readNext()
      let tree = try value(depth: 0)
      try readNext()
      try readNext()
      guard event.kind == CYAML_STREAM_END else { throw fault("a second document") }
      return tree
    }

    private mutating func readNext() throws(YAMLFault) {
      var fault = cyaml_fault()
      guard cyaml_next(parser, &event, &fault) else {
        throw Self.fault(String(cString: fault.reason), at: Self.mark(fault.place))
      }
    }

    /// The value that begins with the present event, read to its end.
    private mutating func value(depth: Int) throws(YAMLFault) -> YAMLTree {
      let mark = Self.mark(event.place)
      let name = event.anchor.map { String(cString: $0) }
      guard depth <= Self.deepest else { throw fault("more than \(Self.deepest) levels") }
      let content: Content
      switch event.kind {
      case CYAML_ALIAS:
        guard let name, let tree = named[name] else { throw fault("undefined alias") }
        return tree
      case CYAML_SCALAR:
        let bytes = UnsafeBufferPointer(start: event.text, count: event.count)
        content = .scalar(String(decoding: bytes, as: UTF8.self), isPlain: event.is_plain)
      case CYAML_SEQUENCE_START:
        var items: [YAMLTree] = []
        try readNext()
        while event.kind != CYAML_SEQUENCE_END {
          items.append(try value(depth: depth + 1))
          try readNext()
        }
        content = .list(items)
      default:
        content = .mapping(try pairs(depth: depth + 1))
      }
      let tree = YAMLTree(mark, content)
      if let name { named[name] = tree }
      return tree
    }

    private mutating func pairs(depth: Int) throws(YAMLFault) -> [(key: YAMLTree, value: YAMLTree)]
    {
      var pairs: [(key: YAMLTree, value: YAMLTree)] = []
      try readNext()
      while event.kind != CYAML_MAPPING_END {
        let key = try value(depth: depth)
        try readNext()
        pairs.append((key, try value(depth: depth)))
        try readNext()
      }
      var firsts: [String: Mark] = [:]
      var doubled: [String: Mark] = [:]
      for (key, _) in pairs {
        guard let name = key.text else { continue }
        if let first = firsts[name] { doubled[name] = first } else { firsts[name] = key.mark }
      }
      let names = doubled.keys.sorted()
      if let first = names.first, let mark = doubled[first] {
        throw Self.fault("duplicate key: \(names.joined(separator: ", "))", at: mark)
      }
      return pairs
    }

    private func fault(_ problem: String) -> YAMLFault {
      Self.fault(problem, at: Self.mark(event.place))
    }

    private static func fault(_ problem: String, at mark: Mark) -> YAMLFault {
      YAMLFault(line: mark.line, column: mark.column, key: "", .syntax(problem))
    }

    private static func mark(_ place: cyaml_place) -> Mark {
      Mark(line: Int(clamping: place.line) + 1, column: Int(clamping: place.column) + 1)
    }
  }
}
