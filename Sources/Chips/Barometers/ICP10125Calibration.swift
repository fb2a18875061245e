/// The factory's four coefficients of an ICP-101xx, the compensation that they serve, and the
/// words' checksum.
///
/// - Source: TDK InvenSense DS-000177 revision 1.3, sections 5.8 (checksum), 5.9 and 5.11
///   (formulas). Linux drivers/iio/pressure/icp10100.c computes the same in whole numbers.
package struct ICP10125Calibration: Equatable, Sendable {
  private let words: SIMD4<Int16>

  /// The pressures of the curve's three points, pascals.
  private static var points: SIMD3<Double> { SIMD3(45_000, 80_000, 105_000) }

  /// Takes the words in the order of their reading.
  package init(_ words: SIMD4<Int16>) { self.words = words }

  /// The fault of invalid words; nil for valid ones.
  package var fault: String? {
    words == SIMD4(repeating: words[0]) ? "all coefficients are equal" : nil
  }

  /// The checksum of bytes: CRC-8 of polynomial 0x31 that starts with 0xFF.
  package static func check(_ bytes: RegisterBytes) -> UInt8 {
    var remainder: UInt8 = 0xFF
    for index in 0..<bytes.count {
      remainder ^= bytes[index]
      for _ in 0..<8 {
        remainder = remainder & 0x80 == 0 ? remainder << 1 : remainder << 1 ^ 0x31
      }
    }
    return remainder
  }

  /// The pressure by the curve A + B / (C + raw) through three points that depend on the
  /// temperature.
  /// - Parameters:
  ///   - raw: The word of the pressure, 24 bits.
  ///   - temperature: The word of the temperature, 16 bits.
  /// - Returns: Pascals; not a finite number where the points make no curve.
  package func pressure(raw: Double, temperature: Double) -> Double {
    let distance = temperature - 32_768
    let square = distance * distance / 16_777_216
    let x = Double(words[0]) * square + 3_670_016
    let y = Double(words[1]) * square + 2048 * Double(words[3])
    let z = Double(words[2]) * square + 12_058_624
    let (p, q, r) = (Self.points.x, Self.points.y, Self.points.z)
    let numerator = x * y * (p - q) + y * z * (q - r) + z * x * (r - p)
    let c = numerator / (z * (p - q) + x * (q - r) + y * (r - p))
    let a = (p * x - q * y - (q - p) * c) / (x - y)
    let b = (p - a) * (x + c)
    return a + b / (c + raw)
  }
}
