import Chips
import Quantities

/// ST's gyroscopes L3G4200D, L3GD20 and L3GD20H.
/// - Source: ST's `l3gd20h_reg.h` (bits, defaults); Linux `st_gyro_core.c` (scales, rates); ST
///   AN3393 (FIFO: 32 slots, stream mode, FIFO_SRC).
package final class EmulatedL3GD20: RegisterFile {
  private let surroundings: any Surroundings
  private let rates: [Double]
  private var conversions: ConversionClock?
  private var slots = EmulatedSlots()

  private static let (control1, control4, control5): (UInt8, UInt8, UInt8) = (0x20, 0x23, 0x24)
  private static let (data, outZHigh): (UInt8, UInt8) = (0x28, 0x2D)
  private static let (fifoControl, fifoSource): (UInt8, UInt8) = (0x2E, 0x2F)

  package init(_ model: ChipModel, surroundings: any Surroundings) {
    self.surroundings = surroundings
    rates = model == .l3gd20 ? [95, 190, 380, 760] : [100, 200, 400, 800]
    let identity: UInt8 = model == .l3g4200d ? 0xD3 : model == .l3gd20 ? 0xD4 : 0xD7
    super.init(
      defaults: [0x0F: identity, 0x20: 0x07],
      writable: [
        0x20: 0xFF, 0x21: model == .l3gd20h ? 0xFF : 0x3F, 0x22: 0xFF, 0x23: 0xF7, 0x24: 0xDF,
        0x25: 0xFF, 0x2E: 0xFF, 0x39: model == .l3gd20h ? 0x2D : 0x00,
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
      return UInt8(min(slots.count, 31)) | (slots.count == 0 ? 0x20 : 0)
        | (slots.count == EmulatedSlots.depth ? 0x40 : 0)
    default: return registers[Int(register)]
    }
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.outZHigh, isFIFOOn { slots.removeOldest() }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control1:
      // PD, and all axes.
      conversions =
        value & 0x0F == 0x0F
        ? ConversionClock(start: instant, hertz: rates[Int(value >> 6)]) : nil
    case Self.fifoControl where value & 0xE0 == 0: slots.removeAll()
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    _ = conversions?.finished(by: instant, limit: EmulatedSlots.depth + 1) { convert(at: $0) }
  }

  // FIFO_EN and stream mode, FM 010.
  private var isFIFOOn: Bool {
    isSet(0x40, in: Self.control5) && registers[Int(Self.fifoControl)] >> 5 == 2
  }

  private func convert(at instant: Timestamp) {
    let millidegrees = [8.75, 17.5, 70, 70][Int(registers[Int(Self.control4)] >> 4 & 3)]
    let counts = surroundings.angularRate(at: instant) * (180 / .pi / (millidegrees * 1e-3))
    putLittleEndian(counts, at: Self.data)
    if isFIFOOn { slots.append(axes(at: Self.data)) }
  }
}
