/// Numbers as ASCII by integer arithmetic: the same bytes on every machine, independent of locale
/// and Foundation.
extension [UInt8] {
  /// Appends ASCII text.
  package mutating func append(ascii text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Appends a whole number with leading zeros up to so many digits.
  package mutating func append(integer: Int64, width: Int = 1) {
    write {
      if integer < 0 { $0.put(UInt8(ascii: "-")) }
      $0.put(digits: integer.magnitude, width: width)
    }
  }

  /// Appends a number rounded to so many decimals, 0 to 9, halves away from zero; a number that
  /// rounds to zero has no sign.
  /// - Parameters:
  ///   - value: The number.
  ///   - decimals: The number of digits after the point; no point for 0.
  ///   - width: The minimum number of digits before the point.
  /// - Returns: False for a number that is not finite or too large; nothing is appended then.
  @discardableResult
  package mutating func append(_ value: Double, decimals: Int, width: Int = 1) -> Bool {
    var isWritten = false
    write { isWritten = $0.put(value, decimals: decimals, width: width) }
    return isWritten
  }

  /// Appends a number; nil appends nothing.
  package mutating func append(_ value: Double?, decimals: Int) {
    if let value { append(value, decimals: decimals) }
  }
}

extension String {
  /// A number rounded to so many decimals, 0 to 9; empty for one that is not finite or too large.
  package init(_ value: Double, decimals: Int) {
    var bytes: [UInt8] = []
    bytes.append(value, decimals: decimals)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
