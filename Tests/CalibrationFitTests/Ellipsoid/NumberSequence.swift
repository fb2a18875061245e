import Foundation

/// Pseudo-random numbers that are the same in every run.
///
/// - Source: SplitMix64, Steele, Lea and Flood, OOPSLA 2014, doi:10.1145/2660193.2660195.
struct NumberSequence: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func uniform(_ a: Double, _ b: Double) -> Double {
    a + (b - a) * Double(next() >> 11) / 9_007_199_254_740_992
  }

  mutating func normal() -> Double {
    let radius = (-2 * log(uniform(1e-12, 1))).squareRoot()
    return radius * Foundation.cos(uniform(0, 2 * .pi))
  }

  mutating func vector() -> SIMD3<Double> { SIMD3(normal(), normal(), normal()) }

  mutating func direction() -> SIMD3<Double> {
    let v = vector()
    return v / (v * v).sum().squareRoot()
  }

  static func cos(_ x: Double) -> Double { Foundation.cos(x) }
  static func sin(_ x: Double) -> Double { Foundation.sin(x) }
  static func cubeRoot(_ x: Double) -> Double { Foundation.cbrt(x) }
  static func atan2(_ y: Double, _ x: Double) -> Double { Foundation.atan2(y, x) }
}
