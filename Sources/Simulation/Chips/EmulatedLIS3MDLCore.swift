import Quantities

/// The common emulator of the LIS3MDL and the LSM9DS1's magnetometer; their differences are
/// parameters.
///
/// - Source: ST LIS3MDL data sheet DocID024204 revision 6: table 16 (register map with defaults),
///   tables 18 to 35, section 5.1.1.
package class EmulatedLIS3MDLCore: RegisterFile {
  private let surroundings: any Surroundings
  private let countsPerGauss: [Double]
  private var conversions: ConversionClock?
  /// The axes whose low byte was read and whose high byte was not, a bit each.
  private var halfRead: UInt8 = 0

  private static let (control1, control2, control3, control5): (UInt8, UInt8, UInt8, UInt8) =
    (0x20, 0x21, 0x22, 0x24)
  private static let (status, outX, outZHigh): (UInt8, UInt8, UInt8) = (0x27, 0x28, 0x2D)

  /// - Parameters:
  ///   - surroundings: Its input.
  ///   - interrupt: INT_CFG after power-on.
  ///   - countsPerGauss: By FS[1:0].
  init(surroundings: any Surroundings, interrupt: UInt8, countsPerGauss: [Double]) {
    self.surroundings = surroundings
    self.countsPerGauss = countsPerGauss
    // The offset registers 0x05 to 0x0A, which the chip subtracts, are stored but not used.
    super.init(
      defaults: [0x0F: 0x3D, 0x20: 0x10, 0x22: 0x03, 0x30: interrupt],
      writable: [
        0x05: 0xFF, 0x06: 0xFF, 0x07: 0xFF, 0x08: 0xFF, 0x09: 0xFF, 0x0A: 0xFF, 0x20: 0xFF,
        0x21: 0x6C, 0x22: 0xA7, 0x23: 0x0E, 0x24: 0xC0, 0x30: 0xEF, 0x32: 0xFF, 0x33: 0x7F,
      ], pointer: .countingByTopBit)
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    halfRead = 0
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control2 where value & 0x04 != 0:
      restoreDefaults()
      reset(at: instant)
    case Self.control1, Self.control3:
      // MD 00: continuous. A change of rate begins a new conversion.
      let isContinuous = registers[Int(Self.control3)] & 0x03 == 0
      conversions = isContinuous ? ConversionClock(start: instant, hertz: hertz) : nil
    default: break
    }
  }

  private var hertz: Double {
    // LP: low power, overrides the mode bits.
    if isSet(0x20, in: Self.control3) { return 0.625 }
    let control = registers[Int(Self.control1)]
    if control & 0x02 != 0 { return [1000, 560, 300, 155][Int(control >> 5 & 3)] }
    return [0.625, 1.25, 2.5, 5, 10, 20, 40, 80][Int(control >> 2 & 7)]
  }

  package override func advance(to instant: Timestamp) {
    let missed = conversions?.finished(by: instant) { convert(at: $0) } ?? 0
    if missed > 0 { set(0xF0, in: Self.status) }
  }

  private func convert(at instant: Timestamp) {
    let scale = countsPerGauss[Int(registers[Int(Self.control2)] >> 5 & 3)] / 100
    let counts = surroundings.field(at: instant) * scale
    // BDU: a half-read axis is not updated until its other half is read.
    let held = isSet(0x40, in: Self.control5) ? halfRead : 0
    for axis in 0..<3 where held & 1 << UInt8(axis) == 0 {
      putLittleEndian(Int(bounded: counts[axis].rounded()), at: Self.outX + UInt8(2 * axis))
    }
    // The overrun flags from the unread data; then the data-ready flags.
    let unread = registers[Int(Self.status)] & 0x0F
    set(unread << 4 | 0x0F, in: Self.status)
  }

  // Reading an axis's high byte clears its flags; the last axis clears the common ones.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    guard Self.outX...Self.outZHigh ~= register else { return }
    let axis = (register - Self.outX) / 2
    if register & 1 == 0 {
      halfRead |= 1 << axis
    } else {
      halfRead &= ~(1 << axis)
      clear(0x11 << axis, in: Self.status)
      if registers[Int(Self.status)] & 0x07 == 0 { clear(0x88, in: Self.status) }
    }
  }
}
