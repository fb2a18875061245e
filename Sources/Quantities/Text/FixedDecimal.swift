/// Numbers as ASCII by integer arithmetic: the same bytes on every machine, without a locale and without
/// Foundation.
extension [UInt8] {
  /// Appends ASCII text.
  package mutating func append(ascii text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a whole number, filled with zeros on the left up to so many digits.
  package mutating func append(integer: Int64, width: Int = 1) {
    write {
      if integer < 0 { $0.put(UInt8(ascii: "-")) }
      $0.put(digits: integer.magnitude, width: width)
    }
  }

  /// Appends a number rounded to so many decimals, 0 to 9, halves away from zero; without a sign where
  /// nothing but zeros is left.
  /// - Parameters:
  ///   - value: The number.
  ///   - decimals: How many digits follow the point; none and no point for 0.
  ///   - width: Least digits before the point.
  /// - Returns: False where the number is not finite or too large; nothing is appended then.
  @discardableResult
  package mutating func append(_ value: Double, decimals: Int, width: Int = 1) -> Bool {
    var isTold = false
    write { isTold = $0.put(value, decimals: decimals, width: width) }
    return isTold
  }

  /// Appends a number where there is one: nothing otherwise.
  package mutating func append(_ value: Double?, decimals: Int) {
    if let value { append(value, decimals: decimals) }
  }
}
