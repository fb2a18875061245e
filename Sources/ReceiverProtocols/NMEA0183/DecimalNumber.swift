/// A decimal number with all digits that the receiver printed.
public struct DecimalNumber: Equatable, Sendable {
  /// All digits without the decimal point, with the sign.
  public let digits: Int64
  /// Number of digits after the decimal point.
  public let decimals: Int

  /// Reads an optional sign, digits and an optional point; at least one digit.
  ///
  /// Digits after the decimal point beyond the 18th digit are dropped: they are below any
  /// resolution.
  /// - Returns: nil for other characters and for more than 18 digits before the decimal point.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    let parts = bytes.count <= Self.mostDigits ? Self.parts(ofShort: bytes) : Self.parts(of: bytes)
    guard let parts else { return nil }
    (digits, decimals) = parts
  }

  private typealias Parts = (digits: Int64, decimals: Int)
  private static let mostDigits = 18

  @inline(never)
  private static func parts(of bytes: UnsafeBufferPointer<UInt8>) -> Parts? {
    var magnitude: Int64 = 0
    var (count, decimals) = (0, 0)
    var (isNegative, sawPoint, sawDigit) = (false, false, false)
    for index in 0..<bytes.count {
      switch bytes[index] {
      case let byte where byte &- UInt8(ascii: "0") < 10:
        sawDigit = true
        if count == mostDigits {
          if sawPoint { continue }
          return nil
        }
        magnitude = magnitude * 10 + Int64(byte - UInt8(ascii: "0"))
        if magnitude > 0 { count += 1 }
        if sawPoint { decimals += 1 }
      case UInt8(ascii: ".") where !sawPoint: sawPoint = true
      case UInt8(ascii: "-") where index == 0: isNegative = true
      case UInt8(ascii: "+") where index == 0: break
      default: return nil
      }
      // 0.000…: leading zeros do not count as digits, but the power of ten is limited too.
      if decimals == mostDigits { count = mostDigits }
    }
    return sawDigit ? (isNegative ? -magnitude : magnitude, decimals) : nil
  }

  /// The same without the limits, which so few characters cannot reach.
  @inline(__always)
  private static func parts(ofShort bytes: UnsafeBufferPointer<UInt8>) -> Parts? {
    var magnitude: Int64 = 0
    var (index, point) = (0, -1)
    let isSigned =
      bytes.count > 0 && (bytes[0] == UInt8(ascii: "-") || bytes[0] == UInt8(ascii: "+"))
    if isSigned { index = 1 }
    let first = index
    while index < bytes.count {
      let digit = bytes[index] &- UInt8(ascii: "0")
      if digit < 10 {
        magnitude = magnitude &* 10 &+ Int64(digit)
      } else {
        guard bytes[index] == UInt8(ascii: "."), point < 0 else { return nil }
        point = index
      }
      index += 1
    }
    guard index - first > (point < 0 ? 0 : 1) else { return nil }
    let isNegative = isSigned && bytes[0] == UInt8(ascii: "-")
    return (isNegative ? -magnitude : magnitude, point < 0 ? 0 : index - point - 1)
  }

  /// The nearest `Double` where the number has at most 15 digits; one division, one rounding.
  public var value: Double {
    decimals == 0 ? Double(digits) : Double(digits) / Double(Self.powerOfTen(decimals))
  }

  /// Ten to the power of 0 to 18.
  static func powerOfTen(_ n: Int) -> Int64 {
    // The compiler makes a table of the frequent cases.
    switch n {
    case 0: return 1
    case 1: return 10
    case 2: return 100
    case 3: return 1000
    case 4: return 10_000
    case 5: return 100_000
    case 6: return 1_000_000
    case 7: return 10_000_000
    case 8: return 100_000_000
    case 9: return 1_000_000_000
    default:
      var power: Int64 = 10_000_000_000
      for _ in 10..<n { power *= 10 }
      return power
    }
  }
}
