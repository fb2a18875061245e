import Quantities

/// A chip behind its registers, with all the state that a real one has.
package protocol EmulatedChip: AnyObject {
  /// Answers a read that begins at a register.
  func read(_ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp)
  /// Takes in a write that begins at a register; no byte at all is a command.
  func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp)
  /// Power was lost and is back: everything is as after switching on.
  func losePower(at instant: Timestamp)
}

/// What a chip feels, along its own axes.
package protocol Surroundings: AnyObject {
  /// Magnetic flux density, microtesla.
  func field(at instant: Timestamp) -> SIMD3<Double>
  /// Angular rate, radians per second.
  func angularRate(at instant: Timestamp) -> SIMD3<Double>
  /// Specific force, metres per second squared.
  func specificForce(at instant: Timestamp) -> SIMD3<Double>
  /// Static pressure, hectopascal.
  func hectopascal(at instant: Timestamp) -> Double
  /// The chip's temperature, degrees Celsius.
  func celsius(at instant: Timestamp) -> Double
}

/// Surroundings that stay as they were set, or grow with time, for tests.
package final class FixedSurroundings: Surroundings {
  /// By what share field, rate, force and pressure grow in a second.
  package var growthPerSecond = 0.0
  package var field = SIMD3<Double>(20, 0, 40)
  package var angularRate = SIMD3<Double>.zero
  package var specificForce = SIMD3<Double>(0, 0, 9.806_65)
  package var hectopascal = 1013.25
  package var celsius = 20.0

  package init() {}

  package func field(at instant: Timestamp) -> SIMD3<Double> { field * growth(at: instant) }
  package func angularRate(at instant: Timestamp) -> SIMD3<Double> {
    angularRate * growth(at: instant)
  }
  package func specificForce(at instant: Timestamp) -> SIMD3<Double> {
    specificForce * growth(at: instant)
  }
  package func hectopascal(at instant: Timestamp) -> Double {
    hectopascal * growth(at: instant)
  }
  package func celsius(at instant: Timestamp) -> Double { celsius }

  private func growth(at instant: Timestamp) -> Double { 1 + growthPerSecond * instant.seconds }
}
