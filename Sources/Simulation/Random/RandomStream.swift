/// A reproducible sequence of random numbers: the same seed and stream give the same bits on every
/// machine, because nothing but integer and IEEE 754 arithmetic makes them.
///
/// Each sensor has its own stream, so that a changed rate of one does not change the others.
/// - Source: M. E. O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
///   Algorithms for Random Number Generation", HMC-CS-2014-0905, the generator PCG-XSH-RR 64/32.
public struct RandomStream: Sendable {
  private var state: UInt64 = 0
  private let increment: UInt64
  private var spare: Double?

  /// Makes the sequence of a seed; streams of one seed are independent.
  public init(seed: UInt64, stream: UInt64) {
    increment = (stream << 1) | 1
    _ = nextBits()
    state &+= seed
    _ = nextBits()
  }

  /// The next 32 random bits.
  public mutating func nextBits() -> UInt32 {
    let old = state
    state = old &* 6_364_136_223_846_793_005 &+ increment
    let shuffled = UInt32(truncatingIfNeeded: ((old >> 18) ^ old) >> 27)
    let turn = UInt32(truncatingIfNeeded: old >> 59)
    return (shuffled >> turn) | (shuffled << ((~turn &+ 1) & 31))
  }

  /// A number from 0 (included) to 1 (excluded), with all 53 bits of a `Double` random.
  public mutating func uniform() -> Double {
    let high = UInt64(nextBits() >> 5)
    let low = UInt64(nextBits() >> 6)
    // 27 and 26 bits side by side, then moved below the point: 2 to the power of -53.
    return Double((high << 26) | low) * 0x1p-53
  }

  /// A number of the normal distribution with mean 0 and standard deviation 1.
  /// - Source: G. Marsaglia and T. A. Bray, "A Convenient Method for Generating Normal Variables",
  ///   SIAM Review 6 (1964), the polar method.
  public mutating func gaussian() -> Double {
    if let kept = spare {
      spare = nil
      return kept
    }
    while true {
      let a = 2 * uniform() - 1
      let b = 2 * uniform() - 1
      let s = a * a + b * b
      guard s > 0, s < 1 else { continue }
      let factor = (-2 * Self.naturalLogarithm(s) / s).squareRoot()
      spare = b * factor
      return a * factor
    }
  }

  /// Three independent numbers of the normal distribution.
  public mutating func gaussianVector() -> SIMD3<Double> {
    let x = gaussian()
    let y = gaussian()
    return SIMD3(x, y, gaussian())
  }

  /// The logarithm of a positive normal number. Our own, because libraries differ in the last bit
  /// and the sequence would differ with them.
  /// - Accuracy: a few units in the last place; the series is cut where s²ᵏ falls below 1e-17.
  package static func naturalLogarithm(_ x: Double) -> Double {
    var exponent = Double(x.exponent)
    var m = x.significand
    // Brings m between sqrt(1/2) and sqrt(2), where s below is at most 0.172.
    if m > 1.414_213_562_373_095_1 {
      m *= 0.5
      exponent += 1
    }
    let s = (m - 1) / (m + 1)
    let squared = s * s
    // atanh(s) = s + s^3/3 + s^5/5 + ..., summed by Horner's rule from s^23 down.
    var sum = 0.0
    var odd = 23.0
    while odd >= 1 {
      sum = sum * squared + 1 / odd
      odd -= 2
    }
    return exponent * 0.693_147_180_559_945_3 + 2 * s * sum
  }
}
