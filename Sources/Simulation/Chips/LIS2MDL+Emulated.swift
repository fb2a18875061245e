import Quantities

/// ST's LIS2MDL, without interrupts and thresholds.
/// - Source: ST LIS2MDL data sheet DS12144 as in `LIS2MDL`: defaults (CFG_REG_A 0x03: idle),
///   continuous and single mode, BDU, what clears ZYXDA. Its axes are left-handed: see `ChipFact`.
package final class EmulatedLIS2MDL: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var singleEnd: Timestamp?
  /// With BDU an axis of which one byte was read is not updated.
  private var heldAxes: [Bool] = [false, false, false]

  private static let (configurationA, configurationC): (UInt8, UInt8) = (0x60, 0x62)
  private static let (status, outX, outZHigh): (UInt8, UInt8, UInt8) = (0x67, 0x68, 0x6D)
  private static let singleNanoseconds: UInt64 = 9_400_000

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x4F: 0x40, 0x60: 0x03, 0x63: 0xE0],
      writable: [
        0x45: 0xFF, 0x46: 0xFF, 0x47: 0xFF, 0x48: 0xFF, 0x49: 0xFF, 0x4A: 0xFF, 0x60: 0x9F,
        0x61: 0x1F, 0x62: 0x7F, 0x63: 0xE7, 0x65: 0xFF, 0x66: 0xFF,
      ])
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    singleEnd = nil
    heldAxes = [false, false, false]
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    guard register == Self.configurationA else { return }
    // SOFT_RST, REBOOT.
    if value & 0x60 != 0 {
      restoreDefaults()
      reset(at: instant)
      return
    }
    conversions = nil
    singleEnd = nil
    switch value & 0x03 {
    case 0:
      conversions = ConversionClock(start: instant, hertz: [10, 20, 50, 100][Int(value >> 2 & 3)])
    case 1: singleEnd = instant.advanced(byNanoseconds: Self.singleNanoseconds)
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if let end = singleEnd, end <= instant {
      singleEnd = nil
      convert(at: end)
      set(0x03, in: Self.configurationA)
    }
    _ = conversions?.finished(by: instant) { convert(at: $0) }
  }

  private func convert(at instant: Timestamp) {
    let counts = surroundings.field(at: instant) / SIMD3(0.15, 0.15, -0.15)
    for axis in 0..<3 where !heldAxes[axis] {
      putLittleEndian(Int(bounded: counts[axis].rounded()), at: Self.outX + UInt8(2 * axis))
    }
    markNewAxes(in: Self.status)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    guard Self.outX...Self.outZHigh ~= register else { return }
    let axis = Int(register - Self.outX) / 2
    let isHigh = (register - Self.outX) % 2 == 1
    if isSet(0x10, in: Self.configurationC) { heldAxes[axis] = !isHigh }
    if isHigh { clear(0x11 << UInt8(axis), in: Self.status) }
    // ZYXDA falls with the last axis.
    if registers[Int(Self.status)] & 0x07 == 0 { clear(0x88, in: Self.status) }
  }
}
