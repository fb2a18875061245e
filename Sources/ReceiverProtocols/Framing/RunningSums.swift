/// The sums before each of a buffer's last bytes: the checksum of a range follows from the sums at
/// its two ends.
///
/// False starts of frames overlap, each with a checksum over its own length. With these sums every
/// byte is added once, however many ranges contain it.
struct RunningSums<Sum: RunningSum>: Sendable {
  /// The sum before each position, at the position modulo the count; empty before the first range.
  private var past: [Sum] = []
  private let size: Int
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
    size = count
  }

  /// The sums before and after a range. A range must not begin before an earlier one, unless
  /// `bytesMoved` was called between them.
  mutating func ends(of range: Range<Int>, in bytes: [UInt8]) -> (before: Sum, after: Sum) {
    if past.isEmpty { past = [Sum](repeating: newest, count: size) }
    let mask = size - 1
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

/// The two sums of UBX and Allystar, which the standard of its checksum calls A and B.
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

/// A sum over the bytes at each position modulo four, from which the sum of the little-endian
/// words of a part follows.
struct WordSum: RunningSum {
  /// The lane of the next byte is the first one.
  private var lanes = SIMD4<UInt32>()

  mutating func add(_ byte: UInt8) {
    lanes = SIMD4(lanes.y, lanes.z, lanes.w, lanes.x &+ UInt32(byte))
  }

  /// The sum of the words between an earlier sum and this one, modulo 2 to the 32; whole words.
  func sum(since before: WordSum) -> UInt32 {
    let part = lanes &- before.lanes
    return part.x &+ part.y << 8 &+ part.z << 16 &+ part.w << 24
  }
}

/// Exclusive or of all bytes.
struct ExclusiveOrSum: RunningSum {
  private(set) var sum: UInt8 = 0

  mutating func add(_ byte: UInt8) { sum ^= byte }
}
