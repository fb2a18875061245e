/// A decimal number at the start of a text: optional sign, digits, point, exponent.
package struct DecimalText {
  private var isNegative = false
  private var mantissa: UInt64 = 0
  private var exponent = 0
  /// False where the number has more than 19 digits, so that the mantissa does not have all of
  /// them.
  private var isWhole = true
  private let text: UnsafeBufferPointer<UInt8>

  /// Reads the longest number at the start; nil where there is none.
  /// - Parameters:
  ///   - bytes: The text.
  ///   - isJSON: True to refuse a plus sign, a leading zero, and a point without a digit on each
  ///     side.
  package init?(startOf bytes: UnsafeBufferPointer<UInt8>, isJSON: Bool) {
    var at = 0
    func next() -> UInt8? { at < bytes.count ? bytes[at] : nil }
    isNegative = next() == UInt8(ascii: "-")
    if isNegative || (!isJSON && next() == UInt8(ascii: "+")) { at += 1 }
    let startsWithZero = next() == UInt8(ascii: "0")
    let first = at
    var (significant, point): (Int, Int?) = (0, nil)
    while let byte = next() {
      if byte &- UInt8(ascii: "0") < 10 {
        if isJSON, startsWithZero, point == nil, at > first { break }
        // 19 digits are less than 2^64.
        if significant < 19 {
          mantissa = mantissa &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
          if mantissa > 0 { significant += 1 }
          if point != nil { exponent -= 1 }
        } else {
          isWhole = false
        }
      } else if byte == UInt8(ascii: "."), point == nil {
        point = at
      } else {
        break
      }
      at += 1
    }
    guard at - first > (point == nil ? 0 : 1) else { return nil }
    if isJSON, let point, point == first || point == at - 1 { return nil }
    if let byte = next(), byte | 0x20 == UInt8(ascii: "e") {
      at += 1
      let isBelowOne = next() == UInt8(ascii: "-")
      if isBelowOne || next() == UInt8(ascii: "+") { at += 1 }
      let start = at
      var stated = 0
      while let byte = next(), byte &- UInt8(ascii: "0") < 10 {
        // Limited: far beyond every double.
        stated = min(stated * 10 + Int(byte &- UInt8(ascii: "0")), 100_000)
        at += 1
      }
      guard at > start else { return nil }
      exponent += isBelowOne ? -stated : stated
    }
    text = UnsafeBufferPointer(rebasing: bytes[..<at])
  }

  /// The number of bytes.
  package var length: Int { text.count }

  /// The nearest double; infinite beyond the range.
  package var value: Double {
    let magnitude = (isWhole ? Self.nearest(mantissa, exponent) : nil) ?? rounded
    return isNegative ? -magnitude : magnitude
  }

  /// By the standard library, which allocates.
  private var rounded: Double {
    Double(String(decoding: text, as: UTF8.self))?.magnitude ?? .infinity
  }

  /// The double nearest to `mantissa` times ten to the power of `exponent`, by one exact product or
  /// quotient of integers, which is rounded once; nil where the power needs more than 64 bits.
  private static func nearest(_ mantissa: UInt64, _ exponent: Int) -> Double? {
    guard mantissa > 0, exponent != 0 else { return Double(mantissa) }
    // 5^27 < 2^63.
    guard exponent.magnitude <= 27 else { return nil }
    var (five, power, rest): (UInt64, UInt64, UInt) = (1, 5, exponent.magnitude)
    while rest > 0 {
      if rest & 1 == 1 { five &*= power }
      power &*= power
      rest >>= 1
    }
    // Below 2^53 both operands are exact, and one operation rounds once.
    if (mantissa | five) >> 53 == 0 {
      let (a, b) = (Double(mantissa), Double(five))
      return (exponent < 0 ? a / b : a * b) * power2(exponent)
    }
    if exponent >= 0 {
      let (high, low) = mantissa.multipliedFullWidth(by: five)
      guard high > 0 else { return Double(low) * power2(exponent) }
      let shift = high.leadingZeroBitCount
      let top = high << UInt64(shift) | low >> UInt64(64 - shift)
      let isInexact = low << UInt64(shift) != 0
      return Double(top | (isInexact ? 1 : 0)) * power2(64 - shift + exponent)
    }
    // Both with their highest bit set: the quotient then has 63 or 64 bits, and a remainder counts
    // as its last.
    let (up, down) = (mantissa.leadingZeroBitCount, five.leadingZeroBitCount)
    let dividend = mantissa << UInt64(up)
    let (quotient, remainder) = (five << UInt64(down)).dividingFullWidth(
      (dividend >> 1, dividend << 63))
    return Double(quotient | (remainder == 0 ? 0 : 1)) * power2(down - up - 63 + exponent)
  }

  /// Two to a power of magnitude below 1000.
  private static func power2(_ exponent: Int) -> Double {
    Double(bitPattern: UInt64(1023 + exponent) << 52)
  }
}

extension Double {
  /// Reads a text that is a decimal number and nothing else; nil for other texts, and beyond the
  /// range of a double.
  package init?(decimal text: UnsafeBufferPointer<UInt8>) {
    guard let number = DecimalText(startOf: text, isJSON: false), number.length == text.count,
      case let value = number.value, value.isFinite
    else { return nil }
    self = value
  }
}
