import Quantities

/// TE's MS5611: commands, a PROM and a converter, without configuration.
/// - Source: TE Connectivity MS5611-01BA03 data sheet: commands, conversion times, worked example of
///   figure 2 (coefficients, formulas), figure 3 (second order); the same maker's MS5837 sheet of 10/2015,
///   "conversion sequence": the result of an early or second read. Check word: AN520.
package final class EmulatedMS5611: EmulatedChip {
  /// The PROM's words; a test may damage them.
  package var prom: [UInt16] = [1, 40127, 36924, 23317, 23282, 33464, 28312, 0x0008]

  private let surroundings: any Surroundings
  private var conversion: (isPressure: Bool, begin: Timestamp, end: Timestamp, isSpoiled: Bool)?
  private var result: UInt32 = 0
  private var loadedAt = Timestamp(nanoseconds: 0)

  /// The data sheet's longest times, microseconds, by the ratio's bits.
  private static let microseconds: [UInt64] = [600, 1170, 2280, 4540, 9040]
  private static let resetNanoseconds: UInt64 = 2_800_000

  package init(surroundings: any Surroundings) { self.surroundings = surroundings }

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
    case 0xA0...0xAE where register & 1 == 0 && instant >= loadedAt:
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
    var offset = Double(prom[2]) * 65536 + Double(prom[4]) * difference / 128
    var sensitivity = Double(prom[1]) * 32768 + Double(prom[3]) * difference / 256
    let first = centicelsius(word: temperature).first
    if first < 2000 {
      let cold = (first - 2000) * (first - 2000)
      let frost = first < -1500 ? (first + 1500) * (first + 1500) : 0
      offset -= 2.5 * cold + 7 * frost
      sensitivity -= 1.25 * cold + 5.5 * frost
    }
    let pascal = 100 * surroundings.hectopascal(at: instant)
    let word = (pascal * 32768 + offset) * 2_097_152 / sensitivity
    return UInt32(bounded: min(max(word.rounded(), 1), 16_777_215))
  }

  /// The converter's word at a temperature, by bisection.
  private func temperatureWord(celsius: Double) -> Double {
    var (low, high) = (1.0, 16_777_215.0)
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if centicelsius(word: middle).second < 100 * celsius { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  /// Hundredths of a degree in the first order, and with the second.
  private func centicelsius(word: Double) -> (first: Double, second: Double) {
    let difference = word - Double(prom[5]) * 256
    let first = 2000 + difference * Double(prom[6]) / 8_388_608
    return (first, first < 2000 ? first - difference * difference / 2_147_483_648 : first)
  }
}
