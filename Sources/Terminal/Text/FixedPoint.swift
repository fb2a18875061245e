import Quantities

/// A number rounded once to a number of decimals, stored as an integer count of the last one.
///
/// Rounding before splitting avoids 60.000 for 59.9996 minutes.
package struct FixedPoint: Equatable, Sendable {
  /// The number in units of its last decimal.
  package let count: Int64
  /// The number of decimals.
  package let decimals: Int

  /// - Returns: nil for NaN, infinity and numbers of more than 15 digits.
  package init?(_ value: Double, decimals: Int) {
    let scaled = (value * Double(Self.power(decimals))).rounded()
    guard scaled.isFinite, abs(scaled) < 1e15 else { return nil }
    count = Int64(bounded: scaled)
    self.decimals = decimals
  }

  /// The number without a sign.
  package var magnitudeText: String {
    let unit = Self.power(decimals)
    let size = abs(count)
    guard decimals > 0 else { return String(size) }
    return String(size / unit) + "." + Self.zeroPadded(size % unit, width: decimals)
  }

  /// The number with a minus if it is negative; a number that rounds to zero has none.
  package var text: String { (count < 0 ? "-" : "") + magnitudeText }

  /// The number with a plus or a minus; zero has a space instead.
  package var signedText: String {
    (count < 0 ? "-" : count > 0 ? "+" : " ") + magnitudeText
  }

  /// A count with leading zeros.
  package static func zeroPadded(_ number: Int64, width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func power(_ n: Int) -> Int64 {
    var result: Int64 = 1
    for _ in 0..<n { result *= 10 }
    return result
  }
}

extension String {
  /// The text with spaces before it, to a width in characters.
  package func leading(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// The text with spaces after it, to a width in characters.
  package func trailing(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
