import Quantities
import TestSupport

/// Random numbers and resting sensors for the tests of the inertial fits.
struct InertialSimulation {
  var generator: SeededGenerator

  init(seed: Int) { generator = SeededGenerator(seed: UInt64(seed)) }

  /// Normal, of variance 1: twelve uniform numbers' sum, less its mean.
  mutating func normal() -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += Double.random(in: 0..<1, using: &generator) }
    return sum
  }

  mutating func normal3(_ sigma: Double = 1) -> SIMD3<Double> {
    let x = normal()
    let y = normal()
    return SIMD3(x, y, normal()) * sigma
  }

  mutating func uniform(_ range: ClosedRange<Double>) -> Double {
    Double.random(in: range, using: &generator)
  }

  /// A direction near another.
  mutating func near(_ direction: SIMD3<Double>, _ sigma: Double) -> SIMD3<Double> {
    (direction + normal3(sigma)).normalized ?? direction
  }
}

let degree = Double.pi / 180

/// True where an estimate is within so many of its sigmas of the truth.
func within(_ sigmas: Double, _ estimate: Double, _ truth: Double, _ sigma: Double) -> Bool {
  abs(estimate - truth) <= sigmas * sigma
}
