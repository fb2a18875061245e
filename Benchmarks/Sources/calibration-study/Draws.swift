import Foundation
import Quantities

/// Numbers by chance that are the same in every run. Source: Steele, Lea, Flood, SplitMix
/// (doi 10.1145/2660193.2660195).
struct Draws {
  private var state: UInt64

  init(seed: Int) { state = UInt64(seed) }

  /// From 0 to 1.
  mutating func uniform() -> Double {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    z ^= z >> 31
    return Double(z >> 11) / 9_007_199_254_740_992
  }

  /// Of mean zero and sigma one; Box and Muller's.
  mutating func normal() -> Double {
    (-2 * log(max(uniform(), 1e-300))).squareRoot() * cos(2 * .pi * uniform())
  }

  /// Three of these.
  mutating func vector() -> SIMD3<Double> { SIMD3(normal(), normal(), normal()) }

  /// Any direction, of length 1.
  mutating func direction() -> SIMD3<Double> {
    let v = vector()
    return v / v.length
  }

  /// Any orientation.
  mutating func orientation() -> Matrix3 {
    let rotation = Rotation<BodyFrame, BodyFrame>(
      w: normal(), x: normal(), y: normal(), z: normal())
    return Matrix3(rotation ?? .identity)
  }

  /// One of a list.
  mutating func element<T>(of list: [T]) -> T {
    list[min(Int(uniform() * Double(list.count)), list.count - 1)]
  }
}
