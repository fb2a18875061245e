import Bus
import Quantities

/// ST's magnetometer of the Sense HAT's successors and many kits: ±4 to ±16 gauss, up to 80 Hz in its
/// best mode.
///
/// - Axes: right-handed, as printed on the package.
/// - Source: ST LIS3MDL data sheet DocID024204 revision 6: table 3 (sensitivity), tables 16 to 35
///   (registers), section 5.1.1 (the top bit of the register number counts up).
public struct LIS3MDL<Bus: RegisterBus>: Magnetometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case whoAmI = 0x0F, control1 = 0x20, control2, control3, control4, control5
    case status = 0x27, outX
  }

  /// The ranges, by their bits in CTRL_REG2.
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
    /// Counts a gauss (table 3).
    var countsPerGauss: Double {
      switch self {
      case .gauss4: 6842
      case .gauss8: 3421
      case .gauss12: 2281
      case .gauss16: 1711
      }
    }
  }

  /// Rates of the ultra-high-performance mode, hertz, by DO[2:0]; the last is FAST_ODR (table 20).
  static var rates: [Double] { [0.625, 1.25, 2.5, 5, 10, 20, 40, 80, 155] }
  /// WHO_AM_I's content.
  public static var identity: UInt8 { 0x3D }

  /// The part number.
  public var model: ChipModel { .lis3mdl }
  /// The chip's address, 0x1C or 0x1E.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half the time of a conversion, which in the best mode takes 1/155 s.
  public var latencySeconds: Double { 0.5 / 155 }

  private let link: ChipLink<Bus>
  private let range: Range
  private let table: [RegisterSetting]

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .lis3mdl)
    range =
      Range.allCases.first { $0.microtesla >= settings.fieldMicrotesla ?? 0 } ?? .gauss16
    let wanted = settings.rateHertz ?? 80
    let index = Self.rates.firstIndex { $0 >= wanted } ?? Self.rates.count - 1
    rateHertz = Self.rates[index]
    let rateBits = index == 8 ? UInt8(0x02) : UInt8(index) << 2
    table = [
      // TEMP_EN off, OM 11: x and y in ultra-high-performance mode.
      RegisterSetting(Register.control1.rawValue, 0x60 | rateBits),
      RegisterSetting(Register.control2.rawValue, range.rawValue),
      // OMZ 11: z in the same mode.
      RegisterSetting(Register.control4.rawValue, 0x0C),
      // BDU: the two bytes of an axis belong to one conversion.
      RegisterSetting(Register.control5.rawValue, 0x40),
      // MD 00: continuous; last, so that the first conversion has all of the above.
      RegisterSetting(Register.control3.rawValue, 0x00),
    ]
  }

  /// Identity, reset, configuration.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    // SOFT_RST: every register at its default, whatever was set before.
    try link.write(0x04, to: Register.control2.rawValue)
    link.bus.wait(nanoseconds: 1_000_000)
    try link.apply(table)
  }

  /// Whether the configuration table still stands in the registers.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The conversion that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    // STATUS_REG and the six bytes behind it in one transfer; the top bit counts the register up.
    let bytes = try link.readSample(Register.status.rawValue | 0x80, count: 7)
    // ZYXDA: all three axes are new since the last reading.
    guard bytes[0] & 0x08 != 0 else { return nil }
    let field = Self.decode(bytes, at: 1, range: range)
    return field.components.isWithin(range.microtesla) ? .value(field) : .saturated
  }

  /// The field that six bytes from OUT_X_L on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: Range
  ) -> MagneticField<SensorFrame> {
    let raw = SIMD3(
      Double(bytes.littleEndian(at: index)), Double(bytes.littleEndian(at: index + 2)),
      Double(bytes.littleEndian(at: index + 4)))
    return MagneticField(microtesla: raw * (100 / range.countsPerGauss))
  }
}
