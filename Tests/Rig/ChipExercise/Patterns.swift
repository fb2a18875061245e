/// Values for data registers: the ends, the signs, single bits, and random numbers of a fixed seed.
enum Patterns {
  /// Three words each, different on every axis, so that an exchange shows.
  /// - Parameter bits: The size of the numbers that are not ends.
  /// - Returns: The ends first.
  static func axes(bits: Int) -> [SIMD3<Int16>] {
    let special: [UInt16] = [
      0x8000, 0x7FFF, 0xFFFF, 0x0000, 0x0001, 0x0100, 0x00FF, 0x8001, 0x7FFE, 0xF000, 0xF800,
      0x07FF,
    ]
    let ends = special.indices.map { index in
      SIMD3(
        Int16(bitPattern: special[index]), Int16(bitPattern: special[(index + 5) % 12]),
        Int16(bitPattern: special[(index + 7) % 12]))
    }
    var random = Random(seed: 20_261_121)
    func word() -> Int16 { random.word() >> Int16(16 - bits) }
    return ends + (0..<20).map { _ in SIMD3(word(), word(), word()) }
  }

  /// Register words for pressure and temperature.
  static func words(pressureBits: Int, temperatureBits: Int) -> [(
    pressure: UInt32, temperature: UInt32
  )] {
    func special(_ bits: Int) -> [UInt32] {
      let all = UInt32(1) << UInt32(bits) - 1
      return [0, all, all / 2, 1, all / 2 + 2, all - 1, 0xAAAA_AAAA & all, 0x5555_5555 & all]
    }
    let (p, t) = (special(pressureBits), special(temperatureBits))
    var random = Random(seed: 20_261_122)
    return p.indices.map { (p[$0], t[($0 + 3) % t.count]) }
      + (0..<20).map { _ in
        (random.bits(pressureBits), random.bits(temperatureBits))
      }
  }
}

/// SplitMix64: the same numbers in every run.
struct Random {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func word() -> Int16 { Int16(truncatingIfNeeded: next() >> 20) }
  mutating func bits(_ count: Int) -> UInt32 { UInt32(next() >> UInt64(64 - count)) }
}
