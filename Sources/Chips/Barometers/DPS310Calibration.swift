/// The factory's coefficients of a DPS310, SPL06-001 or SPL07-003, with the compensation.
///
/// - Source: Infineon DPS310 data sheet version 1.2, sections 4.9.1 (pressure), 4.9.2
///   (temperature), the tables of scale factors and of the coefficients. Linux
///   drivers/iio/pressure/dps310.c computes the same sum in whole pascals. c31 and c40: Adafruit's
///   adafruit_spa06_003.py and Kenneract's SPL07-003.cpp, both by the data sheet's formula; PX4's
///   SPL07.cpp multiplies them by a power less.
package struct DPS310Calibration: Equatable, Sendable {
  /// The number of bytes.
  package static let count = 18
  /// The same of an SPL07-003, which has c31 and c40 too.
  package static let longCount = 21
  /// What a raw value is divided by, by the logarithm of the number of measurements in it.
  package static var scaleFactors: SIMD8<Double> {
    SIMD8(524_288, 1_572_864, 3_670_016, 7_864_320, 253_952, 516_096, 1_040_384, 2_088_960)
  }

  private let (c0, c1): (Double, Double)
  private let (c00, c10, c20, c30): (Double, Double, Double, Double)
  private let (c01, c11, c21): (Double, Double, Double)
  private let (c31, c40): (Double, Double)

  /// - Parameter bytes: The registers from 0x10 to 0x21, or to 0x24.
  package init(_ bytes: RegisterBytes) {
    func word(_ index: Int) -> Double { Double(bytes.bigEndian(at: index)) }
    // Two numbers of twelve bits in three bytes, two of twenty in five; the shifts keep the signs.
    c0 = Double(bytes.bigEndian(at: 0) >> 4)
    c1 = Double((bytes.bigEndian(at: 1) << 4) >> 4)
    c00 = Double(bytes.bigEndian24(at: 3) >> 4)
    c10 = Double(Int32(truncatingIfNeeded: bytes.bigEndian24(at: 5) << 12) >> 12)
    (c01, c11, c20) = (word(8), word(10), word(12))
    (c21, c30) = (word(14), word(16))
    guard bytes.count >= Self.longCount else {
      (c31, c40) = (0, 0)
      return
    }
    c31 = Double(bytes.bigEndian(at: 18) >> 4)
    c40 = Double((bytes.bigEndian(at: 19) << 4) >> 4)
  }

  /// Why the coefficients cannot be a factory's; nil for possible ones.
  package var fault: String? {
    if c1 == 0 { return "no sensitivity of the thermometer" }
    return c10 == 0 ? "no sensitivity of the pressure" : nil
  }

  /// The temperature.
  /// - Parameter scaled: The raw value divided by its scale factor.
  /// - Returns: Degrees Celsius.
  package func temperature(scaled: Double) -> Double { c0 / 2 + c1 * scaled }

  /// The pressure.
  /// - Parameters:
  ///   - scaled: The raw value divided by its scale factor.
  ///   - temperature: The raw temperature divided by its own.
  /// - Returns: Pascals.
  package func pressure(scaled: Double, temperature: Double) -> Double {
    let cold = c00 + scaled * (c10 + scaled * (c20 + scaled * (c30 + scaled * c40)))
    return cold + temperature * (c01 + scaled * (c11 + scaled * (c21 + scaled * c31)))
  }
}
