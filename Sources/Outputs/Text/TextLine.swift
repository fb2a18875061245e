/// Bytes of a line under construction, with numbers printed by integer arithmetic: the same value
/// gives the same text on every machine and in every locale.
struct TextLine {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ capacity: Int) { bytes.reserveCapacity(capacity) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ text: StaticString) {
    bytes.append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a whole number, with leading zeros up to `width` digits.
  mutating func append(integer value: Int64, width: Int = 1) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    digits(of: value.magnitude, width: width)
  }

  /// Appends the number rounded to so many decimals, 0 to 9, halves away from zero, with at least
  /// `width` digits before the point.
  ///
  /// - Returns: false where the number is not finite or too large; nothing is appended then.
  @discardableResult
  mutating func append(_ value: Double, decimals: Int, width: Int = 1) -> Bool {
    let power = Self.power(decimals)
    let scaled = (value * Double(power)).rounded()
    guard abs(scaled) < 9.2e18 else { return false }
    let whole = Int64(scaled)
    if whole < 0 { bytes.append(UInt8(ascii: "-")) }
    digits(of: whole.magnitude / power, width: width)
    if decimals > 0 {
      bytes.append(UInt8(ascii: "."))
      digits(of: whole.magnitude % power, width: decimals)
    }
    return true
  }

  private mutating func digits(of value: UInt64, width: Int) {
    let start = bytes.count
    var rest = value
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    while bytes.count - start < width { bytes.append(UInt8(ascii: "0")) }
    bytes[start...].reverse()
  }

  private static func power(_ n: Int) -> UInt64 {
    var power: UInt64 = 1
    for _ in 0..<n { power *= 10 }
    return power
  }
}
