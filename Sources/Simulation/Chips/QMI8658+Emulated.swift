import Quantities

/// QST's QMI8658 with its data registers, without FIFO and attitude engine.
/// - Source: LewisHe's SensorLib `SensorQMI8658.hpp`; a driver for Zephyr, `qmi8658_reg.h` (control
///   registers, ranges, rates).
package final class EmulatedQMI8658: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var resetEnds: Timestamp?

  private static let (interface, accelerometer, gyroscope): (UInt8, UInt8, UInt8) = (
    0x02, 0x03, 0x04
  )
  private static let (enable, status, data, reset): (UInt8, UInt8, UInt8, UInt8) = (
    0x08, 0x2E, 0x35, 0x60
  )

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x00: 0x05, 0x01: 0x7C, 0x02: 0x20],
      writable: [
        0x02: 0xFF, 0x03: 0xFF, 0x04: 0xFF, 0x06: 0x77, 0x07: 0x87, 0x08: 0xBF, 0x09: 0xFF,
      ])
  }

  package override func reset(at instant: Timestamp) { (conversions, resetEnds) = (nil, nil) }

  // CTRL1's bit 6 makes the numbers count up.
  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    isSet(0x40, in: Self.interface) ? register &+ 1 : register
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.data + 11 { registers[Int(Self.status)] = 0 }
  }

  package override func write(
    _ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp
  ) {
    advance(to: instant)
    // During its reset the chip ignores writes.
    if resetEnds == nil { super.write(bytes, to: register, at: instant) }
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.reset where value == 0xB0:
      losePower(at: instant)
      resetEnds = instant.advanced(byNanoseconds: 15_000_000)
    case Self.accelerometer, Self.gyroscope, Self.enable: restartConversions(at: instant)
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    if let end = resetEnds, instant >= end { resetEnds = nil }
    _ = conversions?.finished(by: instant) { convert(at: $0) }
  }

  private func restartConversions(at instant: Timestamp) {
    let setting = Int(registers[Int(Self.gyroscope)] & 0x0F)
    guard isSet(0x03, in: Self.enable), setting <= 8 else { return conversions = nil }
    conversions = ConversionClock(start: instant, hertz: 7174.4 / Double(1 << setting))
  }

  private func convert(at instant: Timestamp) {
    let degrees = Double(16 << Int(registers[Int(Self.gyroscope)] >> 4 & 7))
    let g = Double(2 << Int(registers[Int(Self.accelerometer)] >> 4 & 3))
    let rate = surroundings.angularRate(at: instant) * (180 / Double.pi * 32_768 / degrees)
    let force = surroundings.specificForce(at: instant) * (32_768 / g / 9.806_65)
    put(force, at: Self.data)
    put(rate, at: Self.data + 6)
    registers[Int(Self.status)] = 0x03
  }

  // CTRL1's bit 5 puts the high byte first.
  private func put(_ counts: SIMD3<Double>, at register: UInt8) {
    if isSet(0x20, in: Self.interface) {
      putBigEndian(counts, at: register)
    } else {
      putLittleEndian(counts, at: register)
    }
  }
}
