import Quantities

extension ChipModel {
  /// The LSM9DS1's magnetometer, which has the LIS3MDL's identity.
  public static let lsm9ds1Magnetometer = ChipModel("LSM9DS1-M", .field, at: [0x1C, 0x1E])
    // Source: LSM9DS1 data sheet DocID025715, SPI: M/S bit of the magnetometer.
    .over(SPIFraming(fastestHertz: 10_000_000, burstBit: 0x40))
}

/// The magnetometer in ST's LSM9DS1, the inertial unit of the Sense HAT: ±4 to ±16 gauss, up to 155
/// Hz in its best mode. Its registers are the same as a LIS3MDL's. Its data-ready line is always
/// enabled.
///
/// - Axes: the magnetometer's own, right-handed, z out of the top of the package. `LSM9DS1Inertial`
///   gives the same ones: the printed axes of its half are left-handed, with x the other way.
/// - Accuracy: Table 3 cuts the sensitivities to two digits (0.14, 0.29, 0.43 and 0.58 milligauss a
///   count); the LIS3MDL's, whose registers these are, are taken instead, as Linux does
///   (st_magn_core.c: 0.146, 0.292, 0.438, 0.584). A calibration corrects the rest.
/// - Source: ST LSM9DS1 data sheet DocID025715 revision 3: section 8 (registers). The axes: figure
///   1, as PX4's LSM9DS1_MAG.cpp and RTIMULib's RTIMULSM9DS1.cpp read it.
public struct LSM9DS1Magnetometer<Bus: RegisterBus>: Magnetometer {
  /// The ranges.
  public typealias Range = LIS3MDLRange

  /// The part number.
  public var model: ChipModel { .lsm9ds1Magnetometer }
  /// The magnetometer's address, 0x1C or 0x1E.
  public var address: UInt8 { core.link.address }
  /// Samples a second.
  public var rateHertz: Double { core.rateHertz }
  /// Half the time of a conversion, which in the best mode takes 1/155 s.
  public var latencySeconds: Double { LIS3MDLCore<Bus>.latencySeconds }

  private var core: LIS3MDLCore<Bus>
  private let range: Range

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    range = .holding(settings.fieldMicrotesla)
    core = LIS3MDLCore(
      link: ChipLink(bus: bus, address: address, model: .lsm9ds1Magnetometer),
      range: range.rawValue, rateHertz: settings.rateHertz)
  }

  /// Identity, reset, configuration.
  public mutating func start() throws(ChipError) { try core.start() }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    try core.holdsConfiguration()
  }

  /// The conversion that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    guard let bytes = try core.readSample() else { return nil }
    let field = Self.decode(bytes, at: LIS3MDLCore<Bus>.dataIndex, range: range)
    return field.components.isWithin(range.microtesla) ? .value(field) : .saturated
  }

  /// The field that six bytes from OUT_X_L_M on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: Range
  ) -> MagneticField<SensorFrame> {
    MagneticField(
      microtesla: LIS3MDLCore<Bus>.counts(bytes, at: index) * (100 / range.countsPerGauss))
  }
}
