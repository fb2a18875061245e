import Quantities

/// Bosch's BMI160, with its FIFO without headers only.
/// - Source: Bosch BST-BMI160-DS000-07 (revision 0.8), sections 2.5 (FIFO) and 2.11 (register map
///   with defaults); Linux `bmi160_core.c` (times of the power modes).
package final class EmulatedBMI160: EmulatedBoschFIFO {
  private var gyroscopeOn: Timestamp?

  private static let (powerStatus, command): (UInt8, UInt8) = (0x03, 0x7E)
  private static let fifoBytes = 1024

  package init(surroundings: any Surroundings) {
    super.init(
      surroundings: surroundings,
      layout: Layout(
        length: 0x22, data: 0x24, content: 0x47, bytes: Self.fifoBytes, gyroscope: 0x0C,
        accelerometer: 0x12),
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
    super.reset(at: instant)
    gyroscopeOn = nil
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
    _ = conversions?.finished(by: instant, limit: Self.fifoBytes / 12 + 2) { measure(at: $0) }
  }

  private func restartConversions(at instant: Timestamp) {
    let setting = Int(registers[0x42] & 0x0F)
    guard isSet(0x14, in: Self.powerStatus), (6...12).contains(setting) else {
      return conversions = nil
    }
    conversions = ConversionClock(
      start: instant, hertz: 100 / Double(1 << 8) * Double(1 << setting))
  }

  private func measure(at instant: Timestamp) {
    let perDegree = [16.4, 32.8, 65.6, 131.2, 262.4][min(Int(registers[0x43] & 7), 4)]
    let perG: Double =
      switch registers[0x41] & 0x0F {
      case 0x05: 8192
      case 0x08: 4096
      case 0x0C: 2048
      default: 16_384
      }
    convert(at: instant, perDegree: perDegree, perG: perG)
  }
}
