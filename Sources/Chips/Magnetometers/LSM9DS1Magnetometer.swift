import Bus
import Quantities

/// The magnetometer in ST's LSM9DS1, the inertial unit of the Sense HAT: ±4 to ±16 gauss, up to 155
/// Hz in its best mode. Its registers cannot be told from a LIS3MDL's. Its data-ready line needs no
/// switching on.
///
/// - Axes: the magnetometer's own, right-handed, z out of the top of the package; x points against
///   the accelerometer's x, y and z along its y and z.
/// - Accuracy: The data sheet cuts the sensitivities to two digits; Linux (st_magn_core.c) takes
///   the LIS3MDL's 0.146, 0.292, 0.438 and 0.584 milligauss, 0.7 to 4.3 % more. A calibration takes
///   it up.
/// - Source: ST LSM9DS1 data sheet DocID025715 revision 3: table 3 (M_So), section 8 (registers).
///   The axes: figure 1, as PX4's LSM9DS1_MAG.cpp reads it.
public struct LSM9DS1Magnetometer<Bus: RegisterBus>: Magnetometer {
  /// The ranges, by their bits in CTRL_REG2_M.
  public enum Range: UInt8, CaseIterable, Sendable {
    case gauss4 = 0x00, gauss8 = 0x20, gauss12 = 0x40, gauss16 = 0x60

    /// Full scale, microtesla.
    public var microtesla: Double {
      switch self {
      case .gauss4: 400
      case .gauss8: 800
      case .gauss12: 1200
      case .gauss16: 1600
      }
    }
    /// Milligauss a count (table 3).
    var milligaussPerCount: Double {
      switch self {
      case .gauss4: 0.14
      case .gauss8: 0.29
      case .gauss12: 0.43
      case .gauss16: 0.58
      }
    }
  }

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
    range = Range.allCases.first { $0.microtesla >= settings.fieldMicrotesla ?? 0 } ?? .gauss16
    core = LIS3MDLCore(
      link: ChipLink(bus: bus, address: address, model: .lsm9ds1Magnetometer),
      range: range.rawValue, rateHertz: settings.rateHertz)
  }

  /// Identity, reset, configuration.
  public mutating func start() throws(ChipError) { try core.start() }

  /// Whether the configuration table still stands in the registers.
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
    // A milligauss is 0.1 microtesla.
    MagneticField(
      microtesla: LIS3MDLCore<Bus>.counts(bytes, at: index) * (range.milligaussPerCount / 10))
  }
}
