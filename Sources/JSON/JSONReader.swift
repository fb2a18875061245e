import Quantities

/// Reads JSON from left to right without a tree: the caller asks for keys, elements and values in
/// their order.
///
/// No input stops the reader. After the first fault every call returns nil or false, so that a
/// caller needs to look at `fault` only once, at the end. Numbers and skipped values cause no
/// allocation.
/// - Source: RFC 8259, "The JavaScript Object Notation (JSON) Data Interchange Format".
package struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let isLenient: Bool
  private let deepest: Int
  private var offset = 0
  private var depth = 0
  private var needsComma = false
  /// The first fault.
  package private(set) var fault: JSONFault?
  /// Values that a lenient reader skipped: of another type or outside the requested range.
  package private(set) var unreadable: Int64 = 0

  /// Makes a reader at the start of a text.
  /// - Parameters:
  ///   - bytes: The text; it must outlive the reader and every `JSONText`.
  ///   - isLenient: True to skip and count values that cannot be read, words that are not JSON
  ///     included; false to make them a fault.
  ///   - deepest: The most objects and arrays within each other, up to 65.
  package init(_ bytes: UnsafeBufferPointer<UInt8>, isLenient: Bool = false, deepest: Int = 32) {
    (self.bytes, self.isLenient, self.deepest) = (bytes, isLenient, deepest)
  }

  /// True once the text is known not to be what was expected.
  package var isBroken: Bool { fault != nil }

  /// The next byte that is not white space: it determines the type of the next value. nil at the
  /// end.
  package mutating func peek() -> UInt8? {
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: offset += 1
      case let byte: return byte
      }
    }
    return nil
  }

  /// True where nothing but white space is left.
  package mutating func isAtEnd() -> Bool { peek() == nil }

  /// A fault where anything but white space is left.
  package mutating func expectEnd() {
    if !isAtEnd() { fail("something follows the end") }
  }

  // MARK: Objects and arrays

  /// Enters an object; where there is none, that is a fault also for a lenient reader.
  package mutating func beginObject() -> Bool {
    guard peek() == UInt8(ascii: "{") else {
      fail(expected: "'{'")
      return false
    }
    return enter()
  }

  /// The next key of the current object; nil after its end, which leaves the object, and after a
  /// fault.
  package mutating func nextKey() -> JSONText? {
    guard nextEntry(before: UInt8(ascii: "}"), "',' or '}'") else { return nil }
    guard let key = quoted("a name in quotes") else { return nil }
    guard peek() == UInt8(ascii: ":") else {
      fail(expected: "':'")
      return nil
    }
    offset += 1
    return key
  }

  /// Enters an array; a lenient reader skips any other value and returns false.
  package mutating func beginArray() -> Bool {
    guard peek() == UInt8(ascii: "[") else {
      if isLenient { skip() } else { fail(expected: "'['") }
      return false
    }
    return enter()
  }

  /// True where the current array has another element; at its end, leaves the array.
  package mutating func nextElement() -> Bool { nextEntry(before: UInt8(ascii: "]"), "',' or ']'") }

  // MARK: Values

  /// Reads a finite number.
  package mutating func number() -> Double? {
    let start = startOfValue()
    let rest = UnsafeBufferPointer(rebasing: bytes[start...])
    if fault == nil, let number = DecimalText(startOf: rest, isJSON: !isLenient) {
      let (value, end) = (number.value, start + number.length)
      // A lenient reader reads whole words.
      let isWhole = !isLenient || end == bytes.count || !Self.isOfWord(bytes[end])
      if value.isFinite, isWhole {
        advance(number.length)
        return value
      }
      if !isLenient { fail("a number beyond all range") }
    }
    if isLenient {
      _ = scalarWord()
      unreadable += 1
    } else {
      fail(expected: "a number")
    }
    return nil
  }

  /// Reads a whole number without point and exponent.
  package mutating func int64() -> Int64? {
    let start = startOfValue()
    if let (isNegative, magnitude) = magnitude() {
      let most = Int64.max.magnitude + (isNegative ? 1 : 0)
      if magnitude <= most {
        return isNegative ? 0 &- Int64(truncatingIfNeeded: magnitude) : Int64(magnitude)
      }
    }
    refuse("expected a whole number", at: start)
    return nil
  }

  /// Reads a whole number without sign, point and exponent.
  package mutating func uint64() -> UInt64? {
    let start = startOfValue()
    if let (isNegative, magnitude) = magnitude(), !isNegative { return magnitude }
    refuse("expected a whole number from 0", at: start)
    return nil
  }

  /// Reads `true` or `false`.
  package mutating func flag() -> Bool? {
    let start = startOfValue()
    if let word = scalarWord().map({ JSONText(bytes: $0, offset: start) }) {
      if word.is("true") { return true }
      if word.is("false") { return false }
    }
    refuse("expected the word true or false", at: start)
    return nil
  }

  /// Reads `null`.
  package mutating func null() {
    let start = startOfValue()
    let word = scalarWord().map { JSONText(bytes: $0, offset: start) }
    if word?.is("null") != true { refuse("expected the word null", at: start) }
  }

  /// Reads a string as it is written.
  package mutating func text() -> JSONText? {
    guard isText() else {
      if isLenient { skip() }
      refuse("expected a text")
      return nil
    }
    return quoted("a text")
  }

  /// Reads a string; an invalid escape and text that is not UTF-8 are faults.
  package mutating func string() -> String? { text().flatMap { string($0) } }

  /// The string of a key or text; an invalid escape and text that is not UTF-8 are faults.
  package mutating func string(_ text: JSONText) -> String? {
    do throws(JSONFault) {
      return try text.string()
    } catch {
      fail(error.reason, at: error.offset)
      return nil
    }
  }

  /// True where the next value is a string.
  package mutating func isText() -> Bool { peek() == UInt8(ascii: "\"") }

  /// Skips a value of any type.
  package mutating func skip() {
    // One bit for each level, 1 for an object.
    var (level, kinds) = (0, UInt64(0))
    repeat {
      switch peek() {
      case UInt8(ascii: "{"):
        guard enter() else { return }
        (level, kinds) = (level + 1, kinds << 1 | 1)
      case UInt8(ascii: "["):
        guard enter() else { return }
        (level, kinds) = (level + 1, kinds << 1)
      case UInt8(ascii: "\""): _ = quoted("a text")
      default: _ = word()
      }
      // Moves to the next value and leaves each object and array that ends before it.
      while level > 0, fault == nil, !(kinds & 1 == 1 ? nextKey() != nil : nextElement()) {
        (level, kinds) = (level - 1, kinds >> 1)
      }
    } while level > 0 && fault == nil
  }

  /// Refuses a value that was read: a lenient reader counts it, for another one it is a fault.
  /// - Parameters:
  ///   - reason: What is wrong.
  ///   - place: The place of the value; nil for the end of what was read.
  package mutating func refuse(_ reason: String, at place: JSONText? = nil) {
    refuse(reason, at: place?.offset ?? offset)
  }

  private mutating func refuse(_ reason: String, at place: Int) {
    if isLenient { unreadable += 1 } else { fail(reason, at: place) }
  }

  // MARK: Parts

  private mutating func fail(_ reason: String, at place: Int? = nil) {
    if fault == nil { fault = JSONFault(at: place ?? offset, reason) }
  }

  private mutating func fail(expected what: String) {
    guard fault == nil else { return }
    fault =
      offset < bytes.count
      ? JSONFault(at: offset, expected: what) : JSONFault(at: offset, "it ends too early")
  }

  private mutating func startOfValue() -> Int {
    _ = peek()
    return offset
  }

  private mutating func advance(_ count: Int) {
    offset += count
    needsComma = true
  }

  private mutating func enter() -> Bool {
    guard depth < deepest, fault == nil else {
      fail("it is nested too deeply")
      return false
    }
    offset += 1
    depth += 1
    needsComma = false
    return true
  }

  /// Moves to the next entry; at the closing bracket, moves past it and returns false.
  private mutating func nextEntry(before bracket: UInt8, _ expectation: StaticString) -> Bool {
    guard fault == nil else { return false }
    let byte = peek()
    if byte == bracket {
      advance(1)
      depth -= 1
      return false
    }
    if needsComma || byte == nil {
      guard byte == UInt8(ascii: ",") else {
        fail(expected: "\(expectation)")
        return false
      }
      offset += 1
      needsComma = false
    }
    return true
  }

  private mutating func quoted(_ expectation: StaticString) -> JSONText? {
    guard peek() == UInt8(ascii: "\""), fault == nil else {
      fail(expected: "\(expectation)")
      return nil
    }
    let start = offset + 1
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        advance(index + 1 - offset)
        return JSONText(bytes: UnsafeBufferPointer(rebasing: bytes[start..<index]), offset: start)
      case UInt8(ascii: "\\"): index += 2
      case 0..<0x20:
        fail("a control character in a text", at: index)
        return nil
      default: index += 1
      }
    }
    offset = bytes.count
    fail("it ends too early")
    return nil
  }

  /// A number or a word; skips any other value and returns nil.
  private mutating func scalarWord() -> UnsafeBufferPointer<UInt8>? {
    switch peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
      if isLenient { skip() }
      return nil
    default: return word()
    }
  }

  /// A run of letters, digits, signs and points.
  private mutating func word() -> UnsafeBufferPointer<UInt8>? {
    let start = offset
    var end = start
    while end < bytes.count, Self.isOfWord(bytes[end]) { end += 1 }
    guard end > start, fault == nil else {
      fail(expected: "a value")
      return nil
    }
    advance(end - start)
    return UnsafeBufferPointer(rebasing: bytes[start..<end])
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// The sign and digits of a whole number; nil for another value.
  private mutating func magnitude() -> (isNegative: Bool, UInt64)? {
    guard let word = scalarWord() else { return nil }
    let isNegative = word[0] == UInt8(ascii: "-")
    guard word.count > (isNegative ? 1 : 0) else { return nil }
    var value: UInt64 = 0
    for index in (isNegative ? 1 : 0)..<word.count {
      let digit = word[index] &- UInt8(ascii: "0")
      let (tenfold, isBeyond) = value.multipliedReportingOverflow(by: 10)
      let (sum, isAbove) = tenfold.addingReportingOverflow(UInt64(digit))
      guard digit < 10, !isBeyond, !isAbove else { return nil }
      value = sum
    }
    return (isNegative, value)
  }
}
