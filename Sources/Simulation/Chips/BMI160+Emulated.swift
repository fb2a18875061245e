import Quantities

/// Bosch's BMI160, with its FIFO without headers only.
/// - Source: Bosch BST-BMI160-DS000-07 (revision 0.8), sections 2.5 (FIFO) and 2.11 (register map with defaults);
///   Linux `bmi160_core.c` (times of the power modes).
package final class EmulatedBMI160: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var gyroscopeOn: Timestamp?
  private var fifo: [UInt8] = []

  private static let (powerStatus, command): (UInt8, UInt8) = (0x03, 0x7E)
  private static let (gyroscopeData, accelerometerData): (UInt8, UInt8) = (0x0C, 0x12)
  private static let (lengthLow, lengthHigh, fifoData): (UInt8, UInt8, UInt8) = (0x22, 0x23, 0x24)
  private static let fifoBytes = 1024

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [
        0x00: 0xD1, 0x40: 0x28, 0x41: 0x03, 0x42: 0x28, 0x45: 0x88, 0x46: 0x80, 0x47: 0x10,
      ],
      writable: [
        0x40: 0xFF, 0x41: 0x0F, 0x42: 0x3F, 0x43: 0x07, 0x44: 0x0F, 0x45: 0xFF, 0x46: 0xFF,
        0x47: 0xFE, 0x50: 0xF7, 0x51: 0x7F, 0x52: 0x0F, 0x53: 0xFF, 0x54: 0x3F, 0x55: 0xFF,
        0x56: 0xFF, 0x57: 0xFF,
      ])
  }

  package override func reset(at instant: Timestamp) {
    (conversions, gyroscopeOn) = (nil, nil)
    fifo = []
  }

  // The pointer stays on FIFO_DATA.
  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    register == Self.fifoData ? register : register &+ 1
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case Self.lengthLow: return UInt8(fifo.count & 0xFF)
    case Self.lengthHigh: return UInt8(fifo.count >> 8)
    // An empty FIFO without headers reads as 0x80.
    case Self.fifoData: return fifo.isEmpty ? 0x80 : fifo.removeFirst()
    default: return registers[Int(register)]
    }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.command: execute(value, at: instant)
    case 0x40, 0x42: restartConversions(at: instant)
    case 0x47: fifo = []
    default: break
    }
  }

  private func execute(_ command: UInt8, at instant: Timestamp) {
    switch command {
    case 0xB6: losePower(at: instant)
    case 0xB0: fifo = []
    case 0x11:
      set(0x10, in: Self.powerStatus)
      restartConversions(at: instant)
    case 0x15: gyroscopeOn = instant.advanced(byNanoseconds: 80_000_000)
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if let on = gyroscopeOn, instant >= on {
      gyroscopeOn = nil
      set(0x04, in: Self.powerStatus)
      restartConversions(at: on)
    }
    guard var clock = conversions else { return }
    _ = clock.finished(by: instant, limit: Self.fifoBytes / 12 + 2) { convert(at: $0) }
    conversions = clock
  }

  private func restartConversions(at instant: Timestamp) {
    let setting = Int(registers[0x42] & 0x0F)
    guard isSet(0x14, in: Self.powerStatus), (6...12).contains(setting) else {
      return conversions = nil
    }
    conversions = ConversionClock(
      start: instant, hertz: 100 / Double(1 << 8) * Double(1 << setting))
  }

  private func convert(at instant: Timestamp) {
    let perDegree = [16.4, 32.8, 65.6, 131.2, 262.4][min(Int(registers[0x43] & 7), 4)]
    let perG: Double =
      switch registers[0x41] & 0x0F {
      case 0x05: 8192
      case 0x08: 4096
      case 0x0C: 2048
      default: 16_384
      }
    let rate = surroundings.angularRate(at: instant) * (180 / Double.pi * perDegree)
    let force = surroundings.specificForce(at: instant) * (perG / 9.806_65)
    for axis in 0..<3 {
      putLittleEndian(saturated(rate[axis]), at: Self.gyroscopeData + UInt8(2 * axis))
      putLittleEndian(saturated(force[axis]), at: Self.accelerometerData + UInt8(2 * axis))
    }
    guard registers[0x47] == 0xC0 else { return }
    fifo += registers[Int(Self.gyroscopeData)..<Int(Self.gyroscopeData) + 12]
    // Whole frames are dropped.
    while fifo.count > Self.fifoBytes { fifo.removeFirst(12) }
  }
}
