import Quantities

/// Angles in the sexagesimal texts of Meade's LX200 protocol.
/// - Source: Meade Telescope Serial Command Protocol, revision 2010.10.
package enum LX200Angle {
  private static let degreeSign: UInt8 = 0xDF

  /// Hours `HH:MM:SS`, or `HH:MM.T` where short.
  package static func hours(_ angle: Angle, isShort: Bool = false) -> [UInt8] {
    let parts = isShort ? 600 : 3600
    let count = Int(bounded: (angle.wrappedToTurn.degrees / 15 * Double(parts)).rounded())
    let (hours, rest) = (count % (24 * parts)).quotientAndRemainder(dividingBy: parts)
    return isShort
      ? two(hours) + [colon] + two(rest / 10) + [UInt8(ascii: ".")] + one(rest % 10)
      : two(hours) + [colon] + two(rest / 60) + [colon] + two(rest % 60)
  }

  /// Degrees `sDD*MM'SS`, or `sDD*MM` where short; the asterisk is the degree sign of the display.
  package static func signed(_ angle: Angle, digits: Int = 2, isShort: Bool = false) -> [UInt8] {
    let sign = angle.radians < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+")
    return [sign] + degrees(abs(angle.degrees), digits, isShort)
  }

  /// A direction `DDD*MM'SS`, or `DDD*MM` where short.
  package static func turn(_ angle: Angle, isShort: Bool = false) -> [UInt8] {
    degrees(angle.wrappedToTurn.degrees, 3, isShort, below: 360)
  }

  private static func degrees(
    _ degrees: Double, _ digits: Int, _ isShort: Bool, below limit: Int? = nil
  ) -> [UInt8] {
    let parts = isShort ? 60 : 3600
    var count = Int(bounded: (degrees * Double(parts)).rounded())
    if let limit { count %= limit * parts }
    let (whole, rest) = count.quotientAndRemainder(dividingBy: parts)
    let head = (digits > 2 ? one(whole / 100) : []) + two(whole % 100) + [degreeSign]
    return isShort
      ? head + two(rest) : head + two(rest / 60) + [UInt8(ascii: "'")] + two(rest % 60)
  }

  private static let colon = UInt8(ascii: ":")
  private static func one(_ digit: Int) -> [UInt8] { [UInt8(ascii: "0") + UInt8(digit % 10)] }
  private static func two(_ number: Int) -> [UInt8] { one(number / 10) + one(number) }

  /// Reads the number before the colon, degree sign or asterisk with its minutes and seconds, in
  /// its own unit.
  /// - Returns: nil for another text, and beyond `limit`.
  package static func number(_ text: ArraySlice<UInt8>, limit: Double) -> Double? {
    var text = text.drop { $0 == UInt8(ascii: " ") }
    let isNegative = text.first == UInt8(ascii: "-")
    if isNegative || text.first == UInt8(ascii: "+") { text = text.dropFirst() }
    let isNumber = { (byte: UInt8) in (48...57).contains(byte) || byte == UInt8(ascii: ".") }
    let fields = text.split(omittingEmptySubsequences: false) { !isNumber($0) }
    guard (2...3).contains(fields.count) else { return nil }
    var (value, unit) = (0.0, 1.0)
    for field in fields {
      guard let part = Double(String(decoding: field, as: UTF8.self)), unit == 1 || part < 60
      else { return nil }
      value += part * unit
      unit /= 60
    }
    return value <= limit ? (isNegative ? -value : value) : nil
  }
}
