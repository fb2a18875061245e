import Quantities

/// TE's MS5611, MS5607, MS5637 and MS5837: commands, a PROM and a converter, without configuration.
/// - Source: TE Connectivity MS5611-01BA03 data sheet: commands, conversion times, worked example
///   of figure 2 (coefficients, formulas), figure 3 (second order); the same maker's MS5837 sheet
///   of 10/2015, "conversion sequence": the result of an early or second read. Check word: AN520.
///   The relatives by the sheets' figures and typical coefficients: MS5607-02BA03, MS5637-02BA03,
///   MS5837-02BA (09/2017), MS5837-30BA (revision C2); second orders by Zephyr's ms5637.c and
///   ms5837.c and ArduPilot's AP_Baro_MS5611.cpp.
package final class EmulatedMS5611: EmulatedChip {
  /// The chip.
  package enum Part: Sendable { case ms5611, ms5607, ms5637, ms5837With30Bar, ms5837With2Bar }

  /// The PROM's words; a test may damage them.
  package var prom: [UInt16]

  private let part: Part
  private let surroundings: any Surroundings
  private var conversion: (isPressure: Bool, begin: Timestamp, end: Timestamp, isSpoiled: Bool)?
  private var result: UInt32 = 0
  private var loadedAt = Timestamp(nanoseconds: 0)

  /// The data sheet's longest times, microseconds, by the ratio's bits.
  private static let microseconds: [UInt64] = [600, 1170, 2280, 4540, 9040]
  private static let resetNanoseconds: UInt64 = 2_800_000

  package init(_ part: Part = .ms5611, surroundings: any Surroundings) {
    self.surroundings = surroundings
    self.part = part
    prom =
      switch part {
      case .ms5611: [1, 40127, 36924, 23317, 23282, 33464, 28312, 0]
      case .ms5607, .ms5637: [2, 46372, 43981, 29059, 27842, 31553, 28165, 0]
      case .ms5837With2Bar: [0x15 << 5 | 1, 46372, 43981, 29059, 27842, 31553, 28165, 0]
      case .ms5837With30Bar: [0x1A << 5 | 1, 34982, 36352, 20328, 22354, 26646, 26146, 0]
      }
    if hasShortPROM { prom[0] |= remainder() << 12 } else { prom[7] |= remainder() }
  }

  private var hasShortPROM: Bool { part != .ms5611 && part != .ms5607 }

  /// The check of words whose check is zero: the remainder of all bits but the last four by x⁴ + x
  /// + 1.
  private func remainder() -> UInt16 {
    var rest: UInt16 = 0
    for bit in 0..<124 {
      rest = rest << 1 | prom[bit / 16] >> UInt16(15 - bit % 16) & 1
      if rest & 0x10 != 0 { rest ^= 0x13 }
    }
    return rest
  }

  /// Sets the product in the first word, and the check.
  package func setProduct(_ product: UInt8) {
    prom[0] = prom[0] & 0x001F | UInt16(product) << 5
    prom[0] |= remainder() << 12
  }

  // The PROM is loaded at power-on without a reset: the hardest case for a driver to detect.
  package func losePower(at instant: Timestamp) {
    conversion = nil
    result = 0
  }

  package func read(
    _ register: UInt8, into bytes: UnsafeMutableRawBufferPointer, at instant: Timestamp
  ) {
    var answer: [UInt8] = []
    switch register {
    case 0x00:
      let value = fetch(at: instant)
      answer = [UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
    case 0xA0...(hasShortPROM ? 0xAC : 0xAE) where register & 1 == 0 && instant >= loadedAt:
      let word = prom[Int(register - 0xA0) / 2]
      answer = [UInt8(word >> 8), UInt8(word & 0xFF)]
    default: break
    }
    for index in bytes.indices { bytes[index] = index < answer.count ? answer[index] : 0 }
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to register: UInt8, at instant: Timestamp) {
    guard bytes.isEmpty else { return }
    switch register {
    case 0x1E:
      conversion = nil
      result = 0
      loadedAt = instant.advanced(byNanoseconds: Self.resetNanoseconds)
    case 0x40...0x48, 0x50...0x58:
      guard register & 1 == 0, instant >= loadedAt else { return }
      // A command during a conversion makes the result invalid.
      let isSpoiled = conversion.map { $0.end > instant } ?? false
      let nanoseconds = Self.microseconds[Int(register & 0x0F) / 2] * 1000
      result = 0
      conversion = (
        register < 0x50, instant, instant.advanced(byNanoseconds: nanoseconds), isSpoiled
      )
    default: break
    }
  }

  private func fetch(at instant: Timestamp) -> UInt32 {
    if let now = conversion {
      guard now.end <= instant else {
        conversion?.isSpoiled = true
        return 0
      }
      conversion = nil
      let middle = now.begin.advanced(
        byNanoseconds: (now.end.nanoseconds - now.begin.nanoseconds) / 2)
      let value = converted(isPressure: now.isPressure, at: middle)
      result = now.isSpoiled ? value ^ 0x155555 : value
    }
    defer { result = 0 }
    return result
  }

  // MARK: The sensing element

  private func converted(isPressure: Bool, at instant: Timestamp) -> UInt32 {
    let temperature = temperatureWord(celsius: surroundings.celsius(at: instant))
    guard isPressure else { return UInt32(bounded: temperature.rounded()) }
    let difference = temperature - Double(prom[5]) * 256
    // The sheets of those with two bar multiply by a power of two more.
    let isDouble = part == .ms5607 || part == .ms5637 || part == .ms5837With2Bar
    let factor = isDouble ? 2.0 : 1
    let first = 2000 + difference * Double(prom[6]) / 8_388_608
    let second = secondOrder(first, difference)
    let offset =
      factor * (Double(prom[2]) * 65536 + Double(prom[4]) * difference / 128) - second.offset
    let sensitivity =
      factor * (Double(prom[1]) * 32768 + Double(prom[3]) * difference / 256) - second.sensitivity
    let pascal = 100 * surroundings.hectopascal(at: instant)
    // Tenths of a hectopascal by 2^13, or pascals by 2^15.
    let scaled = part == .ms5837With30Bar ? pascal / 10 * 8192 : pascal * 32768
    let word = (scaled + offset) * 2_097_152 / sensitivity
    return UInt32(bounded: min(max(word.rounded(), 1), 16_777_215))
  }

  /// The converter's word at a temperature, by bisection.
  private func temperatureWord(celsius: Double) -> Double {
    var (low, high) = (1.0, 16_777_215.0)
    for _ in 0..<48 {
      let middle = (low + high) / 2
      let difference = middle - Double(prom[5]) * 256
      let first = 2000 + difference * Double(prom[6]) / 8_388_608
      let felt = first - secondOrder(first, difference).celsius
      if felt < 100 * celsius { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// The second order's parts: hundredths of a degree, offset and sensitivity.
  private func secondOrder(
    _ first: Double, _ difference: Double
  ) -> (celsius: Double, offset: Double, sensitivity: Double) {
    let square = difference * difference
    let curve = (first - 2000) * (first - 2000)
    let frost = first < -1500 ? (first + 1500) * (first + 1500) : 0
    guard first < 2000 else {
      switch part {
      case .ms5637: return (5 * square / 274_877_906_944, 0, 0)
      case .ms5837With30Bar: return (2 * square / 137_438_953_472, curve / 16, 0)
      case .ms5611, .ms5607, .ms5837With2Bar: return (0, 0, 0)
      }
    }
    switch part {
    case .ms5611:
      return (square / 2_147_483_648, 2.5 * curve + 7 * frost, 1.25 * curve + 5.5 * frost)
    case .ms5607:
      return (square / 2_147_483_648, 61 * curve / 16 + 15 * frost, 2 * curve + 8 * frost)
    case .ms5637:
      return (
        3 * square / 8_589_934_592, 61 * curve / 16 + 17 * frost, 29 * curve / 16 + 9 * frost
      )
    case .ms5837With30Bar:
      return (3 * square / 8_589_934_592, 1.5 * curve + 7 * frost, 0.625 * curve + 4 * frost)
    case .ms5837With2Bar: return (11 * square / 34_359_738_368, 31 * curve / 8, 63 * curve / 32)
    }
  }
}
