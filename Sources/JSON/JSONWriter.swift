import Quantities

/// One JSON object under construction at the end of a text; keys are in the order of their
/// addition.
package struct JSONWriter {
  /// The text, and free space after `end` that the next values are written into.
  private var text: [UInt8] = []
  private var end: Int
  private var needsComma = false

  /// Most bytes of a key with its value, other than strings and values of several parts.
  private static let longest = 128
  private static let freeSpace = 1024
  private static let zeros = [UInt8](repeating: 0, count: freeSpace)

  /// Moves the text into the writer without a copy; `close` moves it back.
  package init(appendingTo text: inout [UInt8]) {
    end = text.count
    swap(&self.text, &text)
    write { $0.put(UInt8(ascii: "{")) }
  }

  /// Ends the object and moves the text back.
  package mutating func close(into text: inout [UInt8]) {
    write { $0.put(UInt8(ascii: "}")) }
    self.text.removeLast(self.text.count - end)
    swap(&self.text, &text)
    end = self.text.count
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
    var number = value.exactText
    write(key) { cursor in number.withUTF8 { cursor.put($0) } }
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
    guard var value else { return }
    let quotes = 6
    guard key.utf8CodeUnitCount + value.utf8.count + quotes <= Self.longest,
      value.withUTF8({ $0.allSatisfy(Self.isPlain) })
    else {
      write(key) { _ in }
      return append { $0.append(quoted: value) }
    }
    write(key) { cursor in
      cursor.put(UInt8(ascii: "\""))
      value.withUTF8 { cursor.put($0) }
      cursor.put(UInt8(ascii: "\""))
    }
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
    let all = Array(elements)
    add(key, count: all.count) { fill(all[$0], &$1) }
  }

  /// Adds an array of so many objects. In the paths that are run for each report: the same for a
  /// sequence is generic.
  package mutating func add(
    _ key: StaticString, count: Int, _ fill: (Int, inout JSONWriter) -> Void
  ) {
    write(key) { $0.put(UInt8(ascii: "[")) }
    for index in 0..<count {
      write {
        if index > 0 { $0.put(UInt8(ascii: ",")) }
        $0.put(UInt8(ascii: "{"))
      }
      needsComma = false
      fill(index, &self)
      write { $0.put(UInt8(ascii: "}")) }
    }
    write { $0.put(UInt8(ascii: "]")) }
    needsComma = true
  }

  /// Adds an object that is JSON already.
  package mutating func add(_ key: StaticString, object: [UInt8]) {
    write(key) { _ in }
    append { $0 += object }
  }

  /// Adds an object that is JSON already, with a key that is known only at run time.
  package mutating func add(name: String, object: [UInt8]) {
    append { [needsComma] text in
      if needsComma { text.append(UInt8(ascii: ",")) }
      text.append(quoted: name)
      text.append(UInt8(ascii: ":"))
      text += object
    }
    needsComma = true
  }

  // MARK: Parts

  /// Whether a byte needs no escape.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private mutating func list(
    _ key: StaticString, _ count: Int, _ append: (inout [UInt8], Int) -> Void
  ) {
    write(key) { $0.put(UInt8(ascii: "[")) }
    self.append { text in
      for index in 0..<count {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        append(&text, index)
      }
      text.append(UInt8(ascii: "]"))
    }
  }

  /// Writes the key with its separators, and a short value, as one block.
  @inline(__always)
  private mutating func write(_ key: StaticString, _ value: (inout ByteCursor) -> Void) {
    write { [needsComma] in
      if needsComma { $0.put(UInt8(ascii: ",")) }
      $0.put(UInt8(ascii: "\""))
      $0.put(key)
      $0.put(UInt8(ascii: "\""))
      $0.put(UInt8(ascii: ":"))
      value(&$0)
    }
    needsComma = true
  }

  /// Writes at most `longest` bytes into the free space.
  @inline(__always)
  private mutating func write(_ body: (inout ByteCursor) -> Void) {
    if text.count - end < Self.longest { addSpace() }
    let from = end
    end += text.withUnsafeMutableBufferPointer { text in
      guard let base = text.baseAddress else { return 0 }
      var cursor = ByteCursor(
        UnsafeMutableBufferPointer(start: base + from, count: text.count - from), from: base + from)
      body(&cursor)
      return cursor.count
    }
  }

  /// Makes free space: in the capacity that a caller has reserved, where it is enough.
  @inline(never)
  private mutating func addSpace() {
    let reserved = text.capacity - text.count
    let count = reserved < Self.longest ? Self.freeSpace : min(reserved, Self.freeSpace)
    Self.zeros.withUnsafeBufferPointer {
      text.append(contentsOf: UnsafeBufferPointer(rebasing: $0[..<count]))
    }
  }

  /// Appends what may be longer.
  private mutating func append(_ body: (inout [UInt8]) -> Void) {
    text.removeLast(text.count - end)
    body(&text)
    end = text.count
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
    append(contentsOf: value.exactText.utf8)
  }
}

extension Double {
  fileprivate var exactText: String {
    isFinite ? description : "\"0x\(String(bitPattern, radix: 16))\""
  }
}
