import Quantities

/// A string in JSON as it is written, without the quotation marks; valid only as long as the memory
/// of the text.
@usableFromInline
package struct JSONText {
  /// The bytes between the quotation marks, escapes included.
  @usableFromInline package let bytes: UnsafeBufferPointer<UInt8>
  /// The place of the first of these bytes.
  let offset: Int

  /// True where the string equals this name; names have no escapes.
  @inlinable
  package func `is`(_ name: StaticString) -> Bool {
    guard bytes.count == name.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where bytes[index] != name.utf8Start[index] { return false }
    return true
  }

  /// The bytes without escapes.
  package var unescaped: Unescaped { Unescaped(bytes) }

  /// The string.
  /// - Throws: A fault at an invalid escape, and for text that is not UTF-8.
  func string() throws(JSONFault) -> String {
    guard bytes.contains(UInt8(ascii: "\\")) else { return try string(bytes) }
    var iterator = unescaped
    var content: [UInt8] = []
    content.reserveCapacity(bytes.count)
    while let byte = iterator.next() { content.append(byte) }
    if let reason = iterator.fault { throw JSONFault(at: offset + iterator.index, reason) }
    return try string(content)
  }

  private func string(_ content: some Collection<UInt8>) throws(JSONFault) -> String {
    let text = String(decoding: content, as: UTF8.self)
    // Invalid UTF-8 is replaced in the text, so that the bytes differ.
    guard text.utf8.elementsEqual(content) else {
      throw JSONFault(at: offset, "text that is not UTF-8")
    }
    return text
  }

  /// The bytes of a string without its escapes. An invalid escape sets `fault` and gives a question
  /// mark.
  package struct Unescaped: Sequence, IteratorProtocol {
    private let bytes: UnsafeBufferPointer<UInt8>
    fileprivate var index = 0
    /// The rest of a character's UTF-8, the next byte lowest.
    private var rest: UInt32 = 0
    fileprivate var fault: String?

    fileprivate init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// The next byte; nil at the end.
    package mutating func next() -> UInt8? {
      if rest > 0 {
        defer { rest >>= 8 }
        return UInt8(truncatingIfNeeded: rest)
      }
      guard let byte = nextByte() else { return nil }
      guard byte == UInt8(ascii: "\\") else { return byte }
      switch nextByte() {
      case UInt8(ascii: "b"): return 0x08
      case UInt8(ascii: "f"): return 0x0C
      case UInt8(ascii: "n"): return 0x0A
      case UInt8(ascii: "r"): return 0x0D
      case UInt8(ascii: "t"): return 0x09
      case UInt8(ascii: "u"): return character()
      case UInt8(ascii: "\""): return UInt8(ascii: "\"")
      case UInt8(ascii: "\\"): return UInt8(ascii: "\\")
      case UInt8(ascii: "/"): return UInt8(ascii: "/")
      default: return refuse("an unknown escape")
      }
    }

    private mutating func nextByte() -> UInt8? {
      guard index < bytes.count else { return nil }
      defer { index += 1 }
      return bytes[index]
    }

    private mutating func refuse(_ reason: String) -> UInt8 {
      fault = fault ?? reason
      return UInt8(ascii: "?")
    }

    /// The first byte of the character of four or, as a surrogate pair, twice four hexadecimal
    /// digits.
    private mutating func character() -> UInt8 {
      guard var code = fourDigits() else { return refuse("expected four hexadecimal digits") }
      if 0xD800...0xDBFF ~= code {
        guard nextByte() == UInt8(ascii: "\\"), nextByte() == UInt8(ascii: "u"),
          let low = fourDigits(), 0xDC00...0xDFFF ~= low
        else { return refuse("half a surrogate pair") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { return refuse("half a surrogate pair") }
      var encoded: UInt32 = 0
      // The last byte is the highest.
      for byte in scalar.utf8.reversed() { encoded = encoded << 8 | UInt32(byte) }
      rest = encoded >> 8
      return UInt8(truncatingIfNeeded: encoded)
    }

    private mutating func fourDigits() -> UInt32? {
      var code: UInt32 = 0
      for _ in 0..<4 {
        guard let byte = nextByte(), let digit = byte.hexadecimalDigit else { return nil }
        code = code << 4 | UInt32(digit)
      }
      return code
    }
  }
}
