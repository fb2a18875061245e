/// The eight words of an MS5611's PROM: their check, and the compensation that they serve.
///
/// - Source: TE Connectivity MS5611-01BA03 data sheet: figures 2 and 3 (first and second order), "memory
///   PROM mapping"; Measurement Specialties AN520 (CRC-4). Both as other drivers give them: Linux
///   drivers/iio/pressure/ms5611_core.c computes the same in whole numbers.
package struct MS5611Calibration: Equatable, Sendable {
  private let words: SIMD8<UInt16>

  /// Takes the words in their order, from 0xA0 on.
  package init(_ words: SIMD8<UInt16>) { self.words = words }

  /// One word.
  package subscript(_ index: Int) -> UInt16 { words[index] }

  /// The check of all bytes but the last, whose lower half holds it.
  package var check: UInt16 {
    var remainder: UInt16 = 0
    for index in 0..<16 {
      let word = words[index >> 1]
      // The last byte is the check itself and counts as zero.
      remainder ^= index & 1 == 0 ? word >> 8 : index == 15 ? 0 : word & 0xFF
      // Polynomial x⁴ + x + 1 in the topmost bits.
      for _ in 0..<8 {
        remainder = remainder & 0x8000 == 0 ? remainder << 1 : (remainder << 1) ^ 0x3000
      }
    }
    return remainder >> 12
  }

  /// The fault of invalid words; nil for valid ones. Equal words come from a stuck line: all-zero words would
  /// pass the checksum.
  package var fault: String? {
    if words == SIMD8(repeating: words[0]) { return "all words of its PROM are equal" }
    if check != words[7] & 0x000F { return "its CRC-4 does not fit" }
    return nil
  }

  /// Both orders of the compensation. No result of a 24-bit converter overflows 64 bits, whatever the
  /// words are.
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
    var celsius = 2000 + (difference * Int64(words[6])) >> 23
    var offset = offsetWord << 16 + (offsetSlope * difference) >> 7
    var sensitivity = sensitivityWord << 15 + (sensitivitySlope * difference) >> 8
    if celsius < 2000 {
      let cold = (celsius - 2000) * (celsius - 2000)
      offset -= (5 * cold) >> 1
      sensitivity -= (5 * cold) >> 2
      if celsius < -1500 {
        let frost = (celsius + 1500) * (celsius + 1500)
        offset -= 7 * frost
        sensitivity -= (11 * frost) >> 1
      }
      celsius -= (difference * difference) >> 31
    }
    return (celsius, ((Int64(pressure) * sensitivity) >> 21 - offset) >> 15)
  }
}
