/// The factory's coefficients of a BMP180 or BMP085, with the data sheet's compensation in whole
/// numbers.
///
/// - Source: Bosch BST-BMP180-DS000-07 revision 2.3, figure 4 (coefficients, formulas, worked
///   example). Linux drivers/iio/pressure/bmp280-core.c (`bmp180_compensate_press`) computes the
///   same in 32 bits.
package struct BMP180Calibration: Equatable, Sendable {
  private let (ac1, ac2, ac3): (Int32, Int32, Int32)
  private let (ac4, ac5, ac6): (UInt32, Int32, Int32)
  private let (b1, b2, mc, md): (Int32, Int32, Int32, Int32)
  /// Whether a word is 0x0000 or 0xFFFF, which no factory writes.
  private let hasEmptyWord: Bool

  /// The number of bytes.
  package static let count = 22

  /// - Parameter bytes: The registers from 0xAA to 0xBF, high bytes first.
  package init(_ bytes: RegisterBytes) {
    func word(_ index: Int) -> Int32 { Int32(bytes.bigEndian(at: 2 * index)) }
    func unsigned(_ index: Int) -> Int32 { word(index) & 0xFFFF }
    (ac1, ac2, ac3) = (word(0), word(1), word(2))
    (ac4, ac5, ac6) = (UInt32(unsigned(3)), unsigned(4), unsigned(5))
    // The word between B2 and MC is MB, which no formula uses.
    (b1, b2, mc, md) = (word(6), word(7), word(9), word(10))
    var isEmpty = false
    for index in 0..<Self.count / 2 where word(index) == 0 || word(index) == -1 { isEmpty = true }
    hasEmptyWord = isEmpty
  }

  /// Why the coefficients cannot be a factory's; nil for possible ones.
  /// - Source: the sheet, section 3.4: none of the words is 0 or 0xFFFF.
  package var fault: String? { hasEmptyWord ? "a coefficient is 0x0000 or 0xFFFF" : nil }

  // Wrapping, as in C: damaged words may not stop the program, and their pressure is outside the
  // range.

  /// The temperature that the other formulas start from (B5), 1/160 of a degree Celsius.
  /// - Parameter raw: The word UT.
  /// - Returns: nil where the formula would divide by zero.
  package func fineTemperature(raw: UInt16) -> Int32? {
    let linear = ((Int32(raw) &- ac6) &* ac5) >> 15
    let divisor = linear &+ md
    return divisor == 0 ? nil : linear &+ (mc << 11) / divisor
  }

  /// Tenths of a degree Celsius.
  package func temperature(fine: Int32) -> Int32 { (fine &+ 8) >> 4 }

  /// The pressure at a temperature.
  /// - Parameters:
  ///   - raw: The word UP of 16 bits and one more for each step of the oversampling.
  ///   - oversampling: The logarithm of the number of samples, 0 to 3 (oss).
  ///   - fine: The temperature of the conversion before.
  /// - Returns: Pascals; nil where the formula would divide by zero.
  package func pressure(raw: UInt32, oversampling: UInt8, fine: Int32) -> Int32? {
    let warmth = fine &- 4000
    let square = (warmth &* warmth) >> 12
    let offsetCurve = (b2 &* square) >> 11 &+ (ac2 &* warmth) >> 11
    let offset = (((ac1 &* 4 &+ offsetCurve) << Int32(oversampling)) &+ 2) / 4
    let gainCurve = ((ac3 &* warmth) >> 13 &+ (b1 &* square) >> 16 &+ 2) >> 2
    let gain = (ac4 &* UInt32(bitPattern: gainCurve &+ 32_768)) >> 15
    guard gain != 0 else { return nil }
    let scaled = (raw &- UInt32(bitPattern: offset)) &* (50_000 >> UInt32(oversampling))
    let first = Int32(
      bitPattern: scaled < 0x8000_0000 ? (scaled &* 2) / gain : (scaled / gain) &* 2)
    let bend = ((first >> 8) &* (first >> 8) &* 3038) >> 16
    let slope = (-7357 &* first) >> 16
    return first &+ (bend &+ slope &+ 3791) >> 4
  }
}
