import Quantities

extension ChipModel {
  /// The FXOS8700.
  public static let fxos8700 = ChipModel(
    "FXOS8700", .inertia, at: [0x1F, 0x1E, 0x1D, 0x1C], Identity(0x0D, 0xC7, "FXOS8700 or FXOS8701")
  ).withField()
}

/// NXP's (Freescale's) FXOS8700CQ: an accelerometer of ±2, 4 or 8 g and a magnetometer of ±1200 µT,
/// in its hybrid mode, in which both measure at the same instants. The FXOS8701 has the same
/// registers.
///
/// - Axes: right-handed, the same for both quantities.
/// - Source: registers, bits, rates and scales were read from PX4's FXOS8701CQ.cpp,
///   Adafruit_FXOS8700.cpp, Zephyr's fxos8700.c and Linux fxos8700_core.c, the axes from PX4 and
///   from NXP's hal_frdm_fxs_mult2_b.c. (NXP's data sheet is FXOS8700CQ.)
public struct FXOS8700<Bus: RegisterBus>: InertialUnit {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case status = 0x00, force
    case fifo = 0x09
    case whoAmI = 0x0D, range
    case control1 = 0x2A, control2, control3, control4, control5
    case forceOffset = 0x2F
    case field = 0x33
    case fieldOffset = 0x3F
    case fieldControl1 = 0x5B, fieldControl2, fieldControl3
  }

  /// WHO_AM_I's content; parts before production had 0xC4.
  public static var identity: UInt8 { 0xC7 }
  /// The rates of the hybrid mode in use, hertz, rising, with DR[2:0].
  static var rates: [(hertz: Double, bits: UInt8)] {
    [(6.25, 5), (25, 4), (50, 3), (100, 2), (200, 1), (400, 0)]
  }
  /// The magnetometer's full scale, microtesla.
  static var fieldRange: Double { 1200 }
  /// Microtesla a count.
  static var microteslaPerCount: Double { 0.1 }
  /// The bytes of a reading: the status and both quantities.
  private static var readingBytes: Int { 13 }

  /// The part number.
  public var model: ChipModel { .fxos8700 }
  /// The chip's address, 0x1C to 0x1F.
  public var address: UInt8 { link.address }
  /// Samples a second of both quantities.
  public let rateHertz: Double
  /// Half a period: both oversample over all of it.
  public var latencySeconds: Double { 0.5 / rateHertz }

  private let link: ChipLink<Bus>
  private let range: FXOS8700Range
  private let table: [RegisterSetting]

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .fxos8700)
    range = .least(for: settings.specificForceMetresPerSecondSquared)
    let rate = settings.rate(among: Self.rates, default: 100) { $0.hertz }
    rateHertz = rate.hertz
    let isWired = settings.drivesDataReadyLine
    var table = [
      // No FIFO, no high pass.
      RegisterSetting(Register.fifo.rawValue, 0x00),
      RegisterSetting(Register.range.rawValue, range.rawValue),
      // MODS 10: high resolution.
      RegisterSetting(Register.control2.rawValue, 0x02),
      // INT1 is high while a sample waits, where it is wired.
      RegisterSetting(Register.control3.rawValue, isWired ? 0x02 : 0x00),
      RegisterSetting(Register.control4.rawValue, isWired ? 0x01 : 0x00),
      RegisterSetting(Register.control5.rawValue, isWired ? 0x01 : 0x00),
      // Hybrid mode, the most oversampling, no calibration by the chip.
      RegisterSetting(Register.fieldControl1.rawValue, 0x1F),
      // A transfer goes on from the force to the field.
      RegisterSetting(Register.fieldControl2.rawValue, 0x20),
      RegisterSetting(Register.fieldControl3.rawValue, 0x00),
    ]
    // What another program may have left.
    for axis in UInt8(0)..<3 {
      table.append(RegisterSetting(Register.forceOffset.rawValue + axis, 0x00))
    }
    for byte in UInt8(0)..<6 {
      table.append(RegisterSetting(Register.fieldOffset.rawValue + byte, 0x00))
    }
    // Last: ACTIVE.
    table.append(RegisterSetting(Register.control1.rawValue, rate.bits << 3 | 0x01))
    self.table = table
  }

  /// Identity, standby, in which alone settings are taken, and configuration. The chip does not
  /// acknowledge a reset over I2C, so that it is not used: the table contains every register that
  /// affects the samples.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    try link.write(0x00, to: Register.control1.rawValue)
    try link.apply(table)
    // What the registers hold may be of another configuration.
    _ = try link.readSample(Register.status.rawValue, count: Self.readingBytes)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The sample in the registers, if it is new. After a loss of power the chip is in standby and
  /// has none.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    let bytes = try link.readSample(Register.status.rawValue, count: Self.readingBytes)
    // ZYXDR: all three axes are new since the last reading.
    guard bytes[0] & 0x08 != 0 else { return 0 }
    take(Self.decode(bytes, at: 1, range: range))
    return 0
  }

  /// The sample that twelve bytes stand for: the force from OUT_X_MSB on, the field from
  /// M_OUT_X_MSB on.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: FXOS8700Range
  ) -> InertialReading {
    let counts = SIMD3(
      Double(bytes.bigEndian(at: index + 6)), Double(bytes.bigEndian(at: index + 8)),
      Double(bytes.bigEndian(at: index + 10)))
    let field = counts * microteslaPerCount
    return InertialReading(
      angularRate: nil,
      // 14 bits, left-aligned.
      specificForce: RawAxes(bigEndian: bytes, at: index).specificForce(
        perCount: SIMD3(repeating: range.metresPerSecondSquaredPerCount), rails: -32_768...32_764),
      field: field.isWithin(fieldRange) ? .value(MagneticField(microtesla: field)) : .saturated)
  }
}
