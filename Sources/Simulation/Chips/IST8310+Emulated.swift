import Quantities

/// iSentek's IST8310.
/// - Source: the registers as in `IST8310`; defaults and the self-clearing bits (SRST, MODE) from
///   the same drivers' comments.
package final class EmulatedIST8310: RegisterFile {
  private let surroundings: any Surroundings
  private var measurementEnd: Timestamp?
  private var isResetting: Timestamp?

  private static let (status1, outX, outZHigh): (UInt8, UInt8, UInt8) = (0x02, 0x03, 0x08)
  private static let (control1, control2, control3): (UInt8, UInt8, UInt8) = (0x0A, 0x0B, 0x0D)
  private static let average: UInt8 = 0x41
  private static let (ready, overrun): (UInt8, UInt8) = (0x01, 0x02)
  /// A sixteenth of the time with sixteen measurements averaged.
  private static let singleNanoseconds: UInt64 = 375_000

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x00: 0x10, 0x0B: 0x0C],
      writable: [0x0A: 0x0F, 0x0B: 0x0D, 0x0C: 0x40, 0x0D: 0x70, 0x41: 0x3F, 0x42: 0xC0])
  }

  package override func reset(at instant: Timestamp) {
    measurementEnd = nil
    isResetting = nil
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control2 where value & 0x01 != 0:
      restoreDefaults()
      reset(at: instant)
      set(0x01, in: Self.control2)
      isResetting = instant.advanced(byNanoseconds: 20_000_000)
    case Self.control1 where value & 0x0F == 0x01 && isResetting == nil:
      let times = UInt64(1) << UInt64(min(4, registers[Int(Self.average)] & 0x07))
      measurementEnd = instant.advanced(byNanoseconds: times * Self.singleNanoseconds)
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if let end = isResetting, end <= instant {
      isResetting = nil
      clear(0x01, in: Self.control2)
    }
    guard let end = measurementEnd, end <= instant else { return }
    measurementEnd = nil
    clear(0x0F, in: Self.control1)
    convert(at: end)
  }

  private func convert(at instant: Timestamp) {
    // Its own z is opposite to the right-handed one.
    let field = surroundings.field(at: instant) * SIMD3(1, 1, -1)
    for axis in 0..<3 {
      let isFine = registers[Int(Self.control3)] & 0x10 << UInt8(axis) != 0
      let count = field[axis] * (isFine ? 13.2 : 3.3)
      putLittleEndian(Int(bounded: count.rounded()), at: Self.outX + UInt8(2 * axis))
    }
    if isSet(Self.ready, in: Self.status1) { set(Self.overrun, in: Self.status1) }
    set(Self.ready, in: Self.status1)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    guard Self.outX...Self.outZHigh ~= register else { return }
    clear(Self.ready | Self.overrun, in: Self.status1)
  }
}
