/// Writes numbers the same on every machine, without a locale and without Foundation.
extension [UInt8] {
  /// Appends ASCII text.
  package mutating func append(ascii text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a whole number, filled with zeros on the left up to a width.
  package mutating func append(integer: Int64, width: Int = 1) {
    if integer < 0 { append(UInt8(ascii: "-")) }
    var rest = integer.magnitude
    let start = count
    while rest > 0 || count - start < width {
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    self[start...].reverse()
  }

  /// Appends a number with a fixed count of decimals, halves away from zero; without a sign where
  /// nothing but zeros is left. Nothing is appended for a number too large to hold as a whole count
  /// of last decimals, or not finite.
  package mutating func append(_ value: Double, decimals: Int) {
    var scale: Int64 = 1
    for _ in 0..<decimals { scale *= 10 }
    let scaled = (value * Double(scale)).rounded()
    guard abs(scaled) < 9e18 else { return }
    let whole = Int64(scaled)
    if whole < 0 { append(UInt8(ascii: "-")) }
    let magnitude = Int64(whole.magnitude)
    append(integer: magnitude / scale)
    guard decimals > 0 else { return }
    append(UInt8(ascii: "."))
    append(integer: magnitude % scale, width: decimals)
  }

  /// Appends a number where there is one: an empty field otherwise.
  package mutating func append(_ value: Double?, decimals: Int) {
    if let value { append(value, decimals: decimals) }
  }
}
