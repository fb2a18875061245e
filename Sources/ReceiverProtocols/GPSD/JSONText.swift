/// The raw bytes of a JSON string, without the quotes. Valid only as long as the line's memory.
struct JSONText {
  /// The bytes between the quotes, escapes included.
  let bytes: UnsafeBufferPointer<UInt8>

  /// True where the string equals this name; names have no escapes.
  func `is`(_ name: StaticString) -> Bool {
    guard bytes.count == name.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where bytes[index] != name.utf8Start[index] { return false }
    return true
  }

  /// True where the unescaped string equals these bytes.
  func means(_ other: [UInt8]) -> Bool {
    var (index, matched) = (0, 0)
    while let byte = next(&index) {
      guard matched < other.count, other[matched] == byte else { return false }
      matched += 1
    }
    return matched == other.count
  }

  /// The unescaped bytes.
  var meaning: [UInt8] {
    var (index, result) = (0, [UInt8]())
    result.reserveCapacity(bytes.count)
    while let byte = next(&index) { result.append(byte) }
    return result
  }

  /// The next unescaped byte. A `\u` escape outside ASCII becomes a question mark: paths and
  /// messages of the daemon are ASCII.
  private func next(_ index: inout Int) -> UInt8? {
    guard index < bytes.count else { return nil }
    let byte = bytes[index]
    index += 1
    guard byte == UInt8(ascii: "\\"), index < bytes.count else { return byte }
    let escape = bytes[index]
    index += 1
    switch escape {
    case UInt8(ascii: "b"): return 0x08
    case UInt8(ascii: "f"): return 0x0C
    case UInt8(ascii: "n"): return 0x0A
    case UInt8(ascii: "r"): return 0x0D
    case UInt8(ascii: "t"): return 0x09
    case UInt8(ascii: "u"): return character(&index)
    default: return escape
    }
  }

  /// The character of up to four hexadecimal digits.
  private func character(_ index: inout Int) -> UInt8 {
    var code: UInt32 = 0
    let end = min(index + 4, bytes.count)
    while index < end {
      guard let digit = Self.hexadecimal(bytes[index]) else { break }
      code = code << 4 | UInt32(digit)
      index += 1
    }
    return code < 0x80 ? UInt8(code) : UInt8(ascii: "?")
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
