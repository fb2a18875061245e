/// The differences between the MS5611 and its relatives, which take the same commands.
///
/// - Source: the makers' data sheets: MS5611-01BA03, MS5607-02BA03 (09/2015), MS5637-02BA03
///   (09/2015), MS5837-30BA (10/2015 and revision C2), MS5837-02BA (09/2017): figures of the
///   calculation with worked examples, PROM, operating ranges. Linux ms5611_core.c (MS5607),
///   ms_sensors_i2c.c (MS5637); ArduPilot AP_Baro_MS5611.cpp; BlueRobotics MS5837.cpp and Zephyr
///   ms5837.c (both MS5837).
public struct MS5611Variant: Equatable, Sendable {
  /// The second order of the compensation, by temperature.
  enum SecondOrder: Sendable { case ms5611, ms5607, ms5637, ms5837With30Bar, ms5837With2Bar }

  let model: ChipModel
  /// What the chip measures, hectopascal.
  let measurable: ClosedRange<Double>
  /// How many binary places more the sensitivity and the offset have than the MS5611's.
  let scale: Int64
  /// Whether the result is a tenth of a hectopascal in 13 binary places, not a pascal in 15.
  let isInTenths: Bool
  let secondOrder: SecondOrder
  /// Whether the PROM has seven words with the check at the top of the first one, not eight with it
  /// at the end of the last.
  let hasShortPROM: Bool
  /// The product in bits 11 to 5 of the first word by which a scan knows the part; nil where there
  /// is none.
  let product: UInt8?
  /// The product of the sibling that reads otherwise.
  let otherProduct: UInt8?

  /// MS5611-01BA.
  public static var ms5611: MS5611Variant {
    MS5611Variant(
      model: .ms5611, measurable: 10...1200, scale: 0, isInTenths: false, secondOrder: .ms5611,
      hasShortPROM: false, product: nil, otherProduct: nil)
  }

  /// MS5607-02BA: half the MS5611's sensitivity, and nothing else that tells them apart.
  public static var ms5607: MS5611Variant {
    MS5611Variant(
      model: .ms5607, measurable: 10...1200, scale: 1, isInTenths: false, secondOrder: .ms5607,
      hasShortPROM: false, product: nil, otherProduct: nil)
  }

  /// MS5637-02BA; also the MS5805 and the barometer of the MS8607.
  public static var ms5637: MS5611Variant {
    MS5611Variant(
      model: .ms5637, measurable: 10...2000, scale: 1, isInTenths: false, secondOrder: .ms5637,
      hasShortPROM: true, product: nil, otherProduct: nil)
  }

  /// MS5837-30BA, for water to 300 m.
  public static var ms5837With30Bar: MS5611Variant {
    MS5611Variant(
      model: .ms5837With30Bar, measurable: 10...30_000, scale: 0, isInTenths: true,
      secondOrder: .ms5837With30Bar, hasShortPROM: true, product: 0x1A, otherProduct: 0x15)
  }

  /// MS5837-02BA, for water to 10 m.
  public static var ms5837With2Bar: MS5611Variant {
    MS5611Variant(
      model: .ms5837With2Bar, measurable: 10...2000, scale: 1, isInTenths: false,
      secondOrder: .ms5837With2Bar, hasShortPROM: true, product: 0x15, otherProduct: 0x1A)
  }

  /// The part that is taken for this one, or this one for it, and whose pressure is another.
  var lookAlike: MS5611Variant {
    switch secondOrder {
    case .ms5611: .ms5607
    case .ms5607: .ms5611
    case .ms5637, .ms5837With2Bar: .ms5837With30Bar
    case .ms5837With30Bar: .ms5837With2Bar
    }
  }
}
