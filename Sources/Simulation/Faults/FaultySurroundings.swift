import Quantities

/// What a fault changes in a chip's input.
struct InputChanges: Sendable {
  /// Applied to the field along the chip's axes.
  var axes = Matrix3.identity
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
  /// The frequency of the chip's oscillator as a share of its nominal one.
  var clockRatio = 1.0
}

/// The input of a chip with a fault.
final class FaultySurroundings: Surroundings {
  /// The time in which a chip warms up by 63 %, s.
  private static let warmUpSeconds = 60.0

  private let inner: any Surroundings
  private let changes: InputChanges

  init(_ inner: any Surroundings, _ changes: InputChanges) {
    (self.inner, self.changes) = (inner, changes)
  }

  func field(at instant: Timestamp) -> SIMD3<Double> {
    (changes.axes * inner.field(at: real(instant)) + changes.magnet)
      .clipped(at: changes.largestField)
  }

  func angularRate(at instant: Timestamp) -> SIMD3<Double> {
    let t = real(instant)
    let warmth = 1 - 1 / (1 + t.seconds / Self.warmUpSeconds)
    return
      (inner.angularRate(at: t) + changes.rateOffset + changes.rateOffsetRise * warmth)
      .clipped(at: changes.largestRate)
  }

  func specificForce(at instant: Timestamp) -> SIMD3<Double> {
    inner.specificForce(at: real(instant))
  }

  func hectopascal(at instant: Timestamp) -> Double { inner.hectopascal(at: real(instant)) }

  func celsius(at instant: Timestamp) -> Double { inner.celsius(at: real(instant)) }

  /// The instant of the world for one of the chip's own time.
  private func real(_ instant: Timestamp) -> Timestamp {
    changes.clockRatio == 1
      ? instant
      : Timestamp(nanoseconds: UInt64(bounded: Double(instant.nanoseconds) / changes.clockRatio))
  }
}

/// A chip whose oscillator runs at another frequency: all of its own times are scaled.
final class MistimedChip: EmulatedChip {
  let inner: any EmulatedChip
  private let ratio: Double

  init(_ inner: any EmulatedChip, ratio: Double) { (self.inner, self.ratio) = (inner, ratio) }

  func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) { inner.read(register, into: bytes, at: own(instant)) }

  func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
    inner.write(bytes, to: register, at: own(instant))
  }

  func losePower(at instant: Timestamp) { inner.losePower(at: own(instant)) }

  private func own(_ instant: Timestamp) -> Timestamp {
    Timestamp(nanoseconds: UInt64(bounded: Double(instant.nanoseconds) * ratio))
  }
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
