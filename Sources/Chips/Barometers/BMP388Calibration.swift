/// The factory's coefficients of a BMP388 or BMP390, with Bosch's compensation in whole numbers.
///
/// - Source: Bosch's BMP3-Sensor-API as Linux bmp280-core.c has it (`bmp380_compensate_temp`,
///   `bmp380_compensate_press`), so that results agree with the kernel's.
package struct BMP388Calibration: Equatable, Sendable {
  /// The registers from 0x31 on.
  package static let count = 21

  private let (t1, t2, t3): (Int64, Int64, Int64)
  private let (p1, p2, p3, p4, p5, p6): (Int64, Int64, Int64, Int64, Int64, Int64)
  private let (p7, p8, p9, p10, p11): (Int64, Int64, Int64, Int64, Int64)

  /// - Parameter bytes: The registers from 0x31 to 0x45.
  package init(_ bytes: RegisterBytes) {
    func signed(_ index: Int) -> Int64 { Int64(Int8(bitPattern: bytes[index])) }
    func word(_ index: Int) -> Int64 { Int64(bytes.littleEndian(at: index)) }
    func unsigned(_ index: Int) -> Int64 { word(index) & 0xFFFF }
    (t1, t2, t3) = (unsigned(0), unsigned(2), signed(4))
    (p1, p2, p3, p4) = (word(5), word(7), signed(9), signed(10))
    (p5, p6, p7, p8) = (unsigned(11), unsigned(13), signed(15), signed(16))
    (p9, p10, p11) = (word(17), signed(19), signed(20))
  }

  /// Why the coefficients cannot be a factory's; nil for possible ones.
  package var fault: String? {
    if t1 == 0 || t2 == 0 { return "no sensitivity of the thermometer" }
    return p5 == 0 || p1 == 1 << 14 ? "no sensitivity of the pressure" : nil
  }

  // Wrapping, as in C: damaged words may not stop the program, and their pressure is outside the
  // range.

  /// The temperature that compensates the pressure, 16,384 parts of a quarter of a degree.
  package func fineTemperature(raw: Int64) -> Int64 {
    let distance = raw &- (t1 << 8)
    return (((distance &* t2) << 18) &+ distance &* distance &* t3) >> 32
  }

  /// Hundredths of a degree Celsius.
  package func temperature(fine: Int64) -> Int64 { (fine &* 25) >> 14 }

  /// Hundredths of a pascal.
  package func pressure(raw: Int64, fine: Int64) -> UInt64 {
    let square = fine &* fine
    let cube = ((square >> 6) &* fine) >> 8
    let offset =
      (p5 << 47) &+ ((p8 &* cube) >> 5) &+ ((p7 &* square) << 4) &+ ((p6 &* fine) << 22)
    let sensitivity =
      ((p1 &- 16_384) << 46) &+ ((p4 &* cube) >> 5) &+ ((p3 &* square) << 2)
      &+ (p2 &- 16_384) &* (fine << 21)
    let linear = (sensitivity >> 24) &* raw
    let bend = ((p10 &* fine &+ (p9 << 16)) &* raw) >> 13
    // The division comes first, because the product would not fit otherwise.
    let quadratic = ((raw &* (bend / 10)) >> 9) &* 10
    let cubic = (((p11 &* raw &* raw) >> 16) &* raw) >> 7
    let total = (offset >> 2) &+ linear &+ quadratic &+ cubic
    return (UInt64(bitPattern: total) &* 25) >> 40
  }
}
