/// A value of a YAML text with its place.
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

  init(_ mark: Mark, _ content: Content) { (self.mark, self.content) = (mark, content) }
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
