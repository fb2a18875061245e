extension ChipModel {
  /// The LSM6DS3, the LSM6DS33 and the LSM6DS3H.
  public static let lsm6ds3 = ChipModel(
    "LSM6DS3", .inertia, at: [0x6A, 0x6B], Identity(0x0F, 0x69, "LSM6DS3, LSM6DS33 or LSM6DS3H")
  )
  // Source: LSM6DS3 data sheet, CTRL4_C: I2C_disable.
  .over(SPIFraming(fastestHertz: 10_000_000, interface: RegisterSetting(0x13, 0x04)))
  /// The LSM6DS3TR-C, the LSM6DSL, the LSM6DSM and the ISM330DLC, one design with four names.
  public static let lsm6ds3trc = ChipModel(
    "LSM6DS3TR-C", .inertia, at: [0x6A, 0x6B],
    Identity(0x0F, 0x6A, "LSM6DS3TR-C, LSM6DSL, LSM6DSM or ISM330DLC")
  )
  // Source: LSM6DSL data sheet, CTRL4_C: I2C_disable.
  .over(SPIFraming(fastestHertz: 10_000_000, interface: RegisterSetting(0x13, 0x04)))
  /// The LSM6DSO and the LSM6DSOX, which differ by what they compute inside.
  public static let lsm6dso = ChipModel(
    "LSM6DSO", .inertia, at: [0x6A, 0x6B], Identity(0x0F, 0x6C, "LSM6DSO or LSM6DSOX")
  )
  // Source: LSM6DSO data sheet, CTRL4_C: I2C_disable.
  .over(SPIFraming(fastestHertz: 10_000_000, interface: RegisterSetting(0x13, 0x04)))
  /// The LSM6DSO32 and the LSM6DSO32X: an LSM6DSO with twice its accelerometer's ranges and the
  /// same identity.
  public static let lsm6dso32 = ChipModel(
    "LSM6DSO32", .inertia, at: [0x6A, 0x6B], Identity(0x0F, 0x6C, "LSM6DSO32 or LSM6DSO32X")
  )
  // Source: LSM6DSO32 data sheet, CTRL4_C: I2C_disable.
  .over(SPIFraming(fastestHertz: 10_000_000, interface: RegisterSetting(0x13, 0x04)))
  /// The LSM6DSV and the LSM6DSV16X, which differ by what they compute inside.
  public static let lsm6dsv = ChipModel(
    "LSM6DSV", .inertia, at: [0x6A, 0x6B], Identity(0x0F, 0x70, "LSM6DSV or LSM6DSV16X")
  )
  // Source: LSM6DSV data sheet, SPI read and write.
  .over(SPIFraming(fastestHertz: 10_000_000))
  /// The LSM6DSV32X: an LSM6DSV with twice its accelerometer's ranges and the same identity.
  public static let lsm6dsv32x = ChipModel(
    "LSM6DSV32X", .inertia, at: [0x6A, 0x6B], Identity(0x0F, 0x70)
  )
  // Source: LSM6DSV32X data sheet, SPI read and write.
  .over(SPIFraming(fastestHertz: 10_000_000))
  /// The ISM330DHCX and the LSM6DSR, one die with two names.
  public static let ism330dhcx = ChipModel(
    "ISM330DHCX", .inertia, at: [0x6A, 0x6B], Identity(0x0F, 0x6B, "ISM330DHCX or LSM6DSR")
  )
  // Source: ISM330DHCX data sheet, CTRL4_C: I2C_disable.
  .over(SPIFraming(fastestHertz: 10_000_000, interface: RegisterSetting(0x13, 0x04)))
}

extension ChipModel {
  /// By what a specific force is to be multiplied where the chip is not this one but its look-alike
  /// of other ranges; nil without one.
  public var lookAlikeForceFactor: Double? {
    switch self {
    case .lsm6dso, .lsm6dsv: 2
    case .lsm6dso32, .lsm6dsv32x: 0.5
    default: nil
    }
  }
}

/// The differences within the LSM6DS family.
public struct LSM6DSVariant: Sendable {
  /// The part.
  public let model: ChipModel
  /// WHO_AM_I's content.
  public let identity: UInt8
  /// The nominal rates, hertz, with their bits in the rate fields, slowest first.
  let rates: [(hertz: Double, bits: UInt8)]
  /// The place of the rate's bits in CTRL1 and CTRL2.
  let rateShift: UInt8
  /// Where the ranges are set.
  let ranges: RangeFields
  /// Further registers that affect the samples, with their values.
  let settings: [RegisterSetting]
  /// The FIFO.
  let fifo: FIFO
  /// The factory's measurement of the chip's oscillator; nil where the part has none.
  let trim: Trim?

  /// The registers and bits of the ranges.
  struct RangeFields: Sendable {
    /// The gyroscope's register.
    let gyroscope: UInt8
    /// Its bits, ±250 degrees a second first.
    let gyroscopeBits: [UInt8]
    /// The accelerometer's register.
    let accelerometer: UInt8
    /// Its ranges with their bits, smallest first.
    let accelerometers: [(range: LSM6DSAccelerometerRange, bits: UInt8)]
  }

  /// The layout of the FIFO.
  struct FIFO: Sendable {
    /// The register of the oldest word; a read counts from the word's end back to it.
    let data: UInt8
    /// FIFO_STATUS1.
    let status: UInt8
    /// The bits of FIFO_STATUS2 that continue the number of words.
    let countMask: UInt8
    /// The bits of FIFO_STATUS2 that show lost words.
    let overrun: UInt8
    /// Bytes of a word.
    let wordBytes: Int
    /// Words of a sample of both quantities.
    let sampleWords: Int
    /// Each word names its quantity.
    let isTagged: Bool
    /// The number of words that it holds.
    let depth: Int
    /// Bits of its mode register (0x0A) beside the mode: the rate's, or none.
    let modeRateShift: UInt8?
  }

  /// The register with the oscillator's deviation in steps of a share of the nominal rate.
  struct Trim: Sendable {
    let register: UInt8
    let sharePerStep: Double
  }

  /// All of them.
  static var all: [LSM6DSVariant] {
    [lsm6ds3, lsm6ds3trc, lsm6dso, lsm6dso32, lsm6dsv, lsm6dsv32x, ism330dhcx]
  }

  /// The smallest of its ranges that holds a specific force, metres per second squared, with its
  /// bits; ±8 g without one.
  func accelerometer(
    for wanted: Double?
  ) -> (range: LSM6DSAccelerometerRange, bits: UInt8) {
    let ranges = ranges.accelerometers
    let least = LSM6DSAccelerometerRange.least(for: wanted, among: ranges.lazy.map { $0.range })
    return ranges.first { $0.range == least } ?? ranges[ranges.count - 1]
  }

  /// The LSM6DS3: a FIFO of untagged 16-bit words, gyroscope first, and no trim.
  /// - Source: ST LSM6DS3 data sheet DocID026899 revision 10: table 16 (map with defaults),
  ///   FIFO_CTRL1 to 5, FIFO_STATUS1 to 4, CTRL1_XL to CTRL10_C; order of the FIFO's data sets,
  ///   13-bit status and 1365 sets of six bytes: Linux `st_lsm6dsx_buffer.c` and
  ///   `st_lsm6dsx_core.c`.
  public static var lsm6ds3: LSM6DSVariant {
    // Zen, Yen, Xen of both halves.
    untagged(.lsm6ds3, identity: 0x69, controls: (0x38, 0x38), countMask: 0x0F, depth: 4095)
  }

  /// The LSM6DS3TR-C, and the LSM6DSL, LSM6DSM and ISM330DLC: half the LSM6DS3's FIFO, and no
  /// switches of axes.
  /// - Source: ST's `lsm6ds3tr-c_reg.h` (registers, bits, an 11-bit count of words); Linux
  ///   `st_lsm6dsx_core.c` (WHO_AM_I 0x6A of all four, scales, 682 sets).
  public static var lsm6ds3trc: LSM6DSVariant {
    // DEN on all axes, which stamps nothing while DEN is off.
    untagged(.lsm6ds3trc, identity: 0x6A, controls: (0xE0, 0x00), countMask: 0x07, depth: 2046)
  }

  /// The LSM6DSO, and the LSM6DSOX.
  /// - Source: ST LSM6DSO data sheet DS12140 revision 2: register map, FIFO_CTRL1 to 4,
  ///   FIFO_STATUS1 and 2, FIFO_DATA_OUT_TAG, INTERNAL_FREQ_FINE; ST's `lsm6dso_reg.h`; Linux
  ///   `st_lsm6dsx_core.c` (WHO_AM_I 0x6C of both parts, scales, 512 words). Rates: ST AN5192,
  ///   table of ODR_coeff, 6667 Hz by 8 to 512.
  public static var lsm6dso: LSM6DSVariant { tagged(.lsm6dso, identity: 0x6C) }

  /// The LSM6DSO32: ±4, 8, 16 and 32 g by the bits that are ±2, 4, 8 and 16 g in the LSM6DSO.
  /// - Source: ST's `lsm6dso32_reg.h` (bits, identity 0x6C) and `lsm6dso32_reg.c` (0.122 to 0.976
  ///   mg a count).
  public static var lsm6dso32: LSM6DSVariant {
    tagged(.lsm6dso32, identity: 0x6C, ranges: classicRanges(of: wideRanges))
  }

  /// The ISM330DHCX, and the LSM6DSR.
  /// - Source: ST ISM330DHCX data sheet DS13012 revision 7: register map, CTRL9_XL (DEVICE_CONF),
  ///   FIFO and INTERNAL_FREQ_FINE as the LSM6DSO; Linux `st_lsm6dsx_core.c` (WHO_AM_I 0x6B, one
  ///   entry).
  public static var ism330dhcx: LSM6DSVariant { tagged(.ism330dhcx, identity: 0x6B) }

  /// The LSM6DSV, and the LSM6DSV16X.
  /// - Source: ST LSM6DSV data sheet DS13476: register map, CTRL1 to CTRL9, FIFO_CTRL1 to 4,
  ///   FIFO_STATUS1 and 2, INTERNAL_FREQ_FINE; ST's `lsm6dsv_reg.h` (bits; 0.13 % a step); I-SYST's
  ///   `ag_lsm6dsv.h` (registers, ranges); ST AN5922, section 6.4 (oscillator).
  public static var lsm6dsv: LSM6DSVariant { newest(.lsm6dsv, usualRanges) }

  /// The LSM6DSV32X: ±4, 8, 16 and 32 g by the bits that are ±2, 4, 8 and 16 g in the LSM6DSV.
  /// - Source: ST's `lsm6dsv32x_reg.c` (FS_XL of CTRL8; 0.122 to 0.976 mg a count).
  public static var lsm6dsv32x: LSM6DSVariant { newest(.lsm6dsv32x, wideRanges) }

  private static func newest(
    _ model: ChipModel, _ accelerometers: [LSM6DSAccelerometerRange]
  ) -> LSM6DSVariant {
    LSM6DSVariant(
      model: model, identity: 0x70,
      rates: [(15, 3), (30, 4), (60, 5), (120, 6), (240, 7), (480, 8), (960, 9)], rateShift: 0,
      ranges: RangeFields(
        gyroscope: 0x15, gyroscopeBits: [0x01, 0x02, 0x03, 0x04], accelerometer: 0x17,
        accelerometers: paired(accelerometers, [0x00, 0x01, 0x02, 0x03])),
      settings: [
        RegisterSetting(0x13, 0x00), RegisterSetting(0x14, 0x00), RegisterSetting(0x16, 0x00),
        RegisterSetting(0x18, 0x00), RegisterSetting(0x19, 0x00),
        RegisterSetting(0x07, 0x02), RegisterSetting(0x08, 0x00),
      ],
      fifo: FIFO(
        data: 0x78, status: 0x1B, countMask: 0x01, overrun: 0x48, wordBytes: 7, sampleWords: 2,
        isTagged: true, depth: 256, modeRateShift: nil),
      trim: Trim(register: 0x4F, sharePerStep: 0.0013))
  }

  private static func untagged(
    _ model: ChipModel, identity: UInt8, controls: (ninth: UInt8, tenth: UInt8), countMask: UInt8,
    depth: Int
  ) -> LSM6DSVariant {
    LSM6DSVariant(
      model: model, identity: identity,
      rates: [
        (13, 1), (26, 2), (52, 3), (104, 4), (208, 5), (416, 6), (833, 7),
      ], rateShift: 4, ranges: classicRanges(of: usualRanges),
      settings: classicSettings + [
        RegisterSetting(0x18, controls.ninth), RegisterSetting(0x19, controls.tenth),
        // The threshold of a sample, for the line; no decimation.
        RegisterSetting(0x06, 0x06), RegisterSetting(0x07, 0x00), RegisterSetting(0x08, 0x09),
        RegisterSetting(0x09, 0x00),
      ],
      fifo: FIFO(
        data: 0x3E, status: 0x3A, countMask: countMask, overrun: 0x40, wordBytes: 2,
        sampleWords: 6, isTagged: false, depth: depth, modeRateShift: 3),
      trim: nil)
  }

  private static func tagged(
    _ model: ChipModel, identity: UInt8, ranges: RangeFields = classicRanges(of: usualRanges)
  ) -> LSM6DSVariant {
    LSM6DSVariant(
      model: model, identity: identity,
      rates: (1...7).map { (6667 / Double(1024 >> $0), UInt8($0)) }, rateShift: 4,
      ranges: ranges,
      settings: classicSettings + [
        // DEN on no axis; DEVICE_CONF, which the LSM6DSO calls I3C_disable. No time stamps.
        RegisterSetting(0x18, 0xE2), RegisterSetting(0x19, 0x00),
        // The threshold of a sample, for the line; no compression.
        RegisterSetting(0x07, 0x02), RegisterSetting(0x08, 0x00),
      ],
      fifo: FIFO(
        data: 0x78, status: 0x3A, countMask: 0x03, overrun: 0x48, wordBytes: 7, sampleWords: 2,
        isTagged: true, depth: 512, modeRateShift: nil),
      trim: Trim(register: 0x63, sharePerStep: 0.0015))
  }

  private static let usualRanges: [LSM6DSAccelerometerRange] = [.g2, .g4, .g8, .g16]
  private static let wideRanges: [LSM6DSAccelerometerRange] = [.g4, .g8, .g16, .g32]

  // Array(zip(…)) has a dynamic cast, which Embedded Swift has not.
  private static func paired(
    _ ranges: [LSM6DSAccelerometerRange], _ bits: [UInt8]
  ) -> [(range: LSM6DSAccelerometerRange, bits: UInt8)] {
    ranges.indices.map { (range: ranges[$0], bits: bits[$0]) }
  }

  private static func classicRanges(of accelerometers: [LSM6DSAccelerometerRange]) -> RangeFields {
    RangeFields(
      gyroscope: 0x11, gyroscopeBits: [0x00, 0x04, 0x08, 0x0C], accelerometer: 0x10,
      accelerometers: paired(accelerometers, [0x00, 0x08, 0x0C, 0x04]))
  }

  /// CTRL4_C to CTRL8_XL: high-performance modes, no high pass, no self-test.
  private static var classicSettings: [RegisterSetting] {
    [
      RegisterSetting(0x13, 0x00), RegisterSetting(0x14, 0x00), RegisterSetting(0x15, 0x00),
      RegisterSetting(0x16, 0x00), RegisterSetting(0x17, 0x00),
    ]
  }
}
