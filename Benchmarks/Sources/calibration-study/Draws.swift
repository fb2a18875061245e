import Foundation
import Quantities
import Study

/// Distributions of numbers by chance that are the same in every run.
struct Draws {
  private var numbers: SplitMix

  init(seed: Int) { numbers = SplitMix(UInt64(seed)) }

  /// From 0 to 1.
  mutating func uniform() -> Double { Double(numbers.next() >> 11) / 9_007_199_254_740_992 }

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
