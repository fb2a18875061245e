import Quantities

/// Bosch's BMP388 and BMP390 in normal and forced mode, without FIFO and filter.
/// - Source: the sheets named in `BMP388`: defaults, ready bits that reading the data clears, time
///   of a conversion, reset. The outputs are found by bisection of the data sheet's formula in
///   floating point (section 9.2 and 9.3), not of the driver's in whole numbers.
package final class EmulatedBMP388: RegisterFile {
  private let surroundings: any Surroundings
  private var conversions: ConversionClock?
  private var forcedEnd: Timestamp?

  private static let (status, data, power): (UInt8, UInt8, UInt8) = (0x03, 0x04, 0x1B)
  private static let (oversampling, rate, command): (UInt8, UInt8, UInt8) = (0x1C, 0x1D, 0x7E)

  /// T1 to T3 and P1 to P11 as the registers hold them; the order of magnitude of real chips.
  package static let coefficients = [
    27_504, 19_000, -7, -1500, -3700, 35, 0, 25_000, 30_000, 3, -9, 16_600, 40, -60,
  ]
  private static let bytes = [2, 2, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2, 1, 1]

  package init(surroundings: any Surroundings, identity: UInt8) {
    self.surroundings = surroundings
    var defaults: [UInt8: UInt8] = [
      0x00: identity, 0x03: 0x10, 0x06: 0x80, 0x09: 0x80, 0x10: 0x01, 0x19: 0x02, 0x1C: 0x02,
    ]
    var register: UInt8 = 0x31
    for (value, count) in zip(Self.coefficients, Self.bytes) {
      for byte in 0..<count {
        defaults[register] = UInt8(truncatingIfNeeded: value >> (8 * byte))
        register += 1
      }
    }
    super.init(
      defaults: defaults,
      writable: [0x19: 0x7F, 0x1A: 0x06, 0x1B: 0x33, 0x1C: 0x3F, 0x1D: 0x1F, 0x1F: 0x0E],
      pointer: .counting(stayingOn: 0x14))
  }

  package override func reset(at instant: Timestamp) {
    conversions = nil
    forcedEnd = nil
  }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.command where value == 0xB6:
      restoreDefaults()
      reset(at: instant)
    case Self.power:
      conversions = nil
      forcedEnd = nil
      let seconds = conversionSeconds
      switch value >> 4 & 0x03 {
      case 0x03:
        let period = Double(1 << Int(registers[Int(Self.rate)])) / 200
        // A rate that leaves no time is an error of the chip; here it converts as fast as it can.
        conversions = ConversionClock(start: instant, hertz: 1 / max(period, seconds))
      case 0x01, 0x02:
        forcedEnd = instant.advanced(byNanoseconds: UInt64(bounded: seconds * 1e9))
      default: break
      }
    default: break
    }
  }

  private var conversionSeconds: Double {
    let bits = registers[Int(Self.oversampling)]
    let (pressures, temperatures) = (1 << Int(bits & 7), 1 << Int(bits >> 3 & 7))
    return 1e-6 * (234 + 392 + 2020 * Double(pressures) + 163 + 2020 * Double(temperatures))
  }

  package override func advance(to instant: Timestamp) {
    if let end = forcedEnd, end <= instant {
      forcedEnd = nil
      convert(at: end)
      clear(0x30, in: Self.power)
    }
    _ = conversions?.finished(by: instant) { convert(at: $0) }
  }

  /// Takes the values at the middle of the conversion that ends at an instant.
  private func convert(at end: Timestamp) {
    let half = UInt64(bounded: 0.5e9 * conversionSeconds)
    let instant = Timestamp(nanoseconds: end.nanoseconds - min(half, end.nanoseconds))
    let celsius = surroundings.celsius(at: instant)
    let pascal = 100 * surroundings.hectopascal(at: instant)
    let warmth = Self.argument { Self.celsius(raw: $0) < celsius }
    // Pressure falls with its word.
    let word = Self.argument { Self.pascal(raw: $0, celsius: celsius) > pascal }
    for (index, value) in [word, warmth].enumerated() {
      let count = Int(bounded: value.rounded())
      for byte in 0..<3 {
        registers[Int(Self.data) + 3 * index + byte] = UInt8(
          truncatingIfNeeded: count >> (8 * byte))
      }
    }
    set(0x60, in: Self.status)
  }

  /// The largest 24-bit word that meets a condition met by smaller words.
  private static func argument(_ holds: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, 16_777_215.0)
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private static func c(_ number: Int) -> Double { Double(coefficients[number]) }
  /// 2 to a power.
  private static func two(_ power: Int) -> Double {
    power < 0 ? 1 / Double(1 << -power) : Double(1 << power)
  }

  private static func celsius(raw: Double) -> Double {
    let distance = raw - c(0) * 256
    return distance * c(1) / two(30) + distance * distance * c(2) / two(48)
  }

  private static func pascal(raw: Double, celsius t: Double) -> Double {
    // P1 is the fourth coefficient.
    let offset =
      c(7) * 8 + c(8) / 64 * t + c(9) / 256 * t * t + c(10) / two(15) * t * t * t
    let slope =
      (c(3) - 16_384) / two(20) + (c(4) - 16_384) / two(29) * t + c(5) / two(32) * t * t
      + c(6) / two(37) * t * t * t
    let bend = c(11) / two(48) + c(12) / two(48) * t
    return offset + raw * slope + raw * raw * bend + raw * raw * raw * c(13) / two(60) / 32
  }

  // Reading the data clears the ready bits.
  package override func didRead(_ register: UInt8, at instant: Timestamp) {
    if register == Self.data + 2 { clear(0x20, in: Self.status) }
    if register == Self.data + 5 { clear(0x40, in: Self.status) }
  }
}
