import Quantities

/// InvenSense's MPU-6050, MPU-6500 and MPU-9250.
/// - Source: InvenSense RM-MPU-6000A-00 revision 4.2, RM-MPU-6500A-00 revision 2.1, RM-MPU-9250A-00
///   revision 1.6: register maps with reset values, registers 26 to 28 (rates, scales), 35, 106, 114
///   and 116 (FIFO), 107 (reset, sleep).
package final class EmulatedMPU6050: RegisterFile {
  /// True while the bus behind the chip is connected to the main one.
  package var isBypassOn: Bool { isSet(0x02, in: 0x37) && registers[0x6A] & 0x20 == 0 }

  private let surroundings: any Surroundings
  private let fifoBytes: Int
  private var fifo: [UInt8] = []
  private var fifoStart = 0
  private var conversions: ConversionClock?

  private static let (divider, configuration): (UInt8, UInt8) = (0x19, 0x1A)
  private static let (fifoEnable, status, userControl): (UInt8, UInt8, UInt8) = (0x23, 0x3A, 0x6A)
  private static let (power1, fifoCount, fifoData): (UInt8, UInt8, UInt8) = (0x6B, 0x72, 0x74)

  /// - Parameters:
  ///   - identity: What WHO_AM_I holds.
  ///   - fifoBytes: The size of the FIFO.
  ///   - power: PWR_MGMT_1 after power-on.
  package init(
    surroundings: any Surroundings, identity: UInt8, fifoBytes: Int, power: UInt8
  ) {
    self.surroundings = surroundings
    self.fifoBytes = fifoBytes
    super.init(
      defaults: [0x75: identity, 0x6B: power],
      writable: [
        0x19: 0xFF, 0x1A: 0x7F, 0x1B: 0xFB, 0x1C: 0xF8, 0x1D: 0x0F, 0x23: 0xFF, 0x24: 0xFF,
        0x37: 0xFE, 0x38: 0x7F, 0x6A: 0x70, 0x6B: 0x7F, 0x6C: 0xFF,
      ])
  }

  package override func reset(at instant: Timestamp) {
    fifo.removeAll()
    fifoStart = 0
    conversions = nil
    restartConversions(at: instant)
  }

  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    register == Self.fifoData ? register : register &+ 1
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.power1 where value & 0x80 != 0: losePower(at: instant)
    case Self.power1, Self.divider, Self.configuration: restartConversions(at: instant)
    case Self.userControl where value & 0x04 != 0:
      fifo.removeAll(keepingCapacity: true)
      fifoStart = 0
    default: break
    }
  }

  private func restartConversions(at instant: Timestamp) {
    guard registers[Int(Self.power1)] & 0x40 == 0 else {
      conversions = nil
      return
    }
    // Registers 25 and 26: 1 kHz through the low-pass, 8 kHz beside it.
    let filter = registers[Int(Self.configuration)] & 7
    let base = filter == 0 || filter == 7 ? 8000.0 : 1000
    conversions = ConversionClock(
      start: instant, hertz: base / (1 + Double(registers[Int(Self.divider)])))
  }

  package override func advance(to instant: Timestamp) {
    guard var clock = conversions else { return }
    // More than the FIFO can hold need not be worked out one by one.
    let missed = clock.finished(by: instant, limit: fifoBytes / 12 + 2) { convert(at: $0) }
    if missed > 0, isSet(0x40, in: Self.userControl) { set(0x10, in: Self.status) }
    conversions = clock
  }

  private func convert(at instant: Timestamp) {
    let forceScale = 16_384 / Double(1 << (registers[0x1C] >> 3 & 3)) / 9.806_65
    let rateScale = 131 / Double(1 << (registers[0x1B] >> 3 & 3)) * (180 / .pi)
    let force = surroundings.specificForce(at: instant) * forceScale
    let rate = surroundings.angularRate(at: instant) * rateScale
    for axis in 0..<3 {
      putBigEndian(Int(force[axis].rounded()), at: 0x3B + UInt8(2 * axis))
      putBigEndian(Int(rate[axis].rounded()), at: 0x43 + UInt8(2 * axis))
    }
    // Section 4.18: degrees = raw/340 + 36.53.
    putBigEndian(Int(((surroundings.celsius(at: instant) - 36.53) * 340).rounded()), at: 0x41)
    set(0x01, in: Self.status)
    guard isSet(0x40, in: Self.userControl) else { return }
    let wanted = registers[Int(Self.fifoEnable)]
    if wanted & 0x08 != 0 { push(0x3B, 6) }
    if wanted & 0x80 != 0 { push(0x41, 2) }
    for (axis, mask) in [UInt8(0x40), 0x20, 0x10].enumerated() where wanted & mask != 0 {
      push(0x43 + 2 * axis, 2)
    }
  }

  /// The oldest bytes fall out of a full FIFO.
  private func push(_ register: Int, _ count: Int) {
    fifo.append(contentsOf: registers[register..<register + count])
    let surplus = fifo.count - fifoStart - fifoBytes
    if surplus > 0 {
      fifoStart += surplus
      set(0x10, in: Self.status)
    }
    if fifoStart > 4 * fifoBytes {
      fifo.removeFirst(fifoStart)
      fifoStart = 0
    }
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    let waiting = fifo.count - fifoStart
    switch register {
    case Self.fifoCount: return UInt8(waiting >> 8)
    case Self.fifoCount + 1: return UInt8(waiting & 0xFF)
    case Self.fifoData:
      guard waiting > 0 else { return fifo.last ?? 0 }
      fifoStart += 1
      return fifo[fifoStart - 1]
    default: return registers[Int(register)]
    }
  }

  // INT_STATUS is taken away by its reading.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.status { clear(0xFF, in: Self.status) }
  }
}
