import Quantities

/// The accelerometer of ST's LSM303DLHC or LSM303AGR.
/// - Source: ST's `lis3dh_reg.h`, whose part is the same accelerometer (bits); Linux
///   `st_accel_core.c` (scales, rates); ST LIS3DH data sheet DocID17530 revision 2, section 5.1
///   (FIFO).
package final class EmulatedLSM303DLHCAccelerometer: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var slots = EmulatedSlots()

  private static let (control1, control4, control5): (UInt8, UInt8, UInt8) = (0x20, 0x23, 0x24)
  private static let (status, data, outZHigh): (UInt8, UInt8, UInt8) = (0x27, 0x28, 0x2D)
  private static let (fifoControl, fifoSource): (UInt8, UInt8) = (0x2E, 0x2F)

  private let milliG: [Double]

  package init(surroundings: any Surroundings, isAGR: Bool = false) {
    self.surroundings = surroundings
    milliG = isAGR ? [0.98, 1.95, 3.9, 11.72] : [1, 2, 4, 12]
    super.init(
      defaults: [0x0F: 0x33, 0x20: 0x07],
      writable: [
        0x20: 0xFF, 0x21: 0xFF, 0x22: 0xFE, 0x23: 0xF9, 0x24: 0xCF, 0x25: 0xFA, 0x26: 0xFF,
        0x2E: 0xFF, 0x30: 0xFF, 0x32: 0x7F, 0x33: 0x7F, 0x34: 0xFF, 0x36: 0x7F, 0x37: 0x7F,
        0x38: 0x3F, 0x3A: 0x7F, 0x3B: 0x7F, 0x3C: 0xFF, 0x3D: 0xFF,
      ], pointer: .countingByTopBit)
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    slots.removeAll()
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case Self.data...Self.outZHigh:
      guard isFIFOOn, let slot = slots.oldest else { return registers[Int(register)] }
      return slot[Int(register - Self.data)]
    case Self.fifoSource:
      let threshold = Int(registers[Int(Self.fifoControl)] & 0x1F)
      return UInt8(min(slots.count, 31)) | (slots.count == 0 ? 0x20 : 0)
        | (slots.count == EmulatedSlots.depth ? 0x40 : 0) | (slots.count > threshold ? 0x80 : 0)
    default: return registers[Int(register)]
    }
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    guard register == Self.outZHigh else { return }
    clear(0xFF, in: Self.status)
    if isFIFOOn { slots.removeOldest() }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control1:
      let hertz = [0, 1, 10, 25, 50, 100, 200, 400.0, 1620, 1344, 0, 0, 0, 0, 0, 0][Int(value >> 4)]
      conversions = hertz > 0 ? ConversionClock(start: instant, hertz: hertz) : nil
    case Self.fifoControl where value & 0xC0 == 0: slots.removeAll()
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    _ = conversions?.finished(by: instant, limit: EmulatedSlots.depth + 1) { convert(at: $0) }
  }

  // FIFO_EN and stream mode, FM 10.
  private var isFIFOOn: Bool {
    isSet(0x40, in: Self.control5) && registers[Int(Self.fifoControl)] >> 6 == 2
  }

  private func convert(at instant: Timestamp) {
    let milliG = milliG[Int(registers[Int(Self.control4)] >> 4 & 3)]
    // HR: 12 bits instead of 10, both left-aligned.
    let bits = isSet(0x08, in: Self.control4) ? 12 : 10
    let step = milliG * 1e-3 * 9.806_65 * (bits == 12 ? 1 : 4)
    let limit = Double(1 << (bits - 1))
    let counts = surroundings.specificForce(at: instant) / step
    for axis in 0..<3 {
      let count = Int(bounded: max(-limit, min(limit - 1, counts[axis].rounded())))
      putLittleEndian(count << (16 - bits), at: Self.data + UInt8(2 * axis))
    }
    markNewAxes(in: Self.status)
    if isFIFOOn { slots.append(axes(at: Self.data)) }
  }
}
