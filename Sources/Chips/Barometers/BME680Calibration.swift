/// The factory's coefficients of a BME680 or BME688 for pressure and temperature, with the
/// compensation.
///
/// - Source: Bosch BME68x_SensorAPI bme68x.c and Linux drivers/iio/chemical/bme680_core.c: both
///   compute in whole numbers, to 1 Pa; here without their shifts, so that the steps of the
///   converter stay.
package struct BME680Calibration: Equatable, Sendable {
  /// The number of bytes from 0x8A on.
  package static var count: Int { 23 }

  private let (t1, t2, t3): (Double, Double, Double)
  private let (p1, p2, p3, p4, p5): (Double, Double, Double, Double, Double)
  private let (p6, p7, p8, p9, p10): (Double, Double, Double, Double, Double)

  /// - Parameters:
  ///   - bytes: The registers from 0x8A to 0xA0.
  ///   - t1: Those of 0xE9 and 0xEA.
  package init(_ bytes: RegisterBytes, t1: RegisterBytes) {
    func word(_ index: Int) -> Double { Double(bytes.littleEndian(at: index)) }
    func byte(_ index: Int) -> Double { Double(Int8(bitPattern: bytes[index])) }
    self.t1 = Double(UInt16(bitPattern: t1.littleEndian(at: 0)))
    (t2, t3) = (word(0), byte(2))
    p1 = Double(UInt16(bitPattern: bytes.littleEndian(at: 4)))
    (p2, p3, p4, p5) = (word(6), byte(8), word(10), word(12))
    (p7, p6, p8, p9) = (byte(14), byte(15), word(18), word(20))
    p10 = Double(bytes[22])
  }

  /// The fault of invalid coefficients; nil for valid ones.
  package var fault: String? {
    if t1 == 0 { return "par_t1 is 0" }
    return p1 == 0 ? "par_p1 is 0" : nil
  }

  /// The temperature that the pressure's formula starts from, 1/5120 of a degree Celsius.
  package func fineTemperature(raw: Double) -> Double {
    let distance = raw / 8 - 2 * t1
    return distance * t2 / 2048 + distance * distance * t3 / 16_777_216
  }

  /// Pascals; not a finite number where the formula divides by zero.
  package func pressure(raw: Double, fine: Double) -> Double {
    let warmth = fine / 2 - 64_000
    let offset = (warmth * warmth * p6 / 131_072 + 2 * warmth * p5) / 4 + 65_536 * p4
    let gain = (1 + (warmth * warmth * p3 / 16_384 + warmth * p2) / 524_288 / 32_768) * p1
    let first = (1_048_576 - raw - offset / 4096) * 6250 / gain
    let square = p9 * first * first / 2_147_483_648
    let cube = first * first * first / 16_777_216 * p10 / 131_072
    return first + (square + first * p8 / 32_768 + cube + 128 * p7) / 16
  }
}
