/// A number as sysfs prints it, to its last digit.
package struct IIODecimal: Equatable, Sendable {
  /// All digits with the sign, without the point.
  package let digits: Int64
  /// How many of the digits stand behind the point.
  package let places: Int

  /// Takes the number at the beginning of a text; what follows a space or the line's end is left.
  /// - Returns: nil where there is no number, or one with more digits than 64 bits hold.
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

  /// Takes a text's number.
  package init?(_ text: String) { self.init(text.utf8) }

  /// The nearest number to it.
  package var value: Double { value(timesTenTo: 0) }

  /// The nearest number to it in another unit: one division of exact numbers, as long as there are at
  /// most 15 digits.
  package func value(timesTenTo power: Int) -> Double {
    var factor = 1.0
    for _ in 0..<abs(places - power) { factor *= 10 }
    return places >= power ? Double(digits) / factor : Double(digits) * factor
  }
}
