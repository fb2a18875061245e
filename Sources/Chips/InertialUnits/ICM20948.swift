import Quantities

extension ChipModel {
  /// The ICM-20948.
  public static let icm20948 = ChipModel(
    "ICM-20948", .inertia, at: [0x68, 0x69], Identity(0x00, 0xEA)
  )
  // Source: DS-000189, USER_CTRL: I2C_IF_DIS.
  .over(SPIFraming(fastestHertz: 7_000_000, interface: RegisterSetting(0x03, 0x10)))
}

/// InvenSense's ICM-20948: gyroscope and accelerometer, read through their FIFO, with an AK09916
/// beside them.
///
/// The bypass is enabled, so that the AK09916 answers at 0x0C. Its registers lie in banks: all
/// reads in service are of bank 0, and a driver that was interrupted in another one returns there
/// first.
///
/// - Axes: right-handed, as printed on the package, the same for both quantities (the AK09916's:
///   see there).
/// - Source: InvenSense ICM-20948 data sheet DS-000189 revision 1.3: tables 1 and 2 (scales),
///   section 7 (map with defaults), 8 (bank 0: USER_CTRL to FIFO_CFG), 10 (bank 2: rates, ranges,
///   tables 16 to 18 of the filters). FIFO's order, reset and size: PX4
///   `InvenSense_ICM20948_registers.hpp` and `ICM20948.cpp`; filters: the names in SparkFun's
///   ICM-20948 library. TIMEBASE_CORRECTION_PLL, the chip's own trim, is not used.
public struct ICM20948<Bus: RegisterBus>: InertialUnit, CountedFIFO {
  /// The registers in use of bank 0, and the selection, which is in every bank.
  public enum Register: UInt8, Sendable {
    case whoAmI = 0x00
    case userControl = 0x03
    case lowPower = 0x05, powerManagement1, powerManagement2
    case interruptPin = 0x0F
    case interruptEnable1 = 0x11, interruptEnable2
    case interruptStatus2 = 0x1B
    case fifoEnable2 = 0x67, fifoReset, fifoMode
    case fifoCount = 0x70
    case fifoData = 0x72
    case bank = 0x7F
  }

  /// The registers in use of bank 2.
  public enum SettingRegister: UInt8, Sendable {
    case gyroscopeDivider = 0x00, gyroscope1, gyroscope2
    case align = 0x09
    case accelerometerDivider1 = 0x10, accelerometerDivider2
    case accelerometer1 = 0x14, accelerometer2
  }

  /// The low-pass filters, widest first, beginning with setting 1: bandwidths of gyroscope and
  /// accelerometer, hertz (tables 16 and 18).
  static var filters: [(gyroscope: Double, accelerometer: Double)] {
    [(151.8, 246), (119.5, 111.4), (51.2, 50.4), (23.9, 23.9), (11.6, 11.5), (5.7, 5.7)]
  }
  /// WHO_AM_I's content.
  public static var identity: UInt8 { 0xEA }

  /// The part number.
  public var model: ChipModel { .icm20948 }
  /// The chip's address, 0x68 or 0x69.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a period of averaging, and the delay of a first-order low pass of the gyroscope's
  /// bandwidth; the data sheet gives no delay.
  public let latencySeconds: Double

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  package let gyroscope: SixteenBitGyroscopeRange
  package let accelerometer: MPUAccelerometerRange
  private let interruptEnable: UInt8
  private let table: [RegisterSetting]
  private let settingTable: [RegisterSetting]
  var fifo = FIFOAccount()
  /// Set while another bank than 0 may be selected.
  private var isBankDoubtful = false

  /// FIFO_EN_2: accelerometer and the three axes of the gyroscope.
  private static var fifoSources: UInt8 { 0x1E }
  /// INT_PIN_CFG: active high, 50 µs pulses, BYPASS_EN.
  private static var interruptPin: UInt8 { 0x02 }
  /// INT_ENABLE_2: FIFO_OVERFLOW_EN, for its flag.
  private static var overflowFlags: UInt8 { 0x1F }
  /// USER_CTRL: FIFO_EN, with the auxiliary master off.
  private static var fifoOn: UInt8 { 0x40 }
  static var fifoRegisters: (count: UInt8, data: UInt8) {
    (Register.fifoCount.rawValue, Register.fifoData.rawValue)
  }
  var fifoBytes: Int { 512 }
  /// REG_BANK_SEL's USER_BANK_2.
  private static var settingBank: UInt8 { 0x20 }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .icm20948)
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    // 1125 Hz divided by 1 to 256; the lowest rate not below the requested one.
    let divisor = min(256, max(1, 1125 / (settings.rateHertz ?? 200) + 1e-9)).rounded(.down)
    let rate = 1125 / divisor
    rateHertz = rate
    let filters = Self.filters
    let filter =
      filters.firstIndex { max($0.gyroscope, $0.accelerometer) < rate / 2 } ?? filters.count - 1
    // Above 492 Hz the widest is narrower than half the rate anyway.
    latencySeconds = 0.5 / rate + 1 / (2 * .pi * filters[filter].gyroscope)
    interruptEnable = settings.drivesDataReadyLine ? 0x01 : 0x00
    // DLPFCFG, FS_SEL, FCHOICE: filtered.
    let filterBits = UInt8(filter + 1) << 3 | 0x01
    let divider = UInt8(bounded: divisor - 1)
    settingTable = [
      // Both halves start their periods together.
      RegisterSetting(SettingRegister.align.rawValue, 0x01),
      RegisterSetting(SettingRegister.gyroscopeDivider.rawValue, divider),
      RegisterSetting(
        SettingRegister.gyroscope1.rawValue, filterBits | gyroscope.rawValue << 1),
      // No self-test, no averaging.
      RegisterSetting(SettingRegister.gyroscope2.rawValue, 0x00),
      RegisterSetting(SettingRegister.accelerometerDivider1.rawValue, 0x00),
      RegisterSetting(SettingRegister.accelerometerDivider2.rawValue, divider),
      RegisterSetting(
        SettingRegister.accelerometer1.rawValue, filterBits | accelerometer.rawValue << 1),
      RegisterSetting(SettingRegister.accelerometer2.rawValue, 0x00),
    ]
    table = [
      // Awake, by the best clock.
      RegisterSetting(Register.powerManagement1.rawValue, 0x01),
      RegisterSetting(Register.powerManagement2.rawValue, 0x00),
      // Nothing duty-cycled.
      RegisterSetting(Register.lowPower.rawValue, 0x00),
      RegisterSetting(Register.interruptPin.rawValue, Self.interruptPin),
      RegisterSetting(Register.interruptEnable1.rawValue, interruptEnable),
      RegisterSetting(Register.interruptEnable2.rawValue, Self.overflowFlags),
      // Stream.
      RegisterSetting(Register.fifoMode.rawValue, 0x00),
      // The low bits are resets that clear themselves.
      RegisterSetting(Register.userControl.rawValue, Self.fifoOn, kept: 0xF0),
      RegisterSetting(Register.fifoEnable2.rawValue, Self.fifoSources),
    ]
  }

  /// Identity, resets, waking up, configuration, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    try identify()
    // DEVICE_RESET: every register at its default, bank 0.
    try link.reset(
      by: 0x80, to: Register.powerManagement1.rawValue, bit: 0x80, nanoseconds: 100_000_000)
    try link.write(0x01, to: Register.powerManagement1.rawValue)
    // The gyroscope starts: as for the MPU-6050.
    link.bus.wait(nanoseconds: 70_000_000)
    isBankDoubtful = true
    try link.write(Self.settingBank, to: Register.bank.rawValue)
    try link.apply(settingTable)
    try selectFirstBank()
    try link.apply(table)
    try startFIFO()
  }

  /// Whether the registers of both banks still hold the configuration tables.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    if isBankDoubtful { try selectFirstBank() }
    guard try link.holds(table) else { return false }
    isBankDoubtful = true
    try link.write(Self.settingBank, to: Register.bank.rawValue)
    let holds = try link.holds(settingTable)
    try selectFirstBank()
    return holds
  }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    if isBankDoubtful { try selectFirstBank() }
    return try drain(take)
  }

  /// A sample as it lies in the FIFO: accelerometer x, y, z, then gyroscope x, y, z.
  package static var layout: SixteenBitLayout { .init(rate: 6, force: 0, isBigEndian: true) }

  func isFIFOIntact() throws(ChipError) -> Bool {
    // INT_PIN_CFG to INT_STATUS_2: the enabling registers are zero after a brown-out.
    let check = try link.readSample(Register.interruptPin.rawValue, count: 13)
    // FIFO_OVERFLOW_INT.
    return check[0] == Self.interruptPin && check[2] == interruptEnable
      && check[3] == Self.overflowFlags && check[12] & Self.overflowFlags == 0
  }

  /// WHO_AM_I, which is in bank 0 only. The bank is changed where the selection reads as another
  /// bank of this chip, in which a program may have been interrupted.
  private mutating func identify() throws(ChipError) {
    let bank = try link.read(Register.bank.rawValue)
    if bank == 0x10 || bank == 0x20 || bank == 0x30 { try selectFirstBank() }
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
  }

  private mutating func selectFirstBank() throws(ChipError) {
    try link.write(0x00, to: Register.bank.rawValue)
    isBankDoubtful = false
  }

  /// Empties the FIFO and restarts it with a whole sample.
  func restartFIFO() throws(ChipError) {
    try link.write(0x00, to: Register.fifoEnable2.rawValue)
    try link.write(0x1F, to: Register.fifoReset.rawValue)
    try link.write(0x00, to: Register.fifoReset.rawValue)
    // Reading clears FIFO_OVERFLOW_INT, which would invalidate the new content.
    _ = try link.read(Register.interruptStatus2.rawValue)
    try link.write(Self.fifoSources, to: Register.fifoEnable2.rawValue)
  }
}
