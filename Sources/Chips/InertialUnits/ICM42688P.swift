import Quantities

extension ChipModel {
  /// The ICM-42688-P.
  public static let icm42688p = ChipModel(
    "ICM-42688-P", .inertia, at: [0x68, 0x69], Identity(0x75, 0x47)
  )
  // Source: DS-000347, INTF_CONFIG0: UI_SIFS_CFG 3 disables I2C.
  .over(SPIFraming(fastestHertz: 24_000_000, interface: RegisterSetting(0x4C, 0x03)))
  /// The ICM-42605.
  public static let icm42605 = ChipModel(
    "ICM-42605", .inertia, at: [0x68, 0x69], Identity(0x75, 0x42)
  )
  .over(SPIFraming(fastestHertz: 24_000_000, interface: RegisterSetting(0x4C, 0x03)))
  /// The IIM-42652.
  public static let iim42652 = ChipModel(
    "IIM-42652", .inertia, at: [0x68, 0x69], Identity(0x75, 0x6F)
  )
  .over(SPIFraming(fastestHertz: 24_000_000, interface: RegisterSetting(0x4C, 0x03)))
}

/// The parts with the ICM-42688-P's registers.
public struct ICM42688PVariant: Sendable {
  /// The part.
  public let model: ChipModel
  /// WHO_AM_I's content.
  public let identity: UInt8

  /// The ICM-42688-P.
  public static var icm42688p: Self { Self(model: .icm42688p, identity: 0x47) }
  /// The ICM-42605.
  /// - Source: ArduPilot `AP_InertialSensor_Invensensev3.cpp` and Linux `inv_icm42600_core.c`
  ///   (identity, the same registers); Betaflight `accgyro_spi_icm426xx.c`, iNav pull request 9409
  ///   (its gyroscope is kept in one mode too).
  public static var icm42605: Self { Self(model: .icm42605, identity: 0x42) }
  /// The IIM-42652.
  /// - Source: ArduPilot `AP_InertialSensor_Invensensev3.cpp` (identity, the same registers); PX4
  ///   pull request 22254.
  public static var iim42652: Self { Self(model: .iim42652, identity: 0x6F) }
}

/// TDK InvenSense's ICM-42688-P, ICM-42605 and IIM-42652: gyroscope and accelerometer at one rate,
/// read through their FIFO.
///
/// - Axes: right-handed, as printed on the package, the same for both quantities.
/// - Source: TDK ICM-42688-P data sheet DS-000347 revision 1.6: tables 1 and 2 (scales), sections
///   6.1 (packet 3 of the FIFO), 13 and 14 (map with defaults, bank 0), 12.9 (INT_ASYNC_RESET);
///   registers, bits, packets, identity and order of the set-up: PX4
///   `InvenSense_ICM42688P_registers.hpp` and `ICM42688P.cpp`. The hold of the gyroscope, which the
///   data sheet does not have: ArduPilot issue 25025 and pull request 25332, Betaflight issue 12970
///   and pull request 13132, PX4 pull request 22254.
public struct ICM42688P<Bus: RegisterBus>: InertialUnit, PacketFIFO {
  /// The registers in use, all of bank 0.
  public enum Register: UInt8, Sendable {
    case deviceConfiguration = 0x11
    case interrupt = 0x14
    case fifo = 0x16
    case interruptStatus = 0x2D
    case fifoData = 0x30
    case signalPathReset = 0x4B, interface0, interface1
    case powerManagement = 0x4E, gyroscope0, accelerometer0, gyroscope1, filters, accelerometer1
    case fifo1 = 0x5F, fifo2, fifo3
    case interrupt1 = 0x64, interruptSource
    case whoAmI = 0x75, bank
  }

  /// The rates with both halves on, hertz, with their bits.
  static var rates: [(hertz: Double, bits: UInt8)] {
    [
      (12.5, 0x0B), (25, 0x0A), (50, 0x09), (100, 0x08), (200, 0x07), (500, 0x0F), (1000, 0x06),
    ]
  }
  /// The part number.
  public var model: ChipModel { variant.model }
  /// The chip's address, 0x68 or 0x69.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a period of averaging, and the delay of a second-order low pass at the filters'
  /// bandwidth: a quarter of the rate, 100 Hz at least.
  public var latencySeconds: Double {
    0.5 / rateHertz + 2.0.squareRoot() / (2 * .pi * max(400, rateHertz) / 4)
  }

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  private let variant: ICM42688PVariant
  package let gyroscope: SixteenBitGyroscopeRange
  package let accelerometer: MPUAccelerometerRange
  private let table: [RegisterSetting]
  var fifo = FIFOAccount()

  /// PWR_MGMT0: both halves in their low-noise mode.
  private static var power: RegisterSetting {
    RegisterSetting(Register.powerManagement.rawValue, 0x0F)
  }
  /// INTF_CONFIG1: the upper bits keep the gyroscope in one mode. By default it changes its mode
  /// where the rate crosses about 100 degrees per second, and repeats its value for 1 to 2 ms
  /// meanwhile, which a turn integrates to a false angle.
  private static var oneMode: RegisterSetting {
    RegisterSetting(Register.interface1.rawValue, 0x40, kept: 0xC0)
  }
  /// FIFO_CONFIG: stream.
  private static var stream: UInt8 { 0x40 }
  /// HEADER_ACCEL and HEADER_GYRO without HEADER_MSG.
  static var headerMask: UInt8 { 0xE0 }
  var fifoSize: Int { 2048 }

  /// Makes a driver; nothing is transferred before `start`.
  public init(
    bus: Bus, address: UInt8, settings: ChipSettings, variant: ICM42688PVariant = .icm42688p
  ) {
    link = ChipLink(bus: bus, address: address, model: variant.model)
    self.variant = variant
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    let rate = settings.rate(among: Self.rates, default: 200) { $0.hertz }
    rateHertz = rate.hertz
    table = [
      // Push-pull, active high.
      RegisterSetting(Register.interrupt.rawValue, 0x03, kept: 0x3F),
      // High byte first, counts in bytes.
      RegisterSetting(Register.interface0.rawValue, 0x30),
      // The widest range is 0.
      RegisterSetting(Register.gyroscope0.rawValue, (3 - gyroscope.rawValue) << 5 | rate.bits),
      RegisterSetting(
        Register.accelerometer0.rawValue, (3 - accelerometer.rawValue) << 5 | rate.bits),
      // The filters at their defaults: second order, a quarter of the rate.
      RegisterSetting(Register.gyroscope1.rawValue, 0x16),
      RegisterSetting(Register.filters.rawValue, 0x11),
      RegisterSetting(Register.accelerometer1.rawValue, 0x0D),
      // Accelerometer, gyroscope and temperature; a watermark of one packet, for the line.
      RegisterSetting(Register.fifo1.rawValue, 0x27),
      RegisterSetting(Register.fifo2.rawValue, UInt8(Self.packetBytes)),
      RegisterSetting(Register.fifo3.rawValue, 0x00),
      // INT_ASYNC_RESET off, as the data sheet demands.
      RegisterSetting(Register.interrupt1.rawValue, 0x00),
      RegisterSetting(
        Register.interruptSource.rawValue, settings.drivesDataReadyLine ? 0x04 : 0x00),
    ]
  }

  /// Identity, reset, configuration, waking up, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    try identify()
    // SOFT_RESET_CONFIG: every register at its default. It takes 1 ms.
    try link.reset(
      by: 0x01, to: Register.deviceConfiguration.rawValue, bit: 0x01, nanoseconds: 10_000_000)
    // With both halves off. The other bits choose the clock, and stay as they are.
    let interface = try link.read(Register.interface1.rawValue)
    try link.apply([
      RegisterSetting(
        Register.interface1.rawValue, interface & 0x3F | Self.oneMode.value, kept: 0xC0)
    ])
    try link.apply(table)
    try link.apply([Self.power])
    // The gyroscope starts within 45 ms.
    link.bus.wait(nanoseconds: 100_000_000)
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard try link.holds([Self.power, Self.oneMode]) else { return false }
    return try link.holds(table)
  }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  /// A packet of the FIFO: header, accelerometer x, y, z, gyroscope x, y, z, temperature, time.
  package static var layout: SixteenBitLayout { .init(rate: 7, force: 1, isBigEndian: true) }

  func readState() throws(ChipError) -> FIFOState? {
    guard try link.read(Register.fifo.rawValue) == Self.stream else { return nil }
    // INT_STATUS with FIFO_FULL_INT, FIFO_COUNT.
    let bytes = try link.readSample(Register.interruptStatus.rawValue, count: 3)
    let count = Int(UInt16(bitPattern: bytes.bigEndian(at: 1)))
    let isFull = bytes[0] & 0x02 != 0 || isNearlyFull(count)
    return FIFOState(count: count, hasLost: isFull)
  }

  func readBurst(_ count: Int) throws(ChipError) -> RegisterBytes {
    try link.readSample(Register.fifoData.rawValue, count: count)
  }

  /// WHO_AM_I, which is in bank 0 only. The bank is changed where the selection reads as another
  /// bank of this chip, in which a program may have been interrupted.
  private func identify() throws(ChipError) {
    let bank = try link.read(Register.bank.rawValue)
    if (1...4).contains(bank) { try link.write(0x00, to: Register.bank.rawValue) }
    try link.identify(Register.whoAmI.rawValue, as: variant.identity)
  }

  /// Bypass and a flush empty the FIFO; then it streams again.
  func restartFIFO() throws(ChipError) {
    try link.write(0x00, to: Register.fifo.rawValue)
    try link.write(0x02, to: Register.signalPathReset.rawValue)
    // Reading clears FIFO_FULL_INT.
    _ = try link.read(Register.interruptStatus.rawValue)
    try link.write(Self.stream, to: Register.fifo.rawValue)
  }
}
