/// Reads JSON from one line without building a tree: the caller reads keys and values in their
/// order. No input stops the reader. Text that is not JSON sets `isBroken` for good.
///
/// A value of another type than requested is skipped and counted, and so are words that are not
/// JSON, such as the `nan` of old daemons.
/// - Source: RFC 8259, "The JavaScript Object Notation (JSON) Data Interchange Format".
struct JSONReader {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0
  private var hasEntry = false
  /// True once the text is known not to be JSON.
  private(set) var isBroken = false
  /// Values of another type or outside the requested range.
  private(set) var unreadable: Int64 = 0

  /// Limit of the nesting; gpsd's deepest report has four levels.
  private static let deepest = 64

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// True where nothing but blanks is left.
  mutating func isAtEnd() -> Bool { peek() == nil }

  /// Enters an object; where there is none, returns false and sets `isBroken`.
  mutating func beginObject() -> Bool { begin(UInt8(ascii: "{")) }

  /// The next key of the current object; nil after its end and where the text is broken.
  mutating func nextKey() -> JSONText? {
    guard nextEntry(before: UInt8(ascii: "}")) else { return nil }
    guard let key = string(), peek() == UInt8(ascii: ":") else {
      isBroken = true
      return nil
    }
    position += 1
    return key
  }

  /// Enters an array; skips any other value and returns false.
  mutating func beginArray() -> Bool {
    guard peek() == UInt8(ascii: "[") else {
      pass()
      return false
    }
    return begin(UInt8(ascii: "["))
  }

  /// True where the current array has another element; at its end, leaves the array.
  mutating func nextElement() -> Bool { nextEntry(before: UInt8(ascii: "]")) }

  /// Reads a finite number.
  mutating func number() -> Double? {
    if let word = word(), let number = Self.number(word) { return number }
    unreadable += 1
    return nil
  }

  /// Reads a number within a range.
  mutating func number(in range: ClosedRange<Double>) -> Double? {
    guard let value = number() else { return nil }
    guard range.contains(value) else {
      unreadable += 1
      return nil
    }
    return value
  }

  /// Reads an integer of 0 to 65535, the range of all counts and codes of gpsd.
  mutating func integer() -> Int? {
    guard let value = number(in: 0...65_535) else { return nil }
    guard value == value.rounded() else {
      unreadable += 1
      return nil
    }
    return Int(value)
  }

  /// Reads `true` or `false`.
  mutating func flag() -> Bool? {
    if let word = word() {
      let text = JSONText(bytes: word)
      if text.is("true") { return true }
      if text.is("false") { return false }
    }
    unreadable += 1
    return nil
  }

  /// Reads a string.
  mutating func text() -> JSONText? {
    if peek() == UInt8(ascii: "\"") { return string() }
    pass()
    unreadable += 1
    return nil
  }

  /// Counts a value that was read but is impossible.
  mutating func refuse() { unreadable += 1 }

  /// True where the next value is a string.
  mutating func isText() -> Bool { peek() == UInt8(ascii: "\"") }

  /// Skips a value of any type.
  mutating func pass() {
    // One bit for each level, 1 for an object.
    var (depth, kinds) = (0, UInt64(0))
    repeat {
      guard let byte = peek() else {
        isBroken = true
        return
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        guard depth < Self.deepest else { isBroken = true; return }
        kinds = kinds << 1 | (byte == UInt8(ascii: "{") ? 1 : 0)
        depth += 1
        position += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        guard depth > 0, kinds & 1 == (byte == UInt8(ascii: "}") ? 1 : 0) else {
          isBroken = true
          return
        }
        kinds >>= 1
        depth -= 1
        position += 1
      case UInt8(ascii: "\""): _ = string()
      case UInt8(ascii: ","), UInt8(ascii: ":"):
        guard depth > 0 else { isBroken = true; return }
        position += 1
      default: _ = bareWord()
      }
    } while depth > 0 && !isBroken
    hasEntry = true
  }

  private mutating func begin(_ bracket: UInt8) -> Bool {
    guard peek() == bracket else {
      isBroken = true
      return false
    }
    position += 1
    hasEntry = false
    return true
  }

  /// Moves to the next entry; at the closing bracket, moves past it and returns false.
  private mutating func nextEntry(before bracket: UInt8) -> Bool {
    guard !isBroken, let byte = peek() else {
      isBroken = true
      return false
    }
    if byte == bracket {
      position += 1
      hasEntry = true
      return false
    }
    if hasEntry {
      guard byte == UInt8(ascii: ",") else {
        isBroken = true
        return false
      }
      position += 1
    }
    hasEntry = true
    return true
  }

  /// The next byte that is not white space; it is not consumed.
  private mutating func peek() -> UInt8? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: " "), 0x09, 0x0A, 0x0D: position += 1
      case let byte: return byte
      }
    }
    return nil
  }

  private mutating func string() -> JSONText? {
    guard peek() == UInt8(ascii: "\"") else {
      isBroken = true
      return nil
    }
    let start = position + 1
    var index = start
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        position = index + 1
        hasEntry = true
        return JSONText(bytes: UnsafeBufferPointer(rebasing: bytes[start..<index]))
      case UInt8(ascii: "\\"): index += 2
      case 0..<0x20:
        isBroken = true
        return nil
      default: index += 1
      }
    }
    isBroken = true
    return nil
  }

  /// A number or a word; skips any other value and returns nil.
  private mutating func word() -> UnsafeBufferPointer<UInt8>? {
    switch peek() {
    case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""):
      pass()
      return nil
    default: return bareWord()
    }
  }

  private mutating func bareWord() -> UnsafeBufferPointer<UInt8>? {
    let start = position
    while position < bytes.count, Self.isOfWord(bytes[position]) { position += 1 }
    guard position > start else {
      isBroken = true
      return nil
    }
    hasEntry = true
    return UnsafeBufferPointer(rebasing: bytes[start..<position])
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

  /// A finite number, with or without an exponent.
  private static func number(_ word: UnsafeBufferPointer<UInt8>) -> Double? {
    let mark = word.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? word.count
    guard let mantissa = DecimalNumber(UnsafeBufferPointer(rebasing: word[..<mark])) else {
      return nil
    }
    guard mark < word.count else { return mantissa.value }
    let exponent = DecimalNumber(UnsafeBufferPointer(rebasing: word[(mark + 1)...]))
    // With a larger exponent, every mantissa of 18 digits is zero or infinite.
    let largest: Int64 = 350
    guard let exponent, exponent.decimals == 0, exponent.digits.magnitude <= largest else {
      return nil
    }
    var value = mantissa.value
    for _ in 0..<exponent.digits.magnitude {
      if exponent.digits < 0 { value /= 10 } else { value *= 10 }
    }
    return value.isFinite ? value : nil
  }
}
