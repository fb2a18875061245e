import Quantities

/// NXP's FXAS21002C, without FIFO, interrupts and filters.
/// - Source: Linux fxas21002c_core.c (registers, fields, rates, scales, the time from standby); PX4
///   FXAS21002C.cpp.
package final class EmulatedFXAS21002: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?

  private static let (status, outX, outZLow): (UInt8, UInt8, UInt8) = (0x00, 0x01, 0x06)
  private static let (control0, control1, control3): (UInt8, UInt8, UInt8) = (0x0D, 0x13, 0x15)
  /// From standby to the first conversion's begin, ns.
  private static let starting: UInt64 = 60_000_000

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x0C: 0xD7],
      writable: [
        0x09: 0xFF, 0x0D: 0xFF, 0x0E: 0x0F, 0x10: 0xFF, 0x11: 0xFF, 0x13: 0x3F, 0x14: 0xFF,
        0x15: 0x0D,
      ])
  }

  private var isActive: Bool { isSet(0x02, in: Self.control1) }

  package override func reset(at instant: Timestamp) { conversions = nil }

  package override func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp
  ) {
    // Settings are taken in standby and ready only.
    guard !isActive || register == Self.control1 else { return }
    super.write(bytes, to: register, at: instant)
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    guard register == Self.control1 else { return }
    guard isActive else {
      conversions = nil
      return
    }
    let hertz = [800, 400, 200, 100, 50, 25, 12.5, 12.5][Int(value >> 2 & 0x07)]
    conversions = ConversionClock(
      start: instant.advanced(byNanoseconds: Self.starting), hertz: hertz)
  }

  package override func advance(to instant: Timestamp) {
    _ = conversions?.finished(by: instant) { convert(at: $0) }
  }

  private func convert(at instant: Timestamp) {
    let millidegrees = [62.5, 31.25, 15.625, 7.8125][Int(registers[Int(Self.control0)] & 0x03)]
    let step = millidegrees * 1e-3 * .pi / 180 * (isSet(0x01, in: Self.control3) ? 2 : 1)
    let counts = surroundings.angularRate(at: instant) / step
    putBigEndian(counts, at: Self.outX)
    markNewAxes(in: Self.status)
  }

  // The flags fall when the data are read.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.outZLow { clear(0xFF, in: Self.status) }
  }
}
