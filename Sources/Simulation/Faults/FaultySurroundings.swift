import Quantities

/// What a fault changes in a chip's input.
struct InputChanges: Sendable {
  /// Applied to the field along the chip's axes.
  var fieldAxes = Matrix3.identity
  /// Applied to the angular rate.
  var rateAxes = Matrix3.identity
  /// Applied to the specific force.
  var forceAxes = Matrix3.identity
  /// The largest angular rate along an axis, rad/s.
  var largestRate = Double.infinity
  /// The largest field along an axis, microtesla.
  var largestField = Double.infinity
  /// The field of a magnet that moves with the chip, microtesla.
  var magnet = SIMD3<Double>.zero
  /// An offset of the angular rate, rad/s.
  var rateOffset = SIMD3<Double>.zero
  /// What is added to it by and by, rad/s.
  var rateOffsetRise = SIMD3<Double>.zero
}

/// The input of a chip with a fault.
final class FaultySurroundings: Surroundings {
  /// The time in which a chip warms up by half, s.
  private static let warmUpSeconds = 60.0

  private let inner: any Surroundings
  private let changes: InputChanges

  init(_ inner: any Surroundings, _ changes: InputChanges) {
    (self.inner, self.changes) = (inner, changes)
  }

  func field(at instant: Timestamp) -> SIMD3<Double> {
    (changes.fieldAxes * inner.field(at: instant) + changes.magnet)
      .clipped(at: changes.largestField)
  }

  func angularRate(at instant: Timestamp) -> SIMD3<Double> {
    let warmth = 1 - 1 / (1 + instant.seconds / Self.warmUpSeconds)
    return
      (changes.rateAxes * inner.angularRate(at: instant) + changes.rateOffset + changes
      .rateOffsetRise * warmth)
      .clipped(at: changes.largestRate)
  }

  func specificForce(at instant: Timestamp) -> SIMD3<Double> {
    changes.forceAxes * inner.specificForce(at: instant)
  }

  func hectopascal(at instant: Timestamp) -> Double { inner.hectopascal(at: instant) }

  func celsius(at instant: Timestamp) -> Double { inner.celsius(at: instant) }
}

/// A chip that acknowledges, but has the same byte in every register.
final class ConstantChip: EmulatedChip {
  private let byte: UInt8

  init(_ byte: UInt8) { self.byte = byte }

  func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) { for index in bytes.indices { bytes[index] = byte } }

  func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {}

  func losePower(at instant: Timestamp) {}
}

extension SIMD3<Double> {
  fileprivate func clipped(at limit: Double) -> SIMD3<Double> {
    guard limit < .infinity else { return self }
    return SIMD3(
      Swift.max(-limit, Swift.min(limit, x)), Swift.max(-limit, Swift.min(limit, y)),
      Swift.max(-limit, Swift.min(limit, z)))
  }
}
