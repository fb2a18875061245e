/// The differences between BMP280 and BME280 for pressure.
public struct BMP280Variant: Equatable, Sendable {
  let model: ChipModel
  /// The identity of production parts.
  let identity: UInt8
  /// Identities of engineering samples, which are the same otherwise.
  let sampleIdentities: [UInt8]
  /// Registers to write first: BME280's ctrl_hum.
  let settings: [RegisterSetting]

  /// BMP280; 0x56 and 0x57 are samples (BST-BME280-DS002-15, table 17).
  public static var bmp280: BMP280Variant {
    BMP280Variant(
      model: .bmp280, identity: 0x58, sampleIdentities: [0x56, 0x57], settings: [])
  }

  /// BME280, whose humidity is left out: osrs_h 000 keeps it from lengthening each measurement.
  public static var bme280: BMP280Variant {
    BMP280Variant(
      model: .bme280, identity: 0x60, sampleIdentities: [],
      settings: [RegisterSetting(0xF2, 0x00, kept: 0x07)])
  }
}

/// How much a BMP280 averages for one sample.
struct BMP280Oversampling: Equatable, Sendable {
  /// osrs_t and osrs_p as they stand in ctrl_meas.
  let bits: UInt8
  /// The longest that a measurement may take, nanoseconds.
  let nanoseconds: UInt64

  /// Data sheet's pairs, best first: ×16 of pressure goes with ×2 of temperature, all else with ×1
  /// (BST-BMP280-DS001-23, table 4). Times: 1.25 ms + 2.3 ms for each temperature and each pressure
  /// + 0.575 ms (BST-BME280-DS002-15, section 9.1, as nodemcu-firmware's bme280.c words it; the
  /// typical times in Bosch's bmp2.c, 5.5 to 37.5 ms, follow from the same formula with 1, 2 and
  /// 0.5 ms).
  static var all: [BMP280Oversampling] {
    [
      BMP280Oversampling(bits: 0x54, nanoseconds: 43_225_000),
      BMP280Oversampling(bits: 0x30, nanoseconds: 22_525_000),
      BMP280Oversampling(bits: 0x2C, nanoseconds: 13_325_000),
      BMP280Oversampling(bits: 0x28, nanoseconds: 8_725_000),
      BMP280Oversampling(bits: 0x24, nanoseconds: 6_425_000),
    ]
  }

  /// The share of a period that a measurement may take; the rest is the delay of a caller that
  /// polls five times a period.
  static var share: Double { 0.8 }

  /// The best setting that leaves the caller enough time at a rate; else the shortest.
  static func best(forHertz hertz: Double) -> BMP280Oversampling {
    all.first { $0.greatestHertz >= hertz } ?? all[all.count - 1]
  }

  /// The greatest rate that this can be done at, hertz.
  var greatestHertz: Double { Self.share / (Double(nanoseconds) * 1e-9) }
}

/// The low-pass filter inside a BMP280.
struct BMP280Filter: Equatable, Sendable {
  /// filter[2:0].
  let bits: UInt8
  /// The weight of a new sample is one divided by this.
  let coefficient: Double
  /// Samples until three quarters of a step are followed (BST-BMP280-DS001-23, table 6).
  let stepSamples: Double

  static var all: [BMP280Filter] {
    [
      BMP280Filter(bits: 4, coefficient: 16, stepSamples: 22),
      BMP280Filter(bits: 3, coefficient: 8, stepSamples: 11),
      BMP280Filter(bits: 2, coefficient: 4, stepSamples: 5),
      BMP280Filter(bits: 1, coefficient: 2, stepSamples: 2),
    ]
  }
  static var off: BMP280Filter { BMP280Filter(bits: 0, coefficient: 1, stepSamples: 1) }

  /// The time of a step, seconds, as the data sheet recommends for a handheld device in motion,
  /// coefficient 16 at 83.3 Hz (table 7, "handheld device dynamic").
  static var stepSeconds: Double { 22 / 83.3 }

  /// The strongest filter that follows a step in that time at a rate.
  static func strongest(atHertz hertz: Double) -> BMP280Filter {
    all.first { $0.stepSamples / hertz <= stepSeconds } ?? off
  }
}
