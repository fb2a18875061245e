import Quantities

/// NXP's MPL3115A2 without FIFO, altimeter and events.
/// - Source: Adafruit_MPL3115A2.cpp and .h, SparkFunMPL3115A2.cpp, Linux mpl3115.c: registers,
///   flags, the one-shot bit that clears itself, formats; a read of the highest byte of a value
///   clears its flag.
package final class EmulatedMPL3115A2: RegisterFile {
  private let surroundings: any Surroundings
  private var measurement: (begin: Timestamp, end: Timestamp)?

  private static let control: UInt8 = 0x26
  private static let milliseconds: [Double] = [6, 10, 18, 34, 66, 130, 258, 512]

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      defaults: [0x0C: 0xC4],
      writable: [0x0F: 0xFF, 0x13: 0x07, 0x26: 0xFB, 0x2B: 0xFF, 0x2C: 0xFF, 0x2D: 0xFF])
  }

  package override func reset(at instant: Timestamp) { measurement = nil }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    guard register == Self.control else { return }
    if value & 0x04 != 0 {
      restoreDefaults()
      reset(at: instant)
    } else if value & 0x02 != 0, measurement == nil {
      let time = 0.98e6 * Self.milliseconds[Int(value >> 3 & 7)]
      measurement = (instant, instant.advanced(byNanoseconds: UInt64(bounded: time)))
    }
  }

  package override func advance(to instant: Timestamp) {
    guard let now = measurement, now.end <= instant else { return }
    measurement = nil
    clear(0x02, in: Self.control)
    let middle = now.begin.advanced(
      byNanoseconds: (now.end.nanoseconds - now.begin.nanoseconds) / 2)
    // OFF_P: steps of 4 Pa; OFF_T: sixteenths of a degree.
    let pascal =
      100 * surroundings.hectopascal(at: middle)
      + 4 * Double(Int8(bitPattern: registers[0x2B]))
    let celsius =
      surroundings.celsius(at: middle) + Double(Int8(bitPattern: registers[0x2C])) / 16
    let word = UInt32(bounded: min(max((4 * pascal).rounded(), 0), 1_048_575)) << 4
    for index in 0..<3 { registers[1 + index] = UInt8(word >> UInt32(16 - 8 * index) & 0xFF) }
    putBigEndian(Int(bounded: (16 * celsius).rounded()) << 4, at: 0x04)
    set(0x0E, in: 0x00)
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    register == Self.control && measurement != nil
      ? registers[Int(register)] | 0x02 : registers[Int(register)]
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == 0x01 { clear(0x0C, in: 0x00) }
    if register == 0x04 { clear(0x02, in: 0x00) }
  }
}
