import Quantities

extension ChipModel {
  /// The LSM303D.
  public static let lsm303d = ChipModel(
    "LSM303D", .inertia, at: [0x1D, 0x1E], Identity(0x0F, 0x49, "LSM303D or LSM9DS0")
  ).withField().over(lsm303dFraming)
  /// The accelerometer and magnetometer of the LSM9DS0, which answers as the LSM303D does: a scan
  /// takes it for one.
  public static let lsm9ds0 = ChipModel(
    "LSM9DS0-XM", .inertia, at: [0x1D, 0x1E], Identity(0x0F, 0x49, "LSM303D or LSM9DS0")
  ).withField().over(lsm303dFraming)

  /// MS, the bit of a transfer that counts up: PX4's LSM303D.cpp, which runs it at 11 MHz.
  private static var lsm303dFraming: SPIFraming {
    SPIFraming(fastestHertz: 10_000_000, burstBit: 0x40)
  }
}

/// ST's LSM303D, or the same registers in ST's LSM9DS0: an accelerometer of ±2 to ±16 g and a
/// magnetometer of ±2 to ±12 gauss at one address. The LSM9DS0's gyroscope has an address of its
/// own.
///
/// A reading comes with each sample of the accelerometer, with the field where it is new.
///
/// - Axes: right-handed, the same for both quantities. The LSM9DS0's magnetometer has z against the
///   accelerometer's: it is mirrored here.
/// - Source: registers, scales, rates and axes were read from PX4's LSM303D.cpp, ArduPilot's
///   AP_Compass_LSM303D.cpp, RTIMULib's RTIMUGD20HM303D.cpp and RTIMULSM9DS0.cpp, and
///   Adafruit_LSM9DS0.cpp. (ST's data sheets are DocID023312 and DocID024763.)
public struct LSM303D<Bus: RegisterBus>: InertialUnit {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case statusField = 0x07, field
    case whoAmI = 0x0F
    case control0 = 0x1F, control1, control2, control3, control4, control5, control6, control7
    case status, force
  }

  /// WHO_AM_I's content in both.
  public static var identity: UInt8 { 0x49 }
  /// The rates in use, hertz, by AODR[3:0] less three: lower ones are for no motion, higher ones
  /// for no poll.
  static var rates: [Double] { [12.5, 25, 50, 100, 200, 400] }
  /// The bandwidth of the anti-alias filter up to 200 Hz and at 400 Hz, hertz, with its bits.
  private static func filter(_ rate: Double) -> (hertz: Double, bits: UInt8) {
    rate <= 200 ? (50, 0xC0) : (194, 0x40)
  }
  /// The bit of a register's number that counts it up.
  private static var countingUp: UInt8 { 0x80 }
  /// Where status and data lie in the transfer from CTRL1 on.
  private static var statusIndex: Int { 7 }

  /// The part number.
  public var model: ChipModel { link.model }
  /// The chip's address, 0x1D or 0x1E.
  public var address: UInt8 { link.address }
  /// Samples of the accelerometer a second. The field is new as often, at most 100 times.
  public let rateHertz: Double
  /// The delay of a low pass of the anti-alias filter's bandwidth.
  public var latencySeconds: Double { 1 / (2 * .pi * Self.filter(rateHertz).hertz) }

  private let link: ChipLink<Bus>
  private let forceRange: LSM303DForceRange
  private let fieldRange: LSM303DFieldRange
  private let table: [RegisterSetting]
  /// Set during a transfer: after an interrupted one a half-read axis holds its old value (BDU).
  private var mayHoldOldAxis = false

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings, model: ChipModel = .lsm303d) {
    link = ChipLink(bus: bus, address: address, model: model)
    forceRange = .least(for: settings.specificForceMetresPerSecondSquared)
    fieldRange = .holding(settings.fieldMicrotesla)
    let index = settings.rateIndex(among: Self.rates, default: 100)
    rateHertz = Self.rates[index]
    // M_ODR 010 is 12.5 Hz; 101, 100 Hz, is the highest. It asks for an accelerometer that is not
    // slower.
    let fieldBits = UInt8(min(index + 2, 5)) << 2
    table = [
      // No FIFO, no high pass.
      RegisterSetting(Register.control0.rawValue, 0x00),
      RegisterSetting(
        Register.control2.rawValue, Self.filter(rateHertz).bits | forceRange.rawValue),
      // INT1 is high while a sample of the accelerometer waits, where it is wired.
      RegisterSetting(Register.control3.rawValue, settings.drivesDataReadyLine ? 0x04 : 0x00),
      RegisterSetting(Register.control4.rawValue, 0x00),
      // M_RES 11: high resolution.
      RegisterSetting(Register.control5.rawValue, 0x60 | fieldBits),
      RegisterSetting(Register.control6.rawValue, fieldRange.rawValue),
      // MD 00: the magnetometer measures continuously.
      RegisterSetting(Register.control7.rawValue, 0x00),
      // Last: it starts the accelerometer. BDU: the two bytes of an axis belong to one conversion.
      RegisterSetting(Register.control1.rawValue, UInt8(index + 3) << 4 | 0x0F),
    ]
  }

  /// Identity and configuration. The chip has no reset of its registers: the table contains each
  /// that affects the samples.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    try link.apply(table)
    // What the registers hold may be of another configuration: the first reading is dropped.
    mayHoldOldAxis = true
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The sample in the registers, if it is new, with the field if that is new.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    let isComplete = !mayHoldOldAxis
    mayHoldOldAxis = true
    // Configuration, status and data in one transfer.
    let first = Register.control1.rawValue
    let bytes = try link.readSample(first | Self.countingUp, count: Self.statusIndex + 7)
    let field = try link.readSample(Register.statusField.rawValue | Self.countingUp, count: 7)
    mayHoldOldAxis = false
    // ZYXADA: all three axes are new since the last reading.
    guard isComplete, bytes[Self.statusIndex] & 0x08 != 0 else { return 0 }
    for setting in table where setting.register >= first {
      guard setting.matches(bytes[Int(setting.register - first)]) else { return 0 }
    }
    var reading = InertialReading(
      angularRate: nil,
      specificForce: Self.decodeForce(bytes, at: Self.statusIndex + 1, range: forceRange))
    // ZYXMDA.
    if field[0] & 0x08 != 0 {
      reading.field = Self.decodeField(field, at: 1, range: fieldRange, of: model)
    }
    take(reading)
    return 0
  }

  /// The specific force that six bytes from OUT_X_L_A on stand for.
  public static func decodeForce(
    _ bytes: RegisterBytes, at index: Int, range: LSM303DForceRange
  ) -> Reading<SpecificForce<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index).specificForce(
      perCount: SIMD3(repeating: range.metresPerSecondSquaredPerCount), rails: .bits16)
  }

  /// The field that six bytes from OUT_X_L_M on stand for.
  public static func decodeField(
    _ bytes: RegisterBytes, at index: Int, range: LSM303DFieldRange, of model: ChipModel
  ) -> Reading<MagneticField<SensorFrame>> {
    let signs = SIMD3(1, 1, model == .lsm9ds0 ? -1.0 : 1)
    let field = bytes.littleEndianAxes(at: index) * range.microteslaPerCount * signs
    return field.isWithin(range.microtesla) ? .value(MagneticField(microtesla: field)) : .saturated
  }
}
