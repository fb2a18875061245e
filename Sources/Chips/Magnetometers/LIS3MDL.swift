import Quantities

extension ChipModel {
  /// The LIS3MDL.
  public static let lis3mdl = ChipModel(
    "LIS3MDL", .field, at: [0x1C, 0x1E], Identity(0x0F, 0x3D, "LIS3MDL or LSM9DS1 magnetometer")
  )
  // Source: LIS3MDL data sheet DocID024204 section 5.2: MS bit.
  .over(SPIFraming(fastestHertz: 10_000_000, burstBit: 0x40))
}

/// ST's magnetometer of many kits and hats: ±4 to ±16 gauss, up to 155 Hz in its best mode. Its
/// data-ready line is always enabled.
///
/// - Axes: right-handed, as printed on the package.
/// - Source: ST LIS3MDL data sheet DocID024204 revision 6: table 3 (sensitivity), tables 16 to 35
///   (registers).
public struct LIS3MDL<Bus: RegisterBus>: Magnetometer {
  /// The ranges.
  public typealias Range = LIS3MDLRange

  /// The part number.
  public var model: ChipModel { .lis3mdl }
  /// The chip's address, 0x1C or 0x1E.
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
      link: ChipLink(bus: bus, address: address, model: .lis3mdl), range: range.rawValue,
      rateHertz: settings.rateHertz)
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

  /// The field that six bytes from OUT_X_L on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: Range
  ) -> MagneticField<SensorFrame> {
    MagneticField(
      microtesla: LIS3MDLCore<Bus>.counts(bytes, at: index) * (100 / range.countsPerGauss))
  }
}
