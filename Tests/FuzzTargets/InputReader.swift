/// Reads choices and numbers from an input; after its end all bytes are zero.
struct InputReader {
  private let bytes: UnsafeRawBufferPointer
  private(set) var cursor = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { cursor >= bytes.count }

  mutating func byte() -> UInt8 {
    guard cursor < bytes.count else { return 0 }
    cursor += 1
    return bytes[cursor - 1]
  }

  /// A number below `limit`.
  mutating func choice(_ limit: Int) -> Int { Int(byte()) % limit }

  mutating func bool() -> Bool { byte() & 1 == 1 }

  mutating func word() -> UInt64 { (0..<8).reduce(0) { sum, _ in sum << 8 | UInt64(byte()) } }

  /// Any double, including infinities and not-a-number.
  mutating func anyDouble() -> Double { Double(bitPattern: word()) }

  /// From 0 to below 1 in 65 536 steps.
  mutating func fraction() -> Double { Double(UInt16(byte()) << 8 | UInt16(byte())) / 65_536 }

  /// At most `count` bytes.
  mutating func some(_ count: Int) -> [UInt8] {
    let end = min(bytes.count, cursor + count)
    defer { cursor = end }
    return Array(bytes[cursor..<end])
  }
}

/// A generator seeded by the input, so that the splits of an input are reproducible.
/// - Source: the hash is FNV-1a (Fowler, Noll, Vo); the generator is S. Vigna's SplitMix64.
struct InputGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(_ input: UnsafeRawBufferPointer) {
    state = input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ z >> 30) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ z >> 27) &* 0x94D0_49BB_1331_11EB
    return z ^ z >> 31
  }
}
