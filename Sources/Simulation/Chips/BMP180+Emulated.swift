import Quantities

/// Bosch's BMP180 (and BMP085).
/// - Source: the sheets named in `BMP180`: registers with their values after power-on, commands,
///   conversion times, worked example of figure 4 (coefficients). The words are found by bisection
///   of figure 4's formulas in floating point, not of the driver's in whole numbers.
package final class EmulatedBMP180: RegisterFile {
  private let surroundings: any Surroundings
  private var conversion: (command: UInt8, begin: Timestamp, end: Timestamp)?

  private static let (identity, restart, control, output): (UInt8, UInt8, UInt8, UInt8) =
    (0xD0, 0xE0, 0xF4, 0xF6)
  /// The data sheet's longest times, microseconds; the first of a temperature too.
  private static let microseconds: [UInt64] = [4500, 7500, 13_500, 25_500]

  /// AC1 to AC6, B1, B2, MB, MC, MD of the worked example.
  package static let example = [
    408, -72, -14_383, 32_741, 32_757, 23_153, 6190, 4, -32_768, -8711, 2868,
  ]

  package init(surroundings: any Surroundings, coefficients: [Int] = EmulatedBMP180.example) {
    self.surroundings = surroundings
    var defaults: [UInt8: UInt8] = [Self.identity: 0x55, 0xD1: 0x02, Self.output: 0x80]
    for (index, word) in coefficients.enumerated() {
      defaults[0xAA + UInt8(2 * index)] = UInt8(truncatingIfNeeded: word >> 8)
      defaults[0xAB + UInt8(2 * index)] = UInt8(truncatingIfNeeded: word)
    }
    super.init(defaults: defaults, writable: [Self.control: 0xFF])
  }

  package override func reset(at instant: Timestamp) { conversion = nil }

  package override func didWrite(_ value: UInt8, to register: UInt8, at instant: Timestamp) {
    switch register {
    case Self.restart where value == 0xB6:
      restoreDefaults()
      reset(at: instant)
    case Self.control where value & 0x20 != 0:
      let time = Self.microseconds[value & 0x1F == 0x14 ? Int(value >> 6) : 0]
      conversion = (value, instant, instant.advanced(byNanoseconds: 1000 * time))
    default: break
    }
  }

  package override func advance(to instant: Timestamp) {
    guard let now = conversion, now.end <= instant else { return }
    conversion = nil
    clear(0x20, in: Self.control)
    let half = (now.end.nanoseconds - now.begin.nanoseconds) / 2
    let middle = now.begin.advanced(byNanoseconds: half)
    let celsius = surroundings.celsius(at: middle)
    let word: Int
    switch now.command & 0x1F {
    case 0x0E:
      word =
        Int(bounded: Self.argument(65_535) { Self.fine(raw: $0) < 160 * celsius }.rounded()) << 8
    case 0x14:
      let steps = Int(now.command >> 6)
      let pascal = 100 * surroundings.hectopascal(at: middle)
      // Without oversampling 16 bits, each doubling has one more.
      let raw = Self.argument(65_535) { Self.pascal(raw: $0, fine: 160 * celsius) < pascal }
      word = Int(bounded: (raw * Double(1 << steps)).rounded()) << (8 - steps)
    default: return
    }
    for index in 0..<3 {
      registers[Int(Self.output) + index] = UInt8(truncatingIfNeeded: word >> (16 - 8 * index))
    }
  }

  /// The largest word that meets a condition met by smaller words.
  private static func argument(_ greatest: Double, _ holds: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, greatest)
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private static func c(_ index: Int) -> Double { Double(example[index]) }

  private static func fine(raw: Double) -> Double {
    let linear = (raw - c(5)) * c(4) / 32_768
    // The formula has a pole far below the coldest temperature.
    return linear + c(10) > 0 ? linear + c(9) * 2048 / (linear + c(10)) : -.infinity
  }

  private static func pascal(raw: Double, fine: Double) -> Double {
    let warmth = fine - 4000
    let square = warmth * warmth / 4096
    let offset = (c(0) * 4 + c(7) * square / 2048 + c(1) * warmth / 2048) / 4
    let gainCurve = (c(2) * warmth / 8192 + c(6) * square / 65_536) / 4
    let gain = c(3) * (gainCurve + 32_768) / 32_768
    let first = (raw - offset) * 50_000 * 2 / gain
    let (quarter, slope) = (first / 256, -7357 * first / 65_536)
    return first + (quarter * quarter * 3038 / 65_536 + slope + 3791) / 16
  }
}
