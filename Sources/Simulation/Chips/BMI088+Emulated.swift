import Quantities

/// The accelerometer of Bosch's BMI088, suspended after power-on, with its FIFO of frames with
/// headers.
/// - Source: ArduPilot `AP_InertialSensor_BMI088.cpp`; PX4
///   `Bosch_BMI088_Accelerometer_Registers.hpp`.
package final class EmulatedBMI088Accelerometer: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var fifo: [UInt8] = []

  private static let (data, command, power, mode): (UInt8, UInt8, UInt8, UInt8) = (
    0x26, 0x7E, 0x7D, 0x7C
  )
  private static let fifoBytes = 1024

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x00: 0x1E, 0x40: 0xA8, 0x41: 0x01, 0x48: 0x02, 0x49: 0x10, 0x7C: 0x03],
      writable: [
        0x40: 0xFF, 0x41: 0x03, 0x45: 0xF0, 0x46: 0xFF, 0x47: 0x1F, 0x48: 0x01, 0x49: 0x4C,
        0x53: 0x1F, 0x54: 0x1F, 0x58: 0x77, 0x7C: 0xFF, 0x7D: 0x04,
      ], pointer: .counting(stayingOn: Self.data))
  }

  package override func reset(at instant: Timestamp) { (conversions, fifo) = (nil, []) }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case 0x24: UInt8(fifo.count & 0xFF)
    // An empty FIFO is 0x8000.
    case 0x25: fifo.isEmpty ? 0x80 : UInt8(fifo.count >> 8)
    case Self.data: fifo.isEmpty ? 0x80 : fifo.removeFirst()
    default: registers[Int(register)]
    }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.command where value == 0xB6: losePower(at: instant)
    case Self.command where value == 0xB0, 0x49: fifo = []
    case 0x40, Self.power, Self.mode: restartConversions(at: instant)
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    _ = conversions?.finished(by: instant, limit: Self.fifoBytes / 7 + 2) { convert(at: $0) }
  }

  private func restartConversions(at instant: Timestamp) {
    let setting = Int(registers[0x40] & 0x0F)
    guard registers[Int(Self.power)] == 0x04, registers[Int(Self.mode)] == 0,
      (5...12).contains(setting)
    else { return conversions = nil }
    conversions = ConversionClock(start: instant, hertz: 12.5 * Double(1 << (setting - 5)))
  }

  private func convert(at instant: Timestamp) {
    let g = Double(3 << Int(registers[0x41] & 3))
    let force = surroundings.specificForce(at: instant) * (32_768 / g / 9.806_65)
    putLittleEndian(force, at: 0x12)
    guard isSet(0x50, in: 0x49) else { return }
    fifo.append(0x84)
    fifo += axes(at: 0x12)
    // Whole frames are dropped.
    while fifo.count > Self.fifoBytes { fifo.removeFirst(7) }
  }
}

/// The gyroscope of Bosch's BMI088 with its FIFO of a hundred frames.
/// - Source: ArduPilot `AP_InertialSensor_BMI088.cpp`; PX4 `Bosch_BMI088_Gyroscope_Registers.hpp`;
///   Linux `bmg160_core.c` (ranges).
package final class EmulatedBMI088Gyroscope: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var fifo: [UInt8] = []
  private var hasOverrun = false

  private static let (status, data, mode): (UInt8, UInt8, UInt8) = (0x0E, 0x3F, 0x3E)
  private static let frames = 100

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x00: 0x0F, 0x10: 0x80, 0x16: 0x0F],
      writable: [
        0x0F: 0x07, 0x10: 0x0F, 0x11: 0xA0, 0x15: 0xC0, 0x16: 0x0F, 0x18: 0xA5, 0x1E: 0x80,
        0x3D: 0x7F, 0x3E: 0xC0,
      ], pointer: .counting(stayingOn: Self.data))
  }

  package override func reset(at instant: Timestamp) {
    (fifo, hasOverrun) = ([], false)
    restartConversions(at: instant)
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    switch register {
    case Self.status: UInt8(fifo.count / 6) | (hasOverrun ? 0x80 : 0)
    case Self.data: fifo.isEmpty ? 0 : fifo.removeFirst()
    default: registers[Int(register)]
    }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case 0x14 where value == 0xB6: losePower(at: instant)
    case Self.mode: (fifo, hasOverrun) = ([], false)
    case 0x10, 0x11: restartConversions(at: instant)
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    let missed = conversions?.finished(by: instant, limit: Self.frames + 2) { convert(at: $0) } ?? 0
    if missed > 0, registers[Int(Self.mode)] == 0x80 { hasOverrun = true }
  }

  private func restartConversions(at instant: Timestamp) {
    guard registers[0x11] == 0 else { return conversions = nil }
    let hertz = [2000.0, 2000, 1000, 400, 200, 100, 200, 100]
    conversions = ConversionClock(start: instant, hertz: hertz[Int(registers[0x10] & 7)])
  }

  private func convert(at instant: Timestamp) {
    let degrees = 2000 / Double(1 << min(4, Int(registers[0x0F] & 7)))
    let rate = surroundings.angularRate(at: instant) * (180 / Double.pi * 32_768 / degrees)
    putLittleEndian(rate, at: 0x02)
    guard registers[Int(Self.mode)] == 0x80 else { return }
    fifo += axes(at: 0x02)
    guard fifo.count > 6 * Self.frames else { return }
    fifo.removeFirst(6)
    hasOverrun = true
  }
}
