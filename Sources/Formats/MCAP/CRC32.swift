/// The cyclic redundancy check of zlib, PNG and MCAP.
/// - Source: RFC 1952, 8 (polynomial 0x04C11DB7, reflected 0xEDB88320).
package struct CRC32 {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
    }
  }

  private var state = UInt32.max

  /// Makes the checksum of no bytes.
  package init() {}

  /// Makes the checksum of some bytes.
  package init(_ bytes: some Collection<UInt8>) { add(bytes) }

  /// Adds bytes.
  package mutating func add(_ bytes: some Collection<UInt8>) {
    let start = state
    let sum: UInt32 = Self.table.withUnsafeBufferPointer { table in
      func reduce(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(start) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
      }
      return bytes.withContiguousStorageIfAvailable(reduce) ?? reduce(bytes)
    }
    state = sum
  }

  /// The checksum of the bytes so far.
  package var value: UInt32 { ~state }
}
