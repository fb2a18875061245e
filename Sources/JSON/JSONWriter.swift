import Quantities

/// One JSON object under construction at the end of a text; keys are in the order of their
/// addition.
package struct JSONWriter {
  private var text: [UInt8] = []
  private var needsComma = false

  /// Moves the text into the writer without a copy; `close` moves it back.
  package init(appendingTo text: inout [UInt8]) {
    swap(&self.text, &text)
    self.text.append(UInt8(ascii: "{"))
  }

  /// Ends the object and moves the text back.
  package mutating func close(into text: inout [UInt8]) {
    self.text.append(UInt8(ascii: "}"))
    swap(&self.text, &text)
  }

  /// The text of one object.
  package static func object(_ fill: (inout JSONWriter) -> Void) -> [UInt8] {
    var text: [UInt8] = []
    var json = JSONWriter(appendingTo: &text)
    fill(&json)
    json.close(into: &text)
    return text
  }

  /// The text of one record: an object that begins with its time.
  /// - Parameters:
  ///   - time: The instant that the record describes; nil if it is not known.
  ///   - fill: Adds the other keys.
  /// - Returns: The object, without a line end.
  package static func record(at time: UTCTime?, _ fill: (inout JSONWriter) -> Void) -> [UInt8] {
    object { json in
      json.add(time: time)
      fill(&json)
    }
  }

  /// Adds `time`, the instant that a record describes; nothing where it is not known. Every record
  /// has it, unless its format is that of another program. The text is that of
  /// `UTCTime.recordText`.
  package mutating func add(time: UTCTime?) { add("time", time) }

  // MARK: Numbers

  /// Adds a number with fixed decimals; nothing where it is nil or not finite.
  package mutating func add(_ key: StaticString, _ value: Double?, decimals: Int) {
    guard let value, value.isFinite, abs(value) < 1e9 else { return }
    write(key) { _ = $0.put(value, decimals: decimals) }
  }

  /// Adds an array of numbers with fixed decimals; null where one is nil or not finite.
  package mutating func add(_ key: StaticString, _ values: [Double?], decimals: Int) {
    list(key, values.count) { text, index in
      guard let value = values[index], value.isFinite, abs(value) < 1e9 else {
        return text.append(ascii: "null")
      }
      text.append(value, decimals: decimals)
    }
  }

  /// Adds a number to its last bit; as its bits where it is not finite.
  package mutating func add(_ key: StaticString, exactly value: Double) {
    write(key) { _ in }
    text.append(exactly: value)
  }

  /// Adds an array of numbers to their last bits.
  package mutating func add(_ key: StaticString, exactly values: [Double]) {
    list(key, values.count) { $0.append(exactly: values[$1]) }
  }

  /// Adds seconds with nine decimals, exact to the nanosecond.
  package mutating func add(_ key: StaticString, nanoseconds: UInt64) {
    write(key) { $0.put(digits: nanoseconds, decimals: 9) }
  }

  /// Adds a whole number.
  package mutating func add(_ key: StaticString, _ value: Int?) {
    if let value { add(key, integer: Int64(value)) }
  }

  /// Adds a whole number that may need 64 bits on any machine.
  package mutating func add(_ key: StaticString, integer value: Int64) {
    write(key) {
      if value < 0 { $0.put(UInt8(ascii: "-")) }
      $0.put(digits: value.magnitude)
    }
  }

  /// Adds a whole number that may need 64 bits without a sign.
  package mutating func add(_ key: StaticString, unsigned value: UInt64) {
    write(key) { $0.put(digits: value) }
  }

  /// Adds an array of whole numbers.
  package mutating func add(_ key: StaticString, _ values: [Int]) {
    list(key, values.count) { $0.append(integer: Int64(values[$1])) }
  }

  // MARK: Other values

  /// Adds true or false.
  package mutating func add(_ key: StaticString, _ value: Bool) {
    write(key) { $0.put(value ? "true" : "false") }
  }

  /// Adds a string; nothing where it is nil.
  package mutating func add(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    write(key) { _ in }
    text.append(quoted: value)
  }

  /// Adds an array of texts; nothing where it is empty.
  package mutating func add(_ key: StaticString, _ values: [String]) {
    if !values.isEmpty { list(key, values.count) { $0.append(quoted: values[$1]) } }
  }

  /// Adds an instant as ISO 8601 with milliseconds.
  package mutating func add(_ key: StaticString, _ utc: UTCTime?) {
    guard let rounded = utc?.rounded(toNanoseconds: 1_000_000) else { return }
    write(key) {
      $0.put(UInt8(ascii: "\""))
      $0.put(rounded, decimals: 3)
      $0.put(UInt8(ascii: "\""))
    }
  }

  /// Adds an array of objects.
  package mutating func add<S: Sequence>(
    _ key: StaticString, _ elements: S, _ fill: (S.Element, inout JSONWriter) -> Void
  ) {
    write(key) { $0.put(UInt8(ascii: "[")) }
    var isFirst = true
    for element in elements {
      if !isFirst { text.append(UInt8(ascii: ",")) }
      isFirst = false
      text.append(UInt8(ascii: "{"))
      needsComma = false
      fill(element, &self)
      text.append(UInt8(ascii: "}"))
    }
    text.append(UInt8(ascii: "]"))
    needsComma = true
  }

  /// Adds an object that is JSON already.
  package mutating func add(_ key: StaticString, object: [UInt8]) {
    write(key) { _ in }
    text += object
  }

  /// Adds an object that is JSON already, with a key that only its maker knows.
  package mutating func add(name: String, object: [UInt8]) {
    if needsComma { text.append(UInt8(ascii: ",")) }
    text.append(quoted: name)
    text.append(UInt8(ascii: ":"))
    text += object
    needsComma = true
  }

  // MARK: Parts

  private mutating func list(
    _ key: StaticString, _ count: Int, _ append: (inout [UInt8], Int) -> Void
  ) {
    write(key) { $0.put(UInt8(ascii: "[")) }
    for index in 0..<count {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      append(&text, index)
    }
    text.append(UInt8(ascii: "]"))
  }

  /// Writes the key with its separators, and a short value, as one block.
  @inline(__always)
  private mutating func write(_ key: StaticString, _ value: (inout ByteCursor) -> Void) {
    text.write { [needsComma] in
      if needsComma { $0.put(UInt8(ascii: ",")) }
      $0.put(UInt8(ascii: "\""))
      $0.put(key)
      $0.put("\":")
      value(&$0)
    }
    needsComma = true
  }
}

extension [UInt8] {
  /// Appends a JSON string; quotation marks, backslashes and control characters are escaped.
  /// - Parameters:
  ///   - value: The string.
  ///   - hasShortEscapes: True for `\n` and `\t`, false for `\u000a` and `\u0009`.
  package mutating func append(quoted value: String, hasShortEscapes: Bool = false) {
    func hexadecimal(_ digit: UInt8) -> UInt8 { digit + UInt8(ascii: digit < 10 ? "0" : "W") }
    append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case 0x0A where hasShortEscapes: append(ascii: "\\n")
      case 0x09 where hasShortEscapes: append(ascii: "\\t")
      case ..<0x20:
        append(ascii: "\\u00")
        append(hexadecimal(byte >> 4))
        append(hexadecimal(byte & 15))
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }

  /// Appends the shortest number that reads as the same double; the bits of one that is not finite,
  /// as a text.
  package mutating func append(exactly value: Double) {
    if value.isFinite {
      append(contentsOf: value.description.utf8)
    } else {
      append(contentsOf: "\"0x\(String(value.bitPattern, radix: 16))\"".utf8)
    }
  }
}
