import Quantities

/// ST's LPS25HB, LPS22HB, LPS22HH and LPS22DF, without FIFO and thresholds.
/// - Source: ST LPS25HB_Driver.h 1.2.5 (register map, defaults, bits) and
///   STMicroelectronics/lps25hb-pid lps25hb_reg.h and .c; ST's LPS25H register notes for what
///   clears the flags; lps22hb_reg.h, lps22hh_reg.h and lps22df_reg.h for the others; Linux
///   drivers/iio/pressure/st_pressure_core.c (scales).
package final class EmulatedLPSFamily: RegisterFile {
  /// What differs.
  package struct Part: Sendable {
    let defaults, writable: [UInt8: UInt8]
    /// The register with the rate, and its rates by the bits of the mask.
    let rate: (register: UInt8, mask: UInt8)
    let rates: [UInt8: Double]
    /// The register with BOOT and SWRESET; the register and the bit of BDU.
    let restart: UInt8
    let blockUpdate: (register: UInt8, bit: UInt8)
    let temperature: (countsPerDegree: Double, atZero: Double)
    /// True if only the top bit of a register's number makes it count, false if IF_ADD_INC does.
    var countsByTopBit = false
    /// The register and the bit of IF_ADD_INC.
    var increment: (register: UInt8, bit: UInt8)?
    /// The time of a conversion, nanoseconds.
    let conversion: @Sendable ([UInt8]) -> UInt64
  }

  private let surroundings: any Surroundings
  private let part: Part
  private var conversions: ConversionClock?
  private var restartsUntil: Timestamp?
  /// With BDU partly read outputs are not updated until the rest is read.
  private var isPressureHeld = false
  private var isTemperatureHeld = false

  private static let status: UInt8 = 0x27
  private static let (pressureLow, pressureHigh): (UInt8, UInt8) = (0x28, 0x2A)
  private static let (temperatureLow, temperatureHigh): (UInt8, UInt8) = (0x2B, 0x2C)
  private static let restartNanoseconds: UInt64 = 2_000_000

  package init(_ part: Part, surroundings: any Surroundings) {
    self.surroundings = surroundings
    self.part = part
    super.init(defaults: part.defaults, writable: part.writable)
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    restartsUntil = nil
    (isPressureHeld, isTemperatureHeld) = (false, false)
  }

  package override func first(_ register: UInt8) -> UInt8 {
    part.countsByTopBit ? register & 0x7F : register
  }
  package override func next(after register: UInt8, startedAt start: UInt8) -> UInt8 {
    let counts = part.increment.map { isSet($0.bit, in: $0.register) } ?? (start & 0x80 != 0)
    return counts ? (register + 1) & 0x7F : register
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    if register == part.restart && value & 0x84 != 0 {
      if value & 0x04 != 0 {
        restoreDefaults()
        reset(at: instant)
      }
      set(value & 0x84, in: part.restart)
      restartsUntil = instant.advanced(byNanoseconds: Self.restartNanoseconds)
    } else if register == part.rate.register {
      conversions = part.rates[registers[Int(register)] & part.rate.mask].map {
        ConversionClock(start: instant, hertz: $0)
      }
    }
  }

  package override func advance(to instant: Timestamp) {
    if let end = restartsUntil, end <= instant {
      clear(0x84, in: part.restart)
      restartsUntil = nil
    }
    let missed = conversions?.finished(by: instant) { convert(at: $0) } ?? 0
    if missed > 0 { set(0x30, in: Self.status) }
  }

  private func convert(at end: Timestamp) {
    let half = part.conversion(registers) / 2
    let middle = Timestamp(nanoseconds: end.nanoseconds - min(end.nanoseconds, half))
    if !isPressureHeld {
      let limit = 8_388_607.0
      let counts = (surroundings.hectopascal(at: middle) * 4096).rounded()
      let bits = UInt32(bitPattern: Int32(bounded: min(max(counts, -limit), limit)))
      for index in 0..<3 {
        registers[Int(Self.pressureLow) + index] = UInt8(bits >> UInt32(8 * index) & 0xFF)
      }
    }
    if !isTemperatureHeld {
      let degrees = surroundings.celsius(at: middle) - part.temperature.atZero
      putLittleEndian(
        Int(bounded: (degrees * part.temperature.countsPerDegree).rounded()),
        at: Self.temperatureLow)
    }
    if isSet(0x02, in: Self.status) { set(0x20, in: Self.status) }
    if isSet(0x01, in: Self.status) { set(0x10, in: Self.status) }
    set(0x03, in: Self.status)
  }

  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    let isHeld = isSet(part.blockUpdate.bit, in: part.blockUpdate.register)
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

extension EmulatedLPSFamily.Part {
  package static let lps25hb = Self(
    // The outputs begin at 760 hPa.
    defaults: [0x0F: 0xBD, 0x10: 0x05, 0x29: 0x80, 0x2A: 0x2F, 0x2F: 0x20],
    writable: [
      0x08: 0xFF, 0x09: 0xFF, 0x0A: 0xFF, 0x10: 0x0F, 0x20: 0xFF, 0x21: 0x7B, 0x22: 0xC3,
      0x23: 0x0F, 0x24: 0x07, 0x2E: 0xFF, 0x30: 0xFF, 0x31: 0xFF, 0x39: 0xFF, 0x3A: 0xFF,
    ],
    // PD 1 and ODR 001 to 100: continuous.
    rate: (0x20, 0xF0), rates: [0x90: 1, 0xA0: 7, 0xB0: 12.5, 0xC0: 25], restart: 0x21,
    blockUpdate: (0x20, 0x04), temperature: (480, 42.5), countsByTopBit: true
  ) { registers in
    // 62 µs for each value averaged and 975 µs (AN4450, section 6.2).
    let resolution = Int(registers[0x10])
    let pressureAverages: [Int] = [8, 32, 128, 512]
    let temperatureAverages: [Int] = [8, 16, 32, 64]
    let averages = pressureAverages[resolution & 3] + temperatureAverages[resolution >> 2 & 3]
    return UInt64(averages) * 62_000 + 975_000
  }

  // ST prints no time of a conversion for the others: half of the period of the highest rate is
  // assumed.

  package static let lps22hb = Self(
    defaults: [0x0F: 0xB1, 0x11: 0x10],
    writable: [
      0x0B: 0xFF, 0x0C: 0xFF, 0x0D: 0xFF, 0x10: 0x7F, 0x11: 0x79, 0x12: 0xFF, 0x14: 0xFF,
      0x15: 0xFF, 0x16: 0xFF, 0x17: 0xFF, 0x18: 0xFF, 0x19: 0xFF, 0x1A: 0x01,
    ],
    rate: (0x10, 0x70), rates: [0x10: 1, 0x20: 10, 0x30: 25, 0x40: 50, 0x50: 75],
    restart: 0x11, blockUpdate: (0x10, 0x02), temperature: (100, 0), increment: (0x11, 0x10)
  ) { _ in 6_666_667 }

  package static let lps22hh = Self(
    defaults: [0x0F: 0xB3, 0x11: 0x10],
    writable: [
      0x0B: 0xFF, 0x0C: 0xFF, 0x0D: 0x7F, 0x0E: 0xFF, 0x10: 0x7F, 0x11: 0x73, 0x12: 0x3F,
      0x13: 0x0F, 0x14: 0x7F, 0x15: 0xFF, 0x16: 0xFF, 0x18: 0xFF, 0x19: 0xFF,
    ],
    rate: (0x10, 0x70),
    rates: [0x10: 1, 0x20: 10, 0x30: 25, 0x40: 50, 0x50: 75, 0x60: 100, 0x70: 200],
    restart: 0x11, blockUpdate: (0x10, 0x02), temperature: (100, 0), increment: (0x11, 0x10)
  ) { registers in registers[0x11] & 0x02 != 0 ? 6_666_667 : 2_500_000 }

  package static let lps22df = Self(
    defaults: [0x0F: 0xB4, 0x12: 0x01],
    writable: [
      0x0B: 0xF7, 0x0C: 0xFF, 0x0D: 0x7F, 0x0E: 0xFE, 0x10: 0x7F, 0x11: 0x39, 0x12: 0x0B,
      0x13: 0x77, 0x14: 0x0F, 0x15: 0x7F, 0x1A: 0xFF, 0x1B: 0xFF,
    ],
    rate: (0x10, 0x78),
    rates: [
      0x08: 1, 0x10: 4, 0x18: 10, 0x20: 25, 0x28: 50, 0x30: 75, 0x38: 100, 0x40: 200,
    ],
    restart: 0x11, blockUpdate: (0x11, 0x08), temperature: (100, 0), increment: (0x12, 0x01)
  ) { registers in
    let averages: [UInt64] = [4, 8, 16, 32, 64, 128, 256, 512]
    return 625_000 * averages[Int(registers[0x10] & 0x07)]
  }
}
