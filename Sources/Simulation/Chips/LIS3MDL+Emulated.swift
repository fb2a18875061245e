import Quantities

/// ST's LIS3MDL.
/// - Source: ST LIS3MDL data sheet DocID024204 revision 6: table 3 (sensitivity), table 16 (register
///   map with defaults), tables 18 to 35.
package final class EmulatedLIS3MDL: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?

  private static let (control1, control2, control3, control5): (UInt8, UInt8, UInt8, UInt8) =
    (0x20, 0x21, 0x22, 0x24)
  private static let (status, outX, outZHigh): (UInt8, UInt8, UInt8) = (0x27, 0x28, 0x2D)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x0F: 0x3D, 0x20: 0x10, 0x22: 0x03],
      writable: [
        0x20: 0xFF, 0x21: 0x6C, 0x22: 0x27, 0x23: 0x0E, 0x24: 0xC0, 0x30: 0xEF, 0x32: 0xFF,
        0x33: 0x7F,
      ])
  }

  package override func reset(at instant: Timestamp) { conversions = nil }

  // Section 5.1.1: the top bit of the register's number makes the pointer count.
  package override func first(_ register: UInt8) -> UInt8 { register & 0x7F }
  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    start & 0x80 != 0 ? (register + 1) & 0x7F : register
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control2 where value & 0x04 != 0:
      restoreDefaults()
      conversions = nil
    case Self.control1, Self.control3:
      // MD 00: continuous. A change of rate begins a new conversion.
      let isContinuous = registers[Int(Self.control3)] & 0x03 == 0
      conversions = isContinuous ? ConversionClock(start: instant, hertz: hertz) : nil
    default: break
    }
  }

  private var hertz: Double {
    let control = registers[Int(Self.control1)]
    if control & 0x02 != 0 { return [1000, 560, 300, 155][Int(control >> 5 & 3)] }
    return [0.625, 1.25, 2.5, 5, 10, 20, 40, 80][Int(control >> 2 & 7)]
  }

  package override func advance(to instant: Timestamp) {
    guard var clock = conversions else { return }
    let missed = clock.finished(by: instant) { convert(at: $0) }
    if missed > 0 { set(0xF0, in: Self.status) }
    conversions = clock
  }

  private func convert(at instant: Timestamp) {
    let countsPerGauss = [6842.0, 3421, 2281, 1711][Int(registers[Int(Self.control2)] >> 5 & 3)]
    let counts = surroundings.field(at: instant) * (countsPerGauss / 100)
    for axis in 0..<3 {
      putLittleEndian(
        Int(counts[axis].rounded()), at: Self.outX + UInt8(2 * axis))
    }
    if isSet(0x08, in: Self.status) { set(0xF0, in: Self.status) }
    set(0x0F, in: Self.status)
  }

  // The flags go once the last axis has been read.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.outZHigh { clear(0xFF, in: Self.status) }
  }
}
