import Quantities

/// QST's QMC5883L.
/// - Source: QST QMC5883L data sheet 13-52-04 revision A (1.0): table 13 (register map), sections
///   9.2.2 (ready, overflow and skip bits), 9.2.4 (pointer roll-over, reset). The read that the
///   identity needs: ArduPilot AP_Compass_QMC5883L.cpp ("must read registers 0x00 once or reset"),
///   PX4 QMC5883L.cpp. What it reads before is not known; zero here.
package final class EmulatedQMC5883L: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  /// Whether the data were read, or the chip reset by its register, since power-on.
  private var showsIdentity = false

  private static let identity: UInt8 = 0x0D
  private static let (outZHigh, status, temperature): (UInt8, UInt8, UInt8) = (0x05, 0x06, 0x07)
  private static let (control1, control2): (UInt8, UInt8) = (0x09, 0x0A)
  private static let (ready, overflow, skipped): (UInt8, UInt8, UInt8) = (0x01, 0x02, 0x04)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(defaults: [0x0D: 0xFF], writable: [0x09: 0xFF, 0x0A: 0xC1, 0x0B: 0xFF])
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    showsIdentity = false
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    register == Self.identity && !showsIdentity ? 0x00 : super.value(of: register, at: instant)
  }

  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    // ROL_PNT: around the data and the status.
    let rolls = isSet(0x40, in: Self.control2) && start <= Self.status
    return rolls && register == Self.status ? 0x00 : register &+ 1
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control2 where value & 0x80 != 0:
      restoreDefaults()
      conversions = nil
      showsIdentity = true
    case Self.control1:
      // MODE 01: continuous; else standby.
      let hertz = [10.0, 50, 100, 200][Int(registers[Int(register)] >> 2 & 3)]
      let isContinuous = registers[Int(register)] & 0x03 == 0x01
      conversions = isContinuous ? ConversionClock(start: instant, hertz: hertz) : nil
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    let missed = conversions?.finished(by: instant) { convert(at: $0) } ?? 0
    if missed > 0 { set(Self.skipped, in: Self.status) }
  }

  private func convert(at instant: Timestamp) {
    let countsPerGauss = registers[Int(Self.control1)] & 0x10 == 0 ? 12_000.0 : 3000
    let counts = surroundings.field(at: instant) * (countsPerGauss / 100)
    clear(Self.overflow, in: Self.status)
    for axis in 0..<3 {
      let count = Int(bounded: counts[axis].rounded())
      putLittleEndian(count, at: UInt8(2 * axis))
      if Int16(exactly: count) == nil { set(Self.overflow, in: Self.status) }
    }
    if isSet(Self.ready, in: Self.status) { set(Self.skipped, in: Self.status) }
    set(Self.ready, in: Self.status)
    // 100 counts a degree, from an offset that is not adjusted (section 9.2.3).
    putLittleEndian(
      Int(bounded: (surroundings.celsius(at: instant) * 100).rounded()), at: Self.temperature)
  }

  // Reading any data register clears the flags at once.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == 0x00 { showsIdentity = true }
    if register <= Self.outZHigh { clear(Self.ready | Self.skipped, in: Self.status) }
  }
}
