/// How one element of a scan is stored: `le:s16/16>>0`.
/// - Source: Linux, Documentation/ABI/testing/sysfs-bus-iio, `scan_elements/in_…_type`.
package struct IIOScanType: Equatable, Sendable {
  /// Whether the highest byte comes first.
  package let isBigEndian: Bool
  /// Whether it is two's complement.
  package let isSigned: Bool
  /// The significant bits.
  package let bits: Int
  /// The stored bits: 8, 16, 32 or 64.
  package let storageBits: Int
  /// The number of repetitions, for quaternions; else 1.
  package let repeats: Int
  /// The number of bits that it is shifted left.
  package let shift: Int

  init(
    isBigEndian: Bool, isSigned: Bool, bits: Int, storageBits: Int, repeats: Int, shift: Int
  ) {
    self.isBigEndian = isBigEndian
    self.isSigned = isSigned
    self.bits = bits
    self.storageBits = storageBits
    self.repeats = repeats
    self.shift = shift
  }

  /// Reads a type's line.
  /// - Returns: nil for an invalid line.
  package init?(_ text: String) {
    let parts = text.split(whereSeparator: { ":/>X\n".contains($0) })
    guard parts.count == 4 || parts.count == 5, text.contains("X") == (parts.count == 5),
      ["le", "be"].contains(parts[0]), let sign = parts[1].first, "su".contains(sign),
      let bits = Int(parts[1].dropFirst()), let storage = Int(parts[2]),
      [8, 16, 32, 64].contains(storage), 1...storage ~= bits,
      let repeats = parts.count == 5 ? Int(parts[3]) : 1, 1...16 ~= repeats,
      let shift = parts.last.flatMap({ Int($0) }), 0...(storage - bits) ~= shift
    else { return nil }
    isBigEndian = parts[0] == "be"
    isSigned = sign == "s"
    self.bits = bits
    storageBits = storage
    self.repeats = repeats
    self.shift = shift
  }

  /// Its size in a scan, bytes; it is aligned to a multiple of that.
  package var bytes: Int { storageBits / 8 * repeats }

  /// The range of values; for 64 unsigned bits the lower half.
  package var rails: ClosedRange<Int64> {
    let span = Int64.max >> Int64(isSigned ? 64 - bits : max(0, 63 - bits))
    return isSigned ? (-span - 1)...span : 0...span
  }

  /// The number at a pointer to at least `bytes` bytes.
  package func number(at pointer: UnsafeRawPointer) -> Int64 {
    var word: UInt64 = 0
    let count = storageBits / 8
    for index in 0..<count {
      let byte = pointer.load(fromByteOffset: index, as: UInt8.self)
      word |= UInt64(byte) << UInt64(8 * (isBigEndian ? count - 1 - index : index))
    }
    // Shifted left and right again, to extend the sign.
    let top = (word >> UInt64(shift)) << UInt64(64 - bits)
    let down = UInt64(64 - bits)
    return isSigned ? Int64(bitPattern: top) >> Int64(down) : Int64(bitPattern: top >> down)
  }
}

/// The offsets of a scan's elements: in the order of their indices, each at a multiple of its own
/// size. The scan's length is a multiple of the largest size.
/// - Source: Linux, drivers/iio/industrialio-buffer.c, `iio_compute_scan_bytes`.
package struct IIOScanLayout: Equatable, Sendable {
  /// Each element's offset in the scan, bytes.
  package let offsets: [Int]
  /// A scan's length, bytes.
  package let bytes: Int

  /// Lays out the enabled elements.
  /// - Parameter elements: Each with its index in the scan, in any order.
  package init(_ elements: [(index: Int, type: IIOScanType)]) {
    var offsets = [Int](repeating: 0, count: elements.count)
    var (end, greatest) = (0, 1)
    for place in elements.indices.sorted(by: { elements[$0].index < elements[$1].index }) {
      let bytes = elements[place].type.bytes
      offsets[place] = Self.aligned(end, to: bytes)
      end = offsets[place] + bytes
      greatest = max(greatest, bytes)
    }
    self.offsets = offsets
    bytes = Self.aligned(end, to: greatest)
  }

  private static func aligned(_ offset: Int, to bytes: Int) -> Int {
    (offset + bytes - 1) / bytes * bytes
  }
}
