/// An exact decimal number, as sysfs prints it.
package struct IIODecimal: Equatable, Sendable {
  /// All digits with the sign, without the point.
  package let digits: Int64
  /// The number of digits after the point.
  package let places: Int

  /// Reads the number at the start of a text, up to a space or the line's end.
  /// - Returns: nil for no number, or one that exceeds 64 bits.
  package init?(_ text: some Sequence<UInt8>) {
    var isNegative = false
    var (digits, places, count) = (Int64(0), 0, 0)
    var isFraction = false
    scan: for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "-") where index == 0: isNegative = true
      case UInt8(ascii: ".") where !isFraction: isFraction = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let (tens, isTooLong) = digits.multipliedReportingOverflow(by: 10)
        let (sum, isTooGreat) = tens.addingReportingOverflow(Int64(byte & 0x0F))
        if isTooLong || isTooGreat { return nil }
        digits = sum
        count += 1
        if isFraction { places += 1 }
      case UInt8(ascii: " "), UInt8(ascii: "\n"), 0: break scan
      default: return nil
      }
    }
    guard count > 0 else { return nil }
    self.digits = isNegative ? -digits : digits
    self.places = places
  }

  /// Reads the number at the start of a text.
  package init?(_ text: String) { self.init(text.utf8) }

  /// The nearest `Double`.
  package var value: Double { value(timesTenTo: 0) }

  /// The nearest `Double` times a power of ten: with at most 15 digits one division of exact
  /// numbers.
  package func value(timesTenTo power: Int) -> Double {
    var factor = 1.0
    for _ in 0..<abs(places - power) { factor *= 10 }
    return places >= power ? Double(digits) / factor : Double(digits) * factor
  }
}
