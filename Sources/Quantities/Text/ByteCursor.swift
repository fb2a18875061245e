/// Writes ASCII into preallocated memory, from left to right.
///
/// Output that does not fit is dropped; the caller provides enough memory.
@usableFromInline
package struct ByteCursor {
  @usableFromInline package var at: UnsafeMutablePointer<UInt8>
  @usableFromInline package let start: UnsafeMutablePointer<UInt8>
  @usableFromInline package let end: UnsafeMutablePointer<UInt8>

  /// The memory may be uninitialised: every byte up to `count` is written.
  @inlinable @inline(__always)
  package init(_ memory: UnsafeMutableBufferPointer<UInt8>, from first: UnsafeMutablePointer<UInt8>)
  {
    (start, at, end) = (first, first, first + memory.count)
  }

  /// Number of bytes written.
  @inlinable
  package var count: Int { at - start }

  @inlinable @inline(__always)
  package mutating func put(_ byte: UInt8) {
    guard at < end else { return }
    at.pointee = byte
    at += 1
  }

  @inlinable @inline(__always)
  package mutating func put(_ text: StaticString) {
    put(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  @inlinable @inline(__always)
  package mutating func put(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard end - at >= bytes.count, let first = bytes.baseAddress else { return }
    // Most are shorter than it is worth to call memcpy for.
    for index in 0..<bytes.count { at[index] = first[index] }
    at += bytes.count
  }

  /// Writes a whole number with at least so many digits, and a point before the last `decimals` of
  /// them.
  @inlinable @inline(__always)
  package mutating func put(digits value: UInt64, width: Int = 1, decimals: Int = 0) {
    var length = 1
    var limit: UInt64 = 10
    // The largest number has twenty digits; ten to that power is beyond a `UInt64`.
    while length < 20, value >= limit {
      length += 1
      limit = length < 20 ? limit &* 10 : limit
    }
    length = max(length, width + decimals)
    let total = length + (decimals > 0 ? 1 : 0)
    guard end - at >= total else { return }
    var rest = value
    var place = at + total
    if decimals > 0 {
      Self.put(digits: decimals, of: &rest, before: &place)
      place -= 1
      place.pointee = UInt8(ascii: ".")
    }
    Self.put(digits: length - decimals, of: &rest, before: &place)
    at += total
  }

  /// Writes the last digits of a number before a place, two at a time, and removes them from it.
  @inlinable @inline(__always)
  static func put(
    digits count: Int, of rest: inout UInt64, before place: inout UnsafeMutablePointer<UInt8>
  ) {
    var left = count
    while left >= 2 {
      let pair = Int(truncatingIfNeeded: rest % 100)
      rest /= 100
      place -= 2
      place[0] = pairs.utf8Start[2 * pair]
      place[1] = pairs.utf8Start[2 * pair + 1]
      left -= 2
    }
    if left > 0 {
      place -= 1
      place.pointee = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
  }

  /// 00 to 99.
  @inlinable
  static var pairs: StaticString {
    """
    00010203040506070809101112131415161718192021222324\
    25262728293031323334353637383940414243444546474849\
    50515253545556575859606162636465666768697071727374\
    75767778798081828384858687888990919293949596979899
    """
  }

  /// Writes a number rounded to so many decimals, 0 to 9, halves away from zero; a number that
  /// rounds to zero has no sign.
  ///
  /// `width` is the least number of digits before the point.
  /// - Returns: False for a number that is not finite or too large; nothing is written then.
  @inlinable @inline(__always)
  package mutating func put(_ value: Double, decimals: Int, width: Int = 1) -> Bool {
    let scaled = (value * Self.power(decimals)).rounded()
    guard abs(scaled) < 9.2e18 else { return false }
    guard let whole = Int64(exactly: scaled) else { return false }
    if whole < 0 { put(UInt8(ascii: "-")) }
    put(digits: whole.magnitude, width: width, decimals: decimals)
    return true
  }

  /// Ten to the power of 0 to 9.
  @inlinable
  static func power(_ decimals: Int) -> Double {
    switch decimals {
    case 0: 1
    case 1: 1e1
    case 2: 1e2
    case 3: 1e3
    case 4: 1e4
    case 5: 1e5
    case 6: 1e6
    case 7: 1e7
    case 8: 1e8
    default: 1e9
    }
  }
}

extension [UInt8] {
  /// Appends up to 128 bytes that `body` writes, as one block.
  @inlinable @inline(__always)
  package mutating func write(_ body: (inout ByteCursor) -> Void) {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { memory in
      guard let first = memory.baseAddress else { return }
      var cursor = ByteCursor(memory, from: first)
      body(&cursor)
      append(contentsOf: UnsafeBufferPointer(start: first, count: cursor.count))
    }
  }
}
