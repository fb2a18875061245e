import Quantities

extension ChipModel {
  /// The HMC5883L.
  public static let hmc5883l = ChipModel(
    "HMC5883L", .field, at: [0x1E], Identity(0x0A, 0x48, "HMC5883L or LSM303DLHC magnetometer"))
}

/// Honeywell's magnetometer of the older GY-271 and GY-80 boards: ±0.88 to ±8.1 gauss, up to 75 Hz
/// with eight measurements averaged. Most chips that are sold under its name today are QMC5883L.
///
/// - Axes: right-handed, as printed on the package.
/// - Source: Honeywell HMC5883L data sheet 900405 revision E: tables 3 to 6 (averaging, rates),
///   table 9 (gain), tables 12 to 20 (mode, data, status, identity).
public struct HMC5883L<Bus: RegisterBus>: Magnetometer {
  /// The ranges, by their bits GN.
  public enum Range: UInt8, CaseIterable, Sendable {
    case gauss0_88, gauss1_3, gauss1_9, gauss2_5, gauss4_0, gauss4_7, gauss5_6, gauss8_1

    /// The recommended greatest field, microtesla.
    public var microtesla: Double {
      switch self {
      case .gauss0_88: 88
      case .gauss1_3: 130
      case .gauss1_9: 190
      case .gauss2_5: 250
      case .gauss4_0: 400
      case .gauss4_7: 470
      case .gauss5_6: 560
      case .gauss8_1: 810
      }
    }
    /// Counts a gauss.
    var countsPerGauss: Double {
      switch self {
      case .gauss0_88: 1370
      case .gauss1_3: 1090
      case .gauss1_9: 820
      case .gauss2_5: 660
      case .gauss4_0: 440
      case .gauss4_7: 390
      case .gauss5_6: 330
      case .gauss8_1: 230
      }
    }
  }

  /// Rates by DO[2:0], hertz (table 5).
  static var rates: [Double] { [0.75, 1.5, 3, 7.5, 15, 30, 75] }

  /// The part number.
  public var model: ChipModel { .hmc5883l }
  /// The chip's address, always 0x1E.
  public var address: UInt8 { core.link.address }
  /// Samples a second; fewer for a caller that polls late.
  public var rateHertz: Double { core.rateHertz }
  /// Half of the 6 ms of a measurement (table 1, measurement period) and, without the data-ready
  /// line, half a period on the average until it is read.
  public let latencySeconds: Double

  private var core: HMC5883Core<Bus>
  private let range: Range

  /// Makes a driver; nothing is transferred before `start`. The default range is the chip's own,
  /// ±1.3 gauss.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    let greatest = settings.fieldMicrotesla ?? Range.gauss1_3.microtesla
    range = Range.allCases.first { $0.microtesla >= greatest } ?? .gauss8_1
    core = HMC5883Core(
      link: ChipLink(bus: bus, address: address, model: .hmc5883l),
      // MA 11: eight measurements averaged, which every rate allows.
      marks: 0x60, rates: Self.rates, defaultRate: 75, gain: range.rawValue, settings: settings)
    latencySeconds = 0.003 + (settings.drivesDataReadyLine ? 0 : 0.5 / core.rateHertz)
  }

  /// Identity and configuration. The chip has no reset.
  public mutating func start() throws(ChipError) { try core.start() }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    try core.holdsConfiguration()
  }

  /// The newest measurement, at most one a period.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    guard let bytes = try core.readSample() else { return nil }
    return Self.decode(bytes, at: HMC5883Core<Bus>.dataIndex, range: range)
  }

  /// The field that six bytes from the x register's high byte on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: Range
  ) -> Reading<MagneticField<SensorFrame>> {
    guard let counts = HMC5883Core<Bus>.counts(bytes, at: index) else { return .saturated }
    return .value(MagneticField(microtesla: counts * (100 / range.countsPerGauss)))
  }
}
