import Quantities

/// InvenSense's ICM-20948. Bank 0's registers are the file's own; bank 2's are stored 0x80 above
/// their number.
/// - Source: InvenSense ICM-20948 data sheet DS-000189 revision 1.3, sections 7, 8 and 10 (map with
///   defaults); FIFO's order and reset: PX4 `InvenSense_ICM20948_registers.hpp`.
package final class EmulatedICM20948: RegisterFile, EmulatedBypassUnit {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var fifo: [UInt8] = []
  private var lastFIFOByte: UInt8 = 0

  private static let (bank, power1, userControl): (UInt8, UInt8, UInt8) = (0x7F, 0x06, 0x03)
  private static let (interruptPin, overflow): (UInt8, UInt8) = (0x0F, 0x1B)
  private static let (accelerometerData, gyroscopeData): (UInt8, UInt8) = (0x2D, 0x33)
  private static let (fifoEnable, fifoReset): (UInt8, UInt8) = (0x67, 0x68)
  private static let (countHigh, countLow, fifoData): (UInt8, UInt8, UInt8) = (0x70, 0x71, 0x72)
  private static let (divider, gyroscope, accelerometer): (UInt8, UInt8, UInt8) = (0x80, 0x81, 0x94)
  private static let fifoBytes = 512

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x00: 0xEA, 0x05: 0x40, 0x06: 0x41, 0x81: 0x01, 0x94: 0x01],
      writable: [
        0x03: 0xF0, 0x05: 0x70, 0x06: 0x7F, 0x07: 0x3F, 0x0F: 0xFE, 0x10: 0x8F, 0x11: 0x01,
        0x12: 0x1F, 0x13: 0x1F, 0x66: 0x0F, 0x67: 0x1F, 0x68: 0x1F, 0x69: 0x1F, 0x76: 0x01,
        0x7F: 0x30,
        0x80: 0xFF, 0x81: 0x3F, 0x82: 0x3F, 0x89: 0x01, 0x90: 0x0F, 0x91: 0xFF, 0x94: 0x3F,
        0x95: 0x1F,
      ], pointer: .counting(stayingOn: Self.fifoData))
  }

  package var isBypassOn: Bool {
    isSet(0x02, in: Self.interruptPin) && registers[Int(Self.userControl)] & 0x20 == 0
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    fifo = []
    lastFIFOByte = 0
  }

  package override func first(_ register: UInt8) -> UInt8 {
    register != Self.bank && isSet(0x20, in: Self.bank) ? register | 0x80 : register
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    guard register == Self.fifoData else { return registers[Int(register)] }
    // An empty FIFO repeats its last byte.
    if !fifo.isEmpty { lastFIFOByte = fifo.removeFirst() }
    return lastFIFOByte
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.overflow { registers[Int(Self.overflow)] = 0 }
  }

  package override func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) {
    advance(to: instant)
    if first(register) == Self.countHigh {
      registers[Int(Self.countHigh)] = UInt8(fifo.count >> 8)
      registers[Int(Self.countLow)] = UInt8(fifo.count & 0xFF)
    }
    super.read(register, into: bytes, at: instant)
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.power1 where value & 0x80 != 0:
      beginReset(0x80, in: Self.power1, nanoseconds: 50_000_000, at: instant)
    case Self.power1, Self.divider: restartConversions(at: instant)
    case Self.fifoReset where value & 0x1F != 0: fifo = []
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    finishReset(by: instant)
    let missed =
      conversions?.finished(by: instant, limit: Self.fifoBytes / 12 + 2) { convert(at: $0) } ?? 0
    if missed > 0, isFIFOOn { set(0x1F, in: Self.overflow) }
  }

  private var isFIFOOn: Bool {
    isSet(0x40, in: Self.userControl) && isSet(0x1E, in: Self.fifoEnable)
  }

  private func restartConversions(at instant: Timestamp) {
    guard !isSet(0x40, in: Self.power1) else { return conversions = nil }
    conversions = ConversionClock(
      start: instant, hertz: 1125 / (1 + Double(registers[Int(Self.divider)])))
  }

  private func convert(at instant: Timestamp) {
    let gyroscopeRange = Int(registers[Int(Self.gyroscope)] >> 1 & 3)
    let accelerometerRange = Int(registers[Int(Self.accelerometer)] >> 1 & 3)
    let rate =
      surroundings.angularRate(at: instant)
      * (180 / Double.pi * [131, 65.5, 32.8, 16.4][gyroscopeRange])
    let force =
      surroundings.specificForce(at: instant)
      * ([16_384.0, 8192, 4096, 2048][accelerometerRange] / 9.806_65)
    putBigEndian(force, at: Self.accelerometerData)
    putBigEndian(rate, at: Self.gyroscopeData)
    guard isFIFOOn else { return }
    fifo += registers[Int(Self.accelerometerData)..<Int(Self.accelerometerData) + 12]
    if fifo.count > Self.fifoBytes {
      fifo.removeFirst(fifo.count - Self.fifoBytes)
      set(0x1F, in: Self.overflow)
    }
  }
}
