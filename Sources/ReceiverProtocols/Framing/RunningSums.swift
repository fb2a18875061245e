/// The sums before each of a buffer's last bytes: the checksum of a range follows from the sums at
/// its two ends.
///
/// False starts of frames overlap, each with a checksum over its own length. With these sums every
/// byte is added once, however many ranges contain it.
struct RunningSums<Sum: RunningSum>: Sendable {
  /// The sum before each position, at the position modulo the count.
  private var past: [Sum]
  private var newest = Sum()
  /// The positions with a sum, the first and the last; nil where there are none.
  private var known: ClosedRange<Int>?
  /// How many bytes were added since the start of the stream.
  private(set) var addedBytes: Int64 = 0

  /// Makes sums for ranges of at most `longest` bytes.
  init(longest: Int) {
    // A power of two makes the modulo one instruction.
    var count = 1
    while count <= longest { count *= 2 }
    past = [Sum](repeating: newest, count: count)
  }

  /// The sums before and after a range. A range must not begin before an earlier one, unless
  /// `bytesMoved` was called between them.
  mutating func ends(of range: Range<Int>, in bytes: [UInt8]) -> (before: Sum, after: Sum) {
    let mask = past.count - 1
    var positions = known ?? range.lowerBound...range.lowerBound
    if !positions.contains(range.lowerBound) { positions = range.lowerBound...range.lowerBound }
    past[positions.upperBound & mask] = newest
    if positions.upperBound < range.upperBound {
      addedBytes += Int64(range.upperBound - positions.upperBound)
      for i in positions.upperBound..<range.upperBound {
        newest.add(bytes[i])
        past[(i + 1) & mask] = newest
      }
      positions = positions.lowerBound...range.upperBound
    }
    known = positions
    return (past[range.lowerBound & mask], past[range.upperBound & mask])
  }

  /// Discards the sums, because the bytes have other positions now.
  mutating func bytesMoved() { known = nil }
}

/// A sum over a stream's bytes from which the checksum of each part of the stream follows.
protocol RunningSum: Sendable {
  /// Makes the sum of no bytes.
  init()
  mutating func add(_ byte: UInt8)
}

/// The two sums of UBX, which the standard of its checksum calls A and B.
/// - Source: u-blox M8 receiver description, UBX-13003221, section 32.4 "UBX checksum".
struct FletcherSum: RunningSum {
  private(set) var (a, b): (UInt8, UInt8) = (0, 0)

  mutating func add(_ byte: UInt8) {
    a &+= byte
    b &+= a
  }

  /// The checksum of the `count` bytes between an earlier sum and this one: each of them has added
  /// the earlier A to B.
  func checksum(since before: FletcherSum, count: Int) -> (a: UInt8, b: UInt8) {
    (a &- before.a, b &- before.b &- UInt8(truncatingIfNeeded: count) &* before.a)
  }
}

/// The stream's bits, each times a power of x that decreases by one from bit to bit, modulo the
/// polynomial of CRC-24Q.
///
/// The remainder of a part is the difference of the sums at its ends times a power of x. Since x
/// has an inverse modulo the polynomial, the remainder is zero exactly where the two sums are
/// equal.
/// - Source: RTCM 10403.x, section 4 "Transport layer"; polynomial 0x1864CFB.
struct CRC24QSum: RunningSum {
  private(set) var remainder: UInt32 = 0
  /// The next bit's power of x.
  private var power: UInt32 = 1
  /// The polynomial divided by x, without its constant term: x to the power of minus one.
  private static let inverse: UInt32 = 0x186_4CFB >> 1

  mutating func add(_ byte: UInt8) {
    var bits = UInt32(byte) << 24
    for _ in 0..<8 {
      remainder ^= power & (0 &- (bits >> 31))
      power = (power >> 1) ^ (Self.inverse & (0 &- (power & 1)))
      bits <<= 1
    }
  }
}
