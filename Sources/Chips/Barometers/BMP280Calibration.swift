/// The factory's coefficients of a BMP280 or BME280, with the compensation in whole numbers that
/// the data sheets give and the Linux kernel computes too.
///
/// - Source: Bosch BST-BMP280-DS001-23 revision 1.23: table 17 (coefficients), section 3.11.3 (32
///   bits for temperature, 64 for pressure); BST-BME280-DS002-15 revision 1.6, section 4.2.3: the
///   same. Linux drivers/iio/pressure/bmp280-core.c computes the same and prints the quotient of
///   `pressure` by 256000 as kilopascals with nine decimals.
package struct BMP280Calibration: Equatable, Sendable {
  private let t1: UInt16
  private let t2, t3: Int16
  private let p1: UInt16
  private let p2, p3, p4, p5, p6, p7, p8, p9: Int16

  /// The number of bytes.
  package static var count: Int { 24 }

  /// Takes the coefficients from the registers 0x88 to 0x9F, low byte first.
  package init(_ bytes: RegisterBytes) {
    t1 = UInt16(bitPattern: bytes.littleEndian(at: 0))
    t2 = bytes.littleEndian(at: 2)
    t3 = bytes.littleEndian(at: 4)
    p1 = UInt16(bitPattern: bytes.littleEndian(at: 6))
    p2 = bytes.littleEndian(at: 8)
    p3 = bytes.littleEndian(at: 10)
    p4 = bytes.littleEndian(at: 12)
    p5 = bytes.littleEndian(at: 14)
    p6 = bytes.littleEndian(at: 16)
    p7 = bytes.littleEndian(at: 18)
    p8 = bytes.littleEndian(at: 20)
    p9 = bytes.littleEndian(at: 22)
  }

  /// The fault of invalid coefficients; nil for valid ones. A `dig_P1` of zero divides by zero.
  package var fault: String? {
    if t1 == 0 { return "dig_T1 is 0" }
    if p1 == 0 { return "dig_P1 is 0" }
    return nil
  }

  /// The temperature that the other formulas start from (`t_fine`).
  ///
  /// Wraps where coefficients damaged on the bus overflow, as the kernel's does: no value traps.
  /// - Parameter raw: The 20-bit word of 0xFA.
  /// - Returns: 1/5120 of a degree Celsius.
  package func fineTemperature(raw: Int32) -> Int32 {
    let reference = Int32(t1)
    let linear = (((raw >> 3) &- (reference << 1)) &* Int32(t2)) >> 11
    let distance = (raw >> 4) &- reference
    let quadratic = (((distance &* distance) >> 12) &* Int32(t3)) >> 14
    return linear &+ quadratic
  }

  /// Hundredths of a degree Celsius.
  package func temperature(fine: Int32) -> Int32 { ((fine &* 5) &+ 128) >> 8 }

  /// The pressure at a temperature; wraps as `fineTemperature` does.
  /// - Parameters:
  ///   - raw: The 20-bit word of 0xF7.
  ///   - fine: The temperature of the same conversion.
  /// - Returns: 1/256 pascal; nil where the formula would divide by zero.
  package func pressure(raw: Int32, fine: Int32) -> Int64? {
    let warmth = Int64(fine) &- 128_000
    let square = warmth &* warmth
    let offset =
      (square &* Int64(p6)) &+ ((warmth &* Int64(p5)) << 17) &+ (Int64(p4) << 35)
    let slope = ((square &* Int64(p3)) >> 8) &+ ((warmth &* Int64(p2)) << 12)
    let divisor = (((Int64(1) << 47) &+ slope) &* Int64(p1)) >> 33
    let dividend = (((1_048_576 &- Int64(raw)) << 31) &- offset) &* 3125
    let quotient = dividend.dividedReportingOverflow(by: divisor)
    guard !quotient.overflow else { return nil }
    let first = quotient.partialValue
    let curve = (Int64(p9) &* (first >> 13) &* (first >> 13)) >> 25
    let line = (Int64(p8) &* first) >> 19
    return ((first &+ curve &+ line) >> 8) &+ (Int64(p7) << 4)
  }
}
