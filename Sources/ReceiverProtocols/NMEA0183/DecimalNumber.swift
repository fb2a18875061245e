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
    var magnitude: Int64 = 0
    var (count, decimals) = (0, 0)
    var (isNegative, sawPoint, sawDigit) = (false, false, false)
    for index in 0..<bytes.count {
      switch bytes[index] {
      case let byte where byte &- UInt8(ascii: "0") < 10:
        sawDigit = true
        if count == 18 {
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
      if decimals == 18 { count = 18 }
    }
    guard sawDigit else { return nil }
    digits = isNegative ? -magnitude : magnitude
    self.decimals = decimals
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
