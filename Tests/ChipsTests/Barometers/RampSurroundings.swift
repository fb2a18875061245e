import Quantities
import Simulation

/// Surroundings with linearly changing pressure and temperature.
final class RampSurroundings: Surroundings {
  /// At the clock's zero, hectopascal.
  static let start = 900.0
  let hectopascalPerSecond: Double
  let celsiusPerSecond: Double

  init(hectopascalPerSecond: Double, celsiusPerSecond: Double = 0) {
    self.hectopascalPerSecond = hectopascalPerSecond
    self.celsiusPerSecond = celsiusPerSecond
  }

  func field(at instant: Timestamp) -> SIMD3<Double> { .zero }
  func angularRate(at instant: Timestamp) -> SIMD3<Double> { .zero }
  func specificForce(at instant: Timestamp) -> SIMD3<Double> { .zero }
  func hectopascal(at instant: Timestamp) -> Double {
    Self.start + hectopascalPerSecond * instant.seconds
  }
  func celsius(at instant: Timestamp) -> Double { 25 + celsiusPerSecond * instant.seconds }
}
