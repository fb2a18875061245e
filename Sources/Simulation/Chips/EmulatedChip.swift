import Quantities

/// A chip with its registers and internal state.
package protocol EmulatedChip: AnyObject {
  /// Answers a read that starts at a register.
  func read(_ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp)
  /// Executes a write that starts at a register; without bytes it is a command.
  func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp)
  /// Answers a read without a register number.
  /// - Returns: False where the chip does not acknowledge.
  func receive(into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp) -> Bool
  /// Whether the chip does not acknowledge such a write now.
  func refuses(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) -> Bool
  /// Whether it acknowledges its address; a chip that boots does not.
  func acknowledges(at instant: Timestamp) -> Bool
  /// Resets everything to the state after power-on.
  func losePower(at instant: Timestamp)
}

extension EmulatedChip {
  /// False: most chips take every write.
  package func refuses(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp
  ) -> Bool { false }
  /// True: a chip that answers from power-on on.
  package func acknowledges(at instant: Timestamp) -> Bool { true }

  /// Zeros: a chip with registers, of which this read has none.
  package func receive(
    into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) -> Bool {
    for index in bytes.indices { bytes[index] = 0 }
    return true
  }
}

/// The input of a chip, along its own axes.
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

/// Surroundings with constant or linearly growing values, for tests.
package final class FixedSurroundings: Surroundings {
  package var field = SIMD3<Double>(20, 0, 40)
  package var angularRate = SIMD3<Double>.zero
  package var specificForce = SIMD3<Double>(0, 0, 9.806_65)
  package var hectopascal = 1013.25
  package var celsius = 20.0
  /// From an instant on all values except the temperature grow by this share of their set value a
  /// second.
  package var growth: (from: Timestamp, sharePerSecond: Double)?

  package init() {}

  package func field(at instant: Timestamp) -> SIMD3<Double> { field * factor(at: instant) }
  package func angularRate(at instant: Timestamp) -> SIMD3<Double> {
    angularRate * factor(at: instant)
  }
  package func specificForce(at instant: Timestamp) -> SIMD3<Double> {
    specificForce * factor(at: instant)
  }
  package func hectopascal(at instant: Timestamp) -> Double { hectopascal * factor(at: instant) }
  package func celsius(at instant: Timestamp) -> Double { celsius }

  private func factor(at instant: Timestamp) -> Double {
    guard let growth, instant > growth.from else { return 1 }
    return 1 + growth.sharePerSecond * instant.seconds(since: growth.from)
  }
}
