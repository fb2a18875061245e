import Quantities

/// ST's LPS25HB, without its FIFO and thresholds.
/// - Source: ST LPS25HB_Driver.h 1.2.5 (register map, defaults, bits) and STMicroelectronics/lps25hb-pid
///   lps25hb_reg.h and .c; ST's LPS25H register notes for what clears the flags; Linux
///   drivers/iio/pressure/st_pressure_core.c (scales).
package final class EmulatedLPS25HB: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var restartsUntil: Timestamp?
  /// With BDU partly read outputs are not updated until the rest is read.
  private var isPressureHeld = false
  private var isTemperatureHeld = false

  private static let (control1, control2, status): (UInt8, UInt8, UInt8) = (0x20, 0x21, 0x27)
  private static let (pressureLow, pressureHigh): (UInt8, UInt8) = (0x28, 0x2A)
  private static let (temperatureLow, temperatureHigh): (UInt8, UInt8) = (0x2B, 0x2C)
  private static let restartNanoseconds: UInt64 = 2_000_000

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    super.init(
      // The outputs begin at 760 hPa.
      defaults: [0x0F: 0xBD, 0x10: 0x05, 0x29: 0x80, 0x2A: 0x2F, 0x2F: 0x20],
      writable: [
        0x08: 0xFF, 0x09: 0xFF, 0x0A: 0xFF, 0x10: 0x0F, 0x20: 0xFF, 0x21: 0x7B, 0x22: 0xC3,
        0x23: 0x0F, 0x24: 0x07, 0x2E: 0xFF, 0x30: 0xFF, 0x31: 0xFF, 0x39: 0xFF, 0x3A: 0xFF,
      ])
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    restartsUntil = nil
    (isPressureHeld, isTemperatureHeld) = (false, false)
  }

  // The top bit of the register's number makes the pointer count.
  package override func first(_ register: UInt8) -> UInt8 { register & 0x7F }
  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    start & 0x80 != 0 ? (register + 1) & 0x7F : register
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.control2 where value & 0x84 != 0:
      if value & 0x04 != 0 {
        restoreDefaults()
        reset(at: instant)
      }
      set(value & 0x84, in: Self.control2)
      restartsUntil = instant.advanced(byNanoseconds: Self.restartNanoseconds)
    case Self.control1: conversions = clock(at: instant)
    default: break
    }
  }

  /// PD 1 and ODR 001 to 100: continuous.
  private func clock(at instant: Timestamp) -> ConversionClock? {
    let rates: [UInt8: Double] = [9: 1, 10: 7, 11: 12.5, 12: 25]
    return rates[registers[Int(Self.control1)] >> 4].map {
      ConversionClock(start: instant, hertz: $0)
    }
  }

  package override func advance(to instant: Timestamp) {
    if let end = restartsUntil, end <= instant {
      clear(0x84, in: Self.control2)
      restartsUntil = nil
    }
    guard var clock = conversions else { return }
    let missed = clock.finished(by: instant) { convert(at: $0) }
    if missed > 0 { set(0x30, in: Self.status) }
    conversions = clock
  }

  /// 62 µs for each value averaged and 975 µs (AN4450, section 6.2).
  private var conversionNanoseconds: UInt64 {
    let resolution = Int(registers[0x10])
    let pressureAverages: [Int] = [8, 32, 128, 512]
    let temperatureAverages: [Int] = [8, 16, 32, 64]
    let averages = pressureAverages[resolution & 3] + temperatureAverages[resolution >> 2 & 3]
    return UInt64(averages) * 62_000 + 975_000
  }

  private func convert(at end: Timestamp) {
    let middle = Timestamp(
      nanoseconds: end.nanoseconds - min(end.nanoseconds, conversionNanoseconds / 2))
    if !isPressureHeld {
      let limit = 8_388_607.0
      let counts = (surroundings.hectopascal(at: middle) * 4096).rounded()
      let bits = UInt32(bitPattern: Int32(bounded: min(max(counts, -limit), limit)))
      for index in 0..<3 {
        registers[Int(Self.pressureLow) + index] = UInt8(bits >> UInt32(8 * index) & 0xFF)
      }
    }
    if !isTemperatureHeld {
      let counts = ((surroundings.celsius(at: middle) - 42.5) * 480).rounded()
      putLittleEndian(Int(bounded: counts), at: Self.temperatureLow)
    }
    if isSet(0x02, in: Self.status) { set(0x20, in: Self.status) }
    if isSet(0x01, in: Self.status) { set(0x10, in: Self.status) }
    set(0x03, in: Self.status)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    let isHeld = isSet(0x04, in: Self.control1)
    switch register {
    case Self.pressureLow, Self.pressureLow + 1: isPressureHeld = isHeld
    case Self.pressureHigh:
      isPressureHeld = false
      clear(0x22, in: Self.status)
    case Self.temperatureLow: isTemperatureHeld = isHeld
    case Self.temperatureHigh:
      isTemperatureHeld = false
      clear(0x11, in: Self.status)
    default: break
    }
  }
}
