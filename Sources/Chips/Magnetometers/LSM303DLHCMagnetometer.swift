import Quantities

extension ChipModel {
  /// The LSM303DLHC's magnetometer, which has the HMC5883L's identity.
  public static let lsm303dlhcMagnetometer = ChipModel("LSM303DLHC-M", .field, at: [0x1E])
}

/// The magnetometer in ST's LSM303DLHC: ±1.3 to ±8.1 gauss, up to 220 Hz, with another gain on z
/// than on x and y.
///
/// - Axes: right-handed, as printed on the package; the accelerometer's are the same.
/// - Source: ST LSM303DLHC data sheet DocID018771 revision 2, section 7.2: CRA_REG_M (rates),
///   CRB_REG_M (gain), MR_REG_M (mode), the data in the order x, z, y; gains and order also in
///   Linux, st_magn_core.c.
public struct LSM303DLHCMagnetometer<Bus: RegisterBus>: Magnetometer {
  /// The ranges, by their bits GN.
  public enum Range: UInt8, CaseIterable, Sendable {
    case gauss1_3 = 1, gauss1_9, gauss2_5, gauss4_0, gauss4_7, gauss5_6, gauss8_1

    /// Full scale, microtesla.
    public var microtesla: Double {
      switch self {
      case .gauss1_3: 130
      case .gauss1_9: 190
      case .gauss2_5: 250
      case .gauss4_0: 400
      case .gauss4_7: 470
      case .gauss5_6: 560
      case .gauss8_1: 810
      }
    }
    /// Counts a gauss on x, y and z.
    var countsPerGauss: SIMD3<Double> {
      switch self {
      case .gauss1_3: SIMD3(1100, 1100, 980)
      case .gauss1_9: SIMD3(855, 855, 760)
      case .gauss2_5: SIMD3(670, 670, 600)
      case .gauss4_0: SIMD3(450, 450, 400)
      case .gauss4_7: SIMD3(400, 400, 355)
      case .gauss5_6: SIMD3(330, 330, 295)
      case .gauss8_1: SIMD3(230, 230, 205)
      }
    }
  }

  /// Rates by DO[2:0], hertz (CRA_REG_M).
  static var rates: [Double] { [0.75, 1.5, 3, 7.5, 15, 30, 75, 220] }

  /// The part number.
  public var model: ChipModel { .lsm303dlhcMagnetometer }
  /// The chip's address, always 0x1E.
  public var address: UInt8 { core.link.address }
  /// Samples a second; fewer for a caller that polls late.
  public var rateHertz: Double { core.rateHertz }
  /// Half of the longest measurement that 220 Hz leaves room for (the data sheet gives no time)
  /// and, without the data-ready line, half a period on the average until it is read.
  public let latencySeconds: Double

  private var core: HMC5883Core<Bus>
  private let range: Range

  /// Makes a driver; nothing is transferred before `start`. The default range is the chip's own,
  /// ±1.3 gauss.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    range = Range.allCases.first { $0.microtesla >= settings.fieldMicrotesla ?? 0 } ?? .gauss8_1
    core = HMC5883Core(
      link: ChipLink(bus: bus, address: address, model: .lsm303dlhcMagnetometer),
      // TEMP_EN: the thermometer is not read, but a chip that lost its power has it off.
      marks: 0x80, rates: Self.rates, defaultRate: 75, gain: range.rawValue, settings: settings)
    latencySeconds = 0.5 / 220 + (settings.drivesDataReadyLine ? 0 : 0.5 / core.rateHertz)
  }

  /// Identity and configuration. The magnetometer has no reset.
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

  /// The field that six bytes from OUT_X_H_M on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: Range
  ) -> Reading<MagneticField<SensorFrame>> {
    guard let counts = HMC5883Core<Bus>.counts(bytes, at: index) else { return .saturated }
    return .value(MagneticField(microtesla: counts * (100 / range.countsPerGauss)))
  }
}
