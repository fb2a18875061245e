import Quantities

extension ChipModel {
  /// The LIS2MDL, and the same magnetometer in the LSM303AGR and as IIS2MDC, with the same
  /// identity.
  public static let lis2mdl = ChipModel(
    "LIS2MDL", .field, at: [0x1E],
    Identity(0x4F, 0x40, "LIS2MDL, LSM303AGR magnetometer or IIS2MDC")
  )
  // Source: LIS2MDL data sheet DS12144, CFG_REG_C: three wires after a reset; 4WSPI, I2C_DIS. The
  // LSM303AGR has no fourth wire.
  .over(
    SPIFraming(
      fastestHertz: 10_000_000, interface: RegisterSetting(0x62, 0x24), needsInterface: true))
}

/// ST's magnetometer LIS2MDL, also the LSM303AGR's and the IIS2MDC: ±49 gauss in one range, up to
/// 100 Hz.
///
/// - Axes: x and y as printed on the package, and z such that they are right-handed: the registers'
///   are left-handed (`ChipFact`).
/// - Source: ST LIS2MDL data sheet DS12144: CFG_REG_A to CFG_REG_C, STATUS_REG, sensitivity (1.5
///   milligauss), and application note AN5069 revision 3 (conversion time). Registers and bits were
///   read from ST's lis2mdl_reg.h and compared with Linux's st_magn_core.c, which serves LIS2MDL
///   and LSM303AGR with one table and reads the data without a bit for counting up.
public struct LIS2MDL<Bus: RegisterBus>: Magnetometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case whoAmI = 0x4F, configurationA = 0x60, configurationB, configurationC, status = 0x67, outX
  }

  /// Microtesla a count of x, y and z.
  static var microteslaPerCount: SIMD3<Double> { SIMD3(0.15, 0.15, -0.15) }
  /// Rates by ODR[1:0], hertz.
  static var rates: [Double] { [10, 20, 50, 100] }
  private static var dataIndex: Int {
    Int(Register.outX.rawValue - Register.configurationA.rawValue)
  }

  /// The part number.
  public var model: ChipModel { .lis2mdl }
  /// The chip's address, always 0x1E.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of the 9.4 ms of a conversion in the high-resolution mode.
  public var latencySeconds: Double { 0.0047 }

  private let link: ChipLink<Bus>
  private let table: [RegisterSetting]
  /// Set after an interrupted transfer: a half-read axis holds its old value (BDU).
  private var mayHoldOldAxis = false

  /// Makes a driver; nothing is transferred before `start`. The chip has one range.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .lis2mdl)
    let index = settings.rateIndex(among: Self.rates, default: 100)
    rateHertz = Self.rates[index]
    table = [
      // OFF_CANC: set and reset pulses alternate, which removes the bridge's offset. LPF 0: ODR/2.
      RegisterSetting(Register.configurationB.rawValue, 0x02),
      // BDU: the two bytes of an axis belong to one conversion. BLE 0: low byte first. DRDY_on_PIN.
      RegisterSetting(
        Register.configurationC.rawValue, settings.drivesDataReadyLine ? 0x11 : 0x10),
      // COMP_TEMP_EN, which the sheet requires; LP 0: high resolution; MD 00: continuous; last.
      RegisterSetting(Register.configurationA.rawValue, 0x80 | UInt8(index) << 2),
    ]
  }

  /// Identity, reset, configuration.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: 0x40)
    // SOFT_RST; ST's driver waits 5 µs.
    try link.write(0x20, to: Register.configurationA.rawValue)
    link.bus.wait(nanoseconds: 1_000_000)
    mayHoldOldAxis = false
    try link.apply(table)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The conversion that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    let isComplete = !mayHoldOldAxis
    mayHoldOldAxis = true
    // Configuration, status and data in one transfer.
    let bytes = try link.readSample(
      Register.configurationA.rawValue, count: Self.dataIndex + 6)
    mayHoldOldAxis = false
    guard isComplete else { return nil }
    // ZYXDA: all three axes are new since the last reading.
    let status = Int(Register.status.rawValue - Register.configurationA.rawValue)
    guard bytes[status] & 0x08 != 0 else { return nil }
    for setting in table
    where !setting.matches(bytes[Int(setting.register - Register.configurationA.rawValue)]) {
      return nil
    }
    let counts = bytes.littleEndianAxes(at: Self.dataIndex)
    // The ends of 16 bits; the chip has no flag.
    guard counts.isWithin(32_766) else { return .saturated }
    return .value(Self.decode(bytes, at: Self.dataIndex))
  }

  /// The field that six bytes from OUTX_L on stand for.
  public static func decode(_ bytes: RegisterBytes, at index: Int) -> MagneticField<SensorFrame> {
    MagneticField(microtesla: bytes.littleEndianAxes(at: index) * microteslaPerCount)
  }
}
