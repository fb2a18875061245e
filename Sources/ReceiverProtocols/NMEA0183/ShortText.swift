/// Up to 16 characters of a field, stored without allocation; longer text is truncated.
public struct ShortText: Equatable, Hashable, Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0
  private var length: UInt8 = 0

  /// Number of characters.
  public var count: Int { Int(length) }

  /// Largest number of characters.
  public static let capacity = 16

  init(_ bytes: UnsafeBufferPointer<UInt8>) {
    for byte in bytes.prefix(Self.capacity) { append(byte) }
  }

  /// The character at a position below `count`, as ASCII.
  public subscript(index: Int) -> UInt8 {
    let shift = UInt64(truncatingIfNeeded: 56 - index % 8 * 8)
    return UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> shift)
  }

  /// Appends a character; ignores it where the text is full.
  mutating func append(_ byte: UInt8) {
    guard count < Self.capacity else { return }
    let shift = UInt64(truncatingIfNeeded: 56 - count % 8 * 8)
    if count < 8 { high |= UInt64(byte) << shift } else { low |= UInt64(byte) << shift }
    length += 1
  }

  /// True where the text starts with these ASCII letters, in either case.
  func starts(with letters: StaticString) -> Bool {
    guard count >= letters.utf8CodeUnitCount else { return false }
    for index in 0..<letters.utf8CodeUnitCount
    where Self.upper(self[index]) != Self.upper(letters.utf8Start[index]) {
      return false
    }
    return true
  }

  /// True where the text equals these ASCII letters, in either case.
  func matches(_ letters: StaticString) -> Bool {
    count == letters.utf8CodeUnitCount && starts(with: letters)
  }

  /// True where the text contains these ASCII letters, in either case.
  func contains(_ letters: StaticString) -> Bool {
    let length = letters.utf8CodeUnitCount
    guard count >= length else { return false }
    for start in 0...(count - length) {
      var index = 0
      while index < length,
        Self.upper(self[start + index]) == Self.upper(letters.utf8Start[index])
      {
        index += 1
      }
      if index == length { return true }
    }
    return false
  }

  private static func upper(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
  }
}

extension ShortText: CustomStringConvertible {
  /// The characters; bytes outside ASCII become question marks.
  public var description: String {
    var text = ""
    for index in 0..<count {
      let byte = self[index]
      text.unicodeScalars.append(Unicode.Scalar(byte < 128 ? byte : UInt8(ascii: "?")))
    }
    return text
  }
}
