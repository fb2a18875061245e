import Quantities

/// NXP's MAG3110, without single measurements, thresholds and user offsets.
/// - Source: Linux mag3110.c (registers, bits, rates, 0.1 µT, standby at the end of a conversion);
///   ArduPilot AP_Compass_MAG3110.cpp and INAV compass_mag3110.c (ZYXDR). Its axes are left-handed:
///   see `ChipFact`.
package final class EmulatedMAG3110: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  /// A stop that was asked for takes effect at the end of the conversion.
  private var isStopping = false

  private static let (status, outX, outZLow, systemMode): (UInt8, UInt8, UInt8, UInt8) = (
    0x00, 0x01, 0x06, 0x08
  )
  private static let (control1, control2): (UInt8, UInt8) = (0x10, 0x11)

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x07: 0xC4],
      writable: [
        0x09: 0xFF, 0x0A: 0xFE, 0x0B: 0xFF, 0x0C: 0xFE, 0x0D: 0xFF, 0x0E: 0xFE, 0x10: 0xFF,
        0x11: 0xB0,
      ])
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    isStopping = false
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    guard register == Self.control1 else { return }
    guard isSet(0x01, in: Self.control1) else {
      isStopping = conversions != nil
      return
    }
    let hertz = 80 / Double(1 << Int(value >> 5)) / Double(1 << Int(value >> 3 & 3))
    conversions = ConversionClock(start: instant, hertz: hertz)
    isStopping = false
    // SYSMOD 10: active without the user's offsets, 01: with them.
    registers[Int(Self.systemMode)] = isSet(0x20, in: Self.control2) ? 0x02 : 0x01
  }

  package override func advance(to instant: Timestamp) {
    var hasEnded = false
    _ = conversions?.finished(by: instant) {
      convert(at: $0)
      hasEnded = true
    }
    if isStopping, hasEnded {
      conversions = nil
      isStopping = false
      registers[Int(Self.systemMode)] = 0x00
    }
  }

  private func convert(at instant: Timestamp) {
    let counts = surroundings.field(at: instant) / SIMD3(0.1, 0.1, -0.1)
    putBigEndian(counts, at: Self.outX)
    markNewAxes(in: Self.status)
  }

  // The flags fall when the data are read.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.outZLow { clear(0xFF, in: Self.status) }
  }
}
