import Quantities

/// Bytes of a line under construction.
struct TextLine {
  private(set) var bytes: [UInt8] = []

  mutating func reserve(_ capacity: Int) { bytes.reserveCapacity(capacity) }

  /// Exchanges the bytes for others.
  mutating func exchange(with other: inout [UInt8]) { swap(&bytes, &other) }

  @inline(__always)
  mutating func write(_ body: (inout ByteCursor) -> Void) { bytes.write(body) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  mutating func append(_ text: StaticString) { bytes.append(ascii: text) }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends a whole number, with leading zeros up to `width` digits.
  mutating func append(integer value: Int64, width: Int = 1) {
    bytes.append(integer: value, width: width)
  }

  /// Appends the number rounded to `decimals` with at least `width` digits before the point.
  mutating func append(_ value: Double, decimals: Int, width: Int = 1) {
    bytes.append(value, decimals: decimals, width: width)
  }
}
