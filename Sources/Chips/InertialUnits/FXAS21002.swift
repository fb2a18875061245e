import Quantities

extension ChipModel {
  /// The FXAS21002.
  public static let fxas21002 = ChipModel(
    "FXAS21002", .inertia, at: [0x21, 0x20], Identity(0x0C, 0xD7))
}

/// NXP's (Freescale's) gyroscope FXAS21002C: ±250 to ±2000 degrees a second, without its FIFO.
///
/// - Axes: right-handed, those of an FXOS8700 that is mounted the same way.
/// - Source: registers, bits, rates and scales were read from PX4's FXAS21002C.cpp, Linux
///   fxas21002c_core.c and Adafruit_FXAS21002C.cpp, the axes from PX4 and from NXP's
///   hal_frdm_fxs_mult2_b.c. (NXP's data sheet is FXAS21002C.)
public struct FXAS21002<Bus: RegisterBus>: InertialUnit {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case status = 0x00, rate
    case fifo = 0x09
    case whoAmI = 0x0C, control0
    case control1 = 0x13, control2, control3
  }

  /// WHO_AM_I's content; parts before production had 0xD6.
  public static var identity: UInt8 { 0xD7 }
  /// The rates, hertz, rising, with DR[2:0].
  static var rates: [(hertz: Double, bits: UInt8)] {
    [(12.5, 6), (25, 5), (50, 4), (100, 3), (200, 2), (400, 1), (800, 0)]
  }

  /// The part number.
  public var model: ChipModel { .fxas21002 }
  /// The chip's address, 0x20 or 0x21.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// The delay of a low pass of about a third of the rate, the widest of its filter: half a period.
  public var latencySeconds: Double { 0.5 / rateHertz }

  private let link: ChipLink<Bus>
  private let range: FXAS21002Range
  private let table: [RegisterSetting]

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .fxas21002)
    range = .least(for: settings.angularRateRadiansPerSecond)
    let rate = settings.rate(among: Self.rates, default: 100) { $0.hertz }
    rateHertz = rate.hertz
    table = [
      RegisterSetting(Register.fifo.rawValue, 0x00),
      // BW 00: the widest low pass; no high pass.
      RegisterSetting(Register.control0.rawValue, range.bits),
      // INT1 is high while a sample waits, where it is wired.
      RegisterSetting(Register.control2.rawValue, settings.drivesDataReadyLine ? 0x0E : 0x00),
      // FS_DOUBLE off.
      RegisterSetting(Register.control3.rawValue, 0x00),
      // Last: ACTIVE. The first sample comes 60 ms and a period later.
      RegisterSetting(Register.control1.rawValue, rate.bits << 2 | 0x02),
    ]
  }

  /// Identity, standby, in which alone settings are taken, and configuration. A reset is not
  /// needed: the table contains every register that affects the samples.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    try link.write(0x00, to: Register.control1.rawValue)
    try link.apply(table)
    // What the registers hold may be of another configuration.
    _ = try link.readSample(Register.status.rawValue, count: 7)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The sample in the registers, if it is new. After a loss of power the chip is in standby and
  /// has none.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    let bytes = try link.readSample(Register.status.rawValue, count: 7)
    // ZYXDR: all three axes are new since the last reading.
    guard bytes[0] & 0x08 != 0 else { return 0 }
    take(InertialReading(angularRate: Self.decode(bytes, at: 1, range: range), specificForce: nil))
    return 0
  }

  /// The angular rate that six bytes from OUT_X_MSB on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: FXAS21002Range
  ) -> Reading<AngularRate<SensorFrame>> {
    RawAxes(bigEndian: bytes, at: index).angularRate(
      perCount: SIMD3(repeating: range.radiansPerSecondPerCount), rails: .bits16)
  }
}
