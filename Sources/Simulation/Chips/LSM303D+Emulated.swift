import Quantities

/// ST's LSM303D, or the half of the LSM9DS0 with the same registers, without FIFO, interrupts and
/// temperature.
/// - Source: PX4 LSM303D.cpp and ArduPilot AP_Compass_LSM303D.cpp (registers, bits, rates, scales);
///   RTIMULib RTIMULSM9DS0.cpp (the LSM9DS0's magnetometer has z against the accelerometer's);
///   Linux st_magn_core.c (power-down, 11 in MD).
package final class EmulatedLSM303D: RegisterFile {
  private let surroundings: any Surroundings
  private let isLSM9DS0: Bool
  private var forces: ConversionClock?
  private var fields: ConversionClock?

  private static let (statusField, fieldData): (UInt8, UInt8) = (0x07, 0x08)
  private static let (status, forceData): (UInt8, UInt8) = (0x27, 0x28)
  private static let (control1, control2, control5): (UInt8, UInt8, UInt8) = (0x20, 0x21, 0x24)
  private static let (control6, control7): (UInt8, UInt8) = (0x25, 0x26)

  package init(surroundings: any Surroundings, isLSM9DS0: Bool = false) {
    (self.surroundings, self.isLSM9DS0) = (surroundings, isLSM9DS0)
    super.init(
      defaults: [0x0F: 0x49, 0x20: 0x07, 0x24: 0x18, 0x25: 0x20, 0x26: 0x03],
      writable: [
        0x1F: 0xE7, 0x20: 0xFF, 0x21: 0xFB, 0x22: 0xFF, 0x23: 0xFF, 0x24: 0xFF, 0x25: 0x60,
        0x26: 0xF7, 0x2E: 0xFF,
      ], pointer: .countingByTopBit)
  }

  package override func reset(at instant: Timestamp) { (forces, fields) = (nil, nil) }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control1:
      let code = Int(value >> 4)
      let hertz = code == 0 || code > 10 ? 0 : 3.125 * Double(1 << (code - 1))
      forces = hertz > 0 ? ConversionClock(start: instant, hertz: hertz) : nil
    case Self.control5, Self.control7:
      let code = min(Int(registers[Int(Self.control5)] >> 2 & 0x07), 5)
      let isOn = registers[Int(Self.control7)] & 0x03 == 0
      fields =
        isOn ? ConversionClock(start: instant, hertz: 3.125 * Double(1 << code)) : nil
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    _ = forces?.finished(by: instant) { measureForce(at: $0) }
    _ = fields?.finished(by: instant) { measureField(at: $0) }
  }

  private func measureForce(at instant: Timestamp) {
    let milliG = [0.061, 0.122, 0.183, 0.244, 0.732, 0.732, 0.732, 0.732]
    let step = milliG[Int(registers[Int(Self.control2)] >> 3 & 0x07)] * 9.806_65e-3
    put(surroundings.specificForce(at: instant) / step, at: Self.forceData, Self.status)
  }

  private func measureField(at instant: Timestamp) {
    let milligauss = [0.080, 0.160, 0.320, 0.479][Int(registers[Int(Self.control6)] >> 5 & 0x03)]
    let upward = isLSM9DS0 ? -1.0 : 1
    let counts = surroundings.field(at: instant) / (milligauss * 0.1) * SIMD3(1, 1, upward)
    put(counts, at: Self.fieldData, Self.statusField)
  }

  private func put(_ counts: SIMD3<Double>, at data: UInt8, _ status: UInt8) {
    putLittleEndian(counts, at: data)
    // The overrun flags from the unread data; then those of new data.
    let unread = registers[Int(status)] & 0x0F
    set(unread << 4 | 0x0F, in: status)
  }

  // The flags fall when the last axis was read.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.forceData + 5 { clear(0xFF, in: Self.status) }
    if register == Self.fieldData + 5 { clear(0xFF, in: Self.statusField) }
  }
}
