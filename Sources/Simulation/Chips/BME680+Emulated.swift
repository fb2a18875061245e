import Quantities

/// Bosch's BME680 without humidity and gas.
/// - Source: Linux bme680_core.c and bme680.h (registers, coefficients' places, formulas, here
///   inverted by bisection without their rounding), Bosch bme68x.c (time of a measurement, flags).
///   Coefficients of a usual size.
package final class EmulatedBME680: RegisterFile {
  private let surroundings: any Surroundings
  private var measurement: (begin: Timestamp, end: Timestamp)?

  private static let (status, control): (UInt8, UInt8) = (0x1D, 0x74)
  private static let (t1, t2, t3) = (26_041, 26_469, 3)
  // par_p1 to par_p10.
  private static let p = [36_673, -10_515, 88, 7310, -128, 30, 46, -3177, -2379, 30]

  package init(surroundings: any Surroundings) {
    self.surroundings = surroundings
    var defaults: [UInt8: UInt8] = [0xD0: 0x61, 0x1F: 0x80, 0x22: 0x80]
    func put(_ value: Int, at register: UInt8, isByte: Bool = false) {
      defaults[register] = UInt8(truncatingIfNeeded: value)
      if !isByte { defaults[register + 1] = UInt8(truncatingIfNeeded: value >> 8) }
    }
    put(Self.t1, at: 0xE9)
    put(Self.t2, at: 0x8A)
    put(Self.t3, at: 0x8C, isByte: true)
    let places: [(UInt8, Bool)] = [
      (0x8E, false), (0x90, false), (0x92, true), (0x94, false), (0x96, false), (0x99, true),
      (0x98, true), (0x9C, false), (0x9E, false), (0xA0, true),
    ]
    for (value, place) in zip(Self.p, places) { put(value, at: place.0, isByte: place.1) }
    super.init(
      defaults: defaults,
      writable: [0x70: 0x08, 0x71: 0x3F, 0x72: 0x47, 0x74: 0xFF, 0x75: 0x1D])
  }

  package override func reset(at instant: Timestamp) { measurement = nil }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case 0xE0 where value == 0xB6:
      restoreDefaults()
      reset(at: instant)
    case Self.control where value & 0x03 == 0x01 && measurement == nil:
      clear(0x80, in: Self.status)
      func cycles(_ bits: UInt8) -> Double { bits & 7 == 0 ? 0 : Double(1 << Int((bits & 7) - 1)) }
      // A little less than the longest, as of a typical chip.
      let microseconds = 1900 * (cycles(value >> 5) + cycles(value >> 2)) + 5000
      measurement = (
        instant, instant.advanced(byNanoseconds: UInt64(bounded: 1000 * microseconds))
      )
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    guard let now = measurement, now.end <= instant else { return }
    measurement = nil
    clear(0x03, in: Self.control)
    set(0x80, in: Self.status)
    let middle = now.begin.advanced(
      byNanoseconds: (now.end.nanoseconds - now.begin.nanoseconds) / 2)
    let celsius = surroundings.celsius(at: middle)
    let pascal = 100 * surroundings.hectopascal(at: middle)
    let temperature = Self.argument { Self.fine($0) < 5120 * celsius }
    let fine = Self.fine(temperature)
    // The pressure falls with its word.
    let pressure = Self.argument { Self.pascal($0, fine) > pascal }
    for (register, value) in [(0x1F, pressure), (0x22, temperature)] {
      let word = UInt32(bounded: min(max(value.rounded(), 0), 1_048_575)) << 4
      for index in 0..<3 {
        registers[register + index] = UInt8(word >> UInt32(16 - 8 * index) & 0xFF)
      }
    }
  }

  package override func value(of register: UInt8, at instant: Timestamp) -> UInt8 {
    register == Self.status && measurement != nil
      ? registers[Int(register)] | 0x20 : registers[Int(register)]
  }

  /// The largest word of 20 bits that meets a condition met by smaller words.
  private static func argument(_ holds: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 1_048_575.0)
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  // The kernel's sums in their order, without their shifts' rounding.

  private static func fine(_ adc: Double) -> Double {
    let var1 = adc / 8 - Double(t1) * 2
    let var2 = var1 * Double(t2) / 2048
    let var3 = (var1 / 2) * (var1 / 2) / 4096 * (Double(t3) * 16) / 16_384
    return var2 + var3
  }

  private static func pascal(_ adc: Double, _ fine: Double) -> Double {
    func par(_ index: Int) -> Double { Double(p[index - 1]) }
    let half = fine / 2 - 64_000
    var var2 = (half / 4) * (half / 4) / 2048 * par(6) / 4
    var2 += half * par(5) * 2
    var2 = var2 / 4 + par(4) * 65_536
    var var1 = (half / 4) * (half / 4) / 8192 * (par(3) * 32) / 8 + par(2) * half / 2
    var1 = (32_768 + var1 / 262_144) * par(1) / 32_768
    let comp = (1_048_576 - adc - var2 / 4096) * 3125 * 2 / var1
    let nine = par(9) * ((comp / 8) * (comp / 8) / 8192) / 4096
    let eight = comp / 4 * par(8) / 8192
    let ten = (comp / 256) * (comp / 256) * (comp / 256) * par(10) / 131_072
    return comp + (nine + eight + ten + par(7) * 128) / 16
  }
}
