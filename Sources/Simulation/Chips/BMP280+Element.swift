/// The sensing element of a BMP280 or BME280: the data sheet's compensation in floating point,
/// inverted by bisection.
/// - Source: Bosch BST-BMP280-DS001-23 revision 1.23, section 8.1 (formula) and section 3.12 (the
///   coefficients of its worked example); BST-BME280-DS002-15 revision 1.6, section 8.1: the same
///   formula.
package struct BMP280Element: Sendable {
  /// dig_T1 to dig_T3.
  package var temperature: [Int] = [27504, 26435, -1000]
  /// dig_P1 to dig_P9.
  package var pressure: [Int] = [36477, -10685, 3024, 2855, 140, -7, 15500, -14600, 6000]

  package init() {}

  /// The coefficients in the format of the registers from 0x88 on.
  package var bytes: [UInt8] {
    (temperature + pressure).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8 & 0xFF)] }
  }

  /// The greatest 20-bit word.
  private static let greatest = 1_048_575.0

  /// The converter's output before oversampling and filter: two numbers of 20 bits.
  package func converted(
    hectopascal: Double, celsius: Double
  ) -> (pressure: Double, temperature: Double) {
    let warmth = Self.argument { fine(raw: $0) / 5120 < celsius }
    let fineNow = fine(raw: warmth)
    // Pressure falls with its word.
    let word = Self.argument { pascal(raw: $0, fine: fineNow) > 100 * hectopascal }
    return (word, warmth)
  }

  /// The largest word that meets a condition met by smaller words.
  private static func argument(_ holds: (Double) -> Bool) -> Double {
    var (low, high) = (0.0, greatest)
    for _ in 0..<48 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }

  private func fine(raw: Double) -> Double {
    let distance = raw / 16384 - Double(temperature[0]) / 1024
    // The second term is of (raw / 131072 - T1 / 8192), an eighth of it.
    return distance * Double(temperature[1])
      + distance / 8 * (distance / 8) * Double(temperature[2])
  }

  private func pascal(raw: Double, fine: Double) -> Double {
    // The data sheet counts from one. Not an array, because this is called some hundred times a
    // sample.
    func p(_ number: Int) -> Double { Double(pressure[number - 1]) }
    let warmth = fine / 2 - 64_000
    let offset = (warmth * warmth * p(6) / 32768 + warmth * p(5) * 2) / 4 + p(4) * 65536
    let slope = (p(3) * warmth * warmth / 524_288 + p(2) * warmth) / 524_288
    let gain = (1 + slope / 32768) * p(1)
    let first = (1_048_576 - raw - offset / 4096) * 6250 / gain
    return first + (p(9) * first * first / 2_147_483_648 + first * p(8) / 32768 + p(7)) / 16
  }
}
