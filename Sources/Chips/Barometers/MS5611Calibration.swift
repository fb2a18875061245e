/// The words of an MS5611's PROM, or a relative's: their check, and the compensation that they
/// serve.
///
/// - Source: TE Connectivity MS5611-01BA03 data sheet: figures 2 and 3 (first and second order),
///   "memory PROM mapping"; Measurement Specialties AN520 (CRC-4). Both as other drivers give them:
///   Linux drivers/iio/pressure/ms5611_core.c computes the same in whole numbers. The relatives:
///   see `MS5611Variant`.
package struct MS5611Calibration: Equatable, Sendable {
  private let words: SIMD8<UInt16>
  private let variant: MS5611Variant

  /// Takes the words in their order, from 0xA0 on; of seven the last is zero.
  package init(_ words: SIMD8<UInt16>, _ variant: MS5611Variant = .ms5611) {
    (self.words, self.variant) = (words, variant)
  }

  /// The product in the first word of a short PROM.
  package var product: UInt8 { UInt8(words[0] >> 5 & 0x7F) }

  /// One word.
  package subscript(_ index: Int) -> UInt16 { words[index] }

  /// The check of all bytes but the last, whose lower half holds it; of a short PROM the check of
  /// all bits but those four.
  package var check: UInt16 {
    var words = words
    // The check itself counts as zero.
    if variant.hasShortPROM {
      (words[0], words[7]) = (words[0] & 0x0FFF, 0)
    } else {
      words[7] &= 0xFF00
    }
    var remainder: UInt16 = 0
    for index in 0..<16 {
      let word = words[index >> 1]
      remainder ^= index & 1 == 0 ? word >> 8 : word & 0xFF
      // Polynomial x⁴ + x + 1 in the topmost bits.
      for _ in 0..<8 {
        remainder = remainder & 0x8000 == 0 ? remainder << 1 : (remainder << 1) ^ 0x3000
      }
    }
    return remainder >> 12
  }

  /// The fault of invalid words; nil for valid ones. Equal words come from a stuck line: all-zero
  /// words would pass the checksum.
  package var fault: String? {
    var compared = words
    if variant.hasShortPROM { compared[7] = words[0] }
    if compared == SIMD8(repeating: words[0]) { return "all words of its PROM are equal" }
    let stored = variant.hasShortPROM ? words[0] >> 12 : words[7] & 0x000F
    return check == stored ? nil : "its CRC-4 does not fit"
  }

  /// The same words in another part's formulas.
  func asIf(_ variant: MS5611Variant) -> MS5611Calibration { MS5611Calibration(words, variant) }

  /// Both orders of the compensation. No result of a 24-bit converter overflows, whatever the words
  /// are.
  /// - Parameters:
  ///   - pressure: The conversion D1.
  ///   - temperature: The conversion D2.
  /// - Returns: Temperature in hundredths of a degree Celsius and pressure in pascals.
  package func compensated(
    pressure: UInt32, temperature: UInt32
  ) -> (centicelsius: Int64, pascal: Int64) {
    let (sensitivityWord, offsetWord) = (Int64(words[1]), Int64(words[2]))
    let (sensitivitySlope, offsetSlope) = (Int64(words[3]), Int64(words[4]))
    let difference = Int64(temperature) - Int64(words[5]) << 8
    let celsius = 2000 + (difference * Int64(words[6])) >> 23
    let more = variant.scale
    let second = secondOrder(celsius, difference)
    let offset =
      offsetWord << (16 + more) + (offsetSlope * difference) >> (7 - more) - second.offset
    let sensitivity =
      sensitivityWord << (15 + more) + (sensitivitySlope * difference) >> (8 - more)
      - second.sensitivity
    // Of both halves: words that no factory wrote make a product of more than 64 bits.
    let product = Int64(pressure).multipliedFullWidth(by: sensitivity)
    let scaled = product.high << 43 | Int64(truncatingIfNeeded: product.low >> 21)
    let pascal =
      variant.isInTenths ? (10 * (scaled - offset)) >> 13 : (scaled - offset) >> 15
    return (celsius - second.celsius, pascal)
  }

  /// What the second order takes from temperature, offset and sensitivity.
  private func secondOrder(
    _ celsius: Int64, _ difference: Int64
  ) -> (celsius: Int64, offset: Int64, sensitivity: Int64) {
    let square = difference * difference
    let curve = (celsius - 2000) * (celsius - 2000)
    let frost = celsius < -1500 ? (celsius + 1500) * (celsius + 1500) : 0
    let isCold = celsius < 2000
    switch variant.secondOrder {
    case .ms5611 where isCold:
      return (square >> 31, (5 * curve) >> 1 + 7 * frost, (5 * curve) >> 2 + (11 * frost) >> 1)
    case .ms5607 where isCold:
      return (square >> 31, (61 * curve) >> 4 + 15 * frost, 2 * curve + 8 * frost)
    case .ms5637 where isCold:
      return ((3 * square) >> 33, (61 * curve) >> 4 + 17 * frost, (29 * curve) >> 4 + 9 * frost)
    case .ms5637: return ((5 * square) >> 38, 0, 0)
    case .ms5837With30Bar where isCold:
      return ((3 * square) >> 33, (3 * curve) >> 1 + 7 * frost, (5 * curve) >> 3 + 4 * frost)
    case .ms5837With30Bar: return ((2 * square) >> 37, curve >> 4, 0)
    case .ms5837With2Bar where isCold:
      return ((11 * square) >> 35, (31 * curve) >> 3, (63 * curve) >> 5)
    default: return (0, 0, 0)
    }
  }
}
