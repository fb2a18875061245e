import Quantities

/// One JSON object under construction at the end of a text; keys are in the order of their addition.
package struct JSONObject {
  private var line = TextLine()
  private var needsComma = false

  /// Moves the text into the object without a copy; `close` moves it back.
  package init(appendingTo text: inout [UInt8]) {
    line.exchange(with: &text)
    line.append(UInt8(ascii: "{"))
  }

  /// Ends the object and moves the text back.
  package mutating func close(into text: inout [UInt8]) {
    line.append(UInt8(ascii: "}"))
    line.exchange(with: &text)
  }

  /// Adds a number with fixed decimals; nothing where it is nil or not finite.
  package mutating func add(_ key: StaticString, _ value: Double?, decimals: Int) {
    guard let value, value.isFinite, abs(value) < 1e9 else { return }
    line.write { [needsComma] in
      Self.put(key, &$0, needsComma)
      _ = $0.put(value, decimals: decimals)
    }
    needsComma = true
  }

  /// Adds seconds with nine decimals, exact to the nanosecond.
  mutating func add(_ key: StaticString, nanoseconds: UInt64) {
    self.key(key)
    line.append(integer: Int64(nanoseconds / 1_000_000_000))
    line.append(".")
    line.append(integer: Int64(nanoseconds % 1_000_000_000), width: 9)
  }

  /// Adds a whole number.
  package mutating func add(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    line.write { [needsComma] in
      Self.put(key, &$0, needsComma)
      if value < 0 { $0.put(UInt8(ascii: "-")) }
      $0.put(digits: UInt64(value.magnitude))
    }
    needsComma = true
  }

  /// Adds a whole number that may need 64 bits on any machine.
  mutating func add(_ key: StaticString, integer value: Int64) {
    self.key(key)
    line.append(integer: value)
  }

  /// Adds a string; quotation marks, backslashes and control characters are escaped.
  package mutating func add(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    self.key(key)
    append(quoted: value)
  }

  /// Adds an array of numbers with fixed decimals; null where one is nil or not finite.
  package mutating func add(_ key: StaticString, _ values: [Double?], decimals: Int) {
    list(key, values) { json, value in
      guard let value, value.isFinite, abs(value) < 1e9 else { return json.line.append("null") }
      json.line.append(value, decimals: decimals)
    }
  }

  /// Adds an array of whole numbers.
  package mutating func add(_ key: StaticString, _ values: [Int]) {
    list(key, values) { $0.line.append(integer: Int64($1)) }
  }

  /// Adds an array of texts; nothing where it is empty.
  package mutating func add(_ key: StaticString, _ values: [String]) {
    if !values.isEmpty { list(key, values) { $0.append(quoted: $1) } }
  }

  /// Adds true or false.
  package mutating func add(_ key: StaticString, _ value: Bool) {
    line.write { [needsComma] in
      Self.put(key, &$0, needsComma)
      $0.put(value ? "true" : "false")
    }
    needsComma = true
  }

  /// Adds an instant as ISO 8601 with milliseconds.
  mutating func add(_ key: StaticString, _ utc: UTCTime?) {
    guard let utc else { return }
    let rounded = utc.rounded(toNanoseconds: 1_000_000)
    let (date, ms) = (rounded.date, UInt64(rounded.nanosecondsOfDay / 1_000_000))
    line.write { [needsComma] in
      Self.put(key, &$0, needsComma)
      $0.put(UInt8(ascii: "\""))
      // UTCTime has no year before 1677.
      $0.put(digits: UInt64(date.year), width: 4)
      $0.put(UInt8(ascii: "-"))
      $0.put(digits: UInt64(date.month), width: 2)
      $0.put(UInt8(ascii: "-"))
      $0.put(digits: UInt64(date.day), width: 2)
      $0.put(UInt8(ascii: "T"))
      $0.put(digits: ms / 3_600_000, width: 2)
      $0.put(UInt8(ascii: ":"))
      $0.put(digits: ms / 60_000 % 60, width: 2)
      $0.put(UInt8(ascii: ":"))
      $0.put(digits: ms % 60_000, width: 2, decimals: 3)
      $0.put("Z\"")
    }
    needsComma = true
  }

  /// Adds an array of objects.
  mutating func add<S: Sequence>(
    _ key: StaticString, _ elements: S, _ fill: (S.Element, inout JSONObject) -> Void
  ) {
    self.key(key)
    line.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      if !isFirst { line.append(UInt8(ascii: ",")) }
      isFirst = false
      line.append(UInt8(ascii: "{"))
      needsComma = false
      fill(element, &self)
      line.append(UInt8(ascii: "}"))
    }
    line.append(UInt8(ascii: "]"))
    needsComma = true
  }

  private static var hexDigits: [UInt8] { Array("0123456789abcdef".utf8) }

  private mutating func list<Value>(
    _ key: StaticString, _ values: [Value], _ append: (inout JSONObject, Value) -> Void
  ) {
    self.key(key)
    line.append(UInt8(ascii: "["))
    for (index, value) in values.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      append(&self, value)
    }
    line.append(UInt8(ascii: "]"))
  }

  private mutating func append(quoted value: String) {
    line.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        line.append(UInt8(ascii: "\\"))
        line.append(byte)
      case ..<0x20:
        line.append("\\u00")
        line.append(Self.hexDigits[Int(byte >> 4)])
        line.append(Self.hexDigits[Int(byte & 15)])
      default: line.append(byte)
      }
    }
    line.append(UInt8(ascii: "\""))
  }

  private mutating func key(_ key: StaticString) {
    line.write { [needsComma] in Self.put(key, &$0, needsComma) }
    needsComma = true
  }

  @inline(__always)
  private static func put(_ key: StaticString, _ cursor: inout ByteCursor, _ needsComma: Bool) {
    if needsComma { cursor.put(UInt8(ascii: ",")) }
    cursor.put(UInt8(ascii: "\""))
    cursor.put(key)
    cursor.put("\":")
  }
}
