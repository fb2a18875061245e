import Quantities

extension ChipModel {
  /// The ICM-42670-P.
  public static let icm42670p = ChipModel(
    "ICM-42670-P", .inertia, at: [0x68, 0x69], Identity(0x75, 0x67)
  )
  // Source: ArduPilot AP_InertialSensor_Invensensev3.cpp reads it so after power-on; Zephyr
  // icm42670_spi.c (mode 3).
  .over(SPIFraming(fastestHertz: 24_000_000))
}

/// TDK InvenSense's ICM-42670-P of M5Stack's and Espressif's boards: gyroscope and accelerometer at
/// one rate, read through their FIFO.
///
/// Its registers are not the ICM-42688-P's. Those of block MREG1, which set the FIFO's content, are
/// behind an address and a data register and need a running clock.
///
/// - Axes: right-handed, as printed on the package, the same for both quantities.
/// - Source: TDK's library motion.mcu.icm42670p.driver, `inv_imu_driver.c` and `inv_imu_defs.h`,
///   with the register map of motion.arduino.ICM42670P, `inv_imu_regmap_rev_a.h` and
///   `inv_imu_transport.c` (bits, MREG1, FIFO, times); Zephyr `icm42670_reg.h` and `icm42670.c`
///   (registers, rates, scales, reset, clock); ArduPilot `AP_InertialSensor_Invensensev3.cpp`
///   (FIFO, packets, filters, the FIFO's size).
public struct ICM42670P<Bus: RegisterBus>: InertialUnit, PacketFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case clockReady = 0x00, signalPathReset = 0x02
    case interrupt = 0x06
    case powerManagement = 0x1F, gyroscope0, accelerometer0
    case gyroscope1 = 0x23, accelerometer1
    case fifo1 = 0x28, fifo2, fifo3, interruptSource
    case interface0 = 0x35, interface1
    case interruptStatus = 0x3A
    case fifoData = 0x3F
    case whoAmI = 0x75
    case blockWrite = 0x79, addressWrite, dataWrite, blockRead, addressRead, dataRead
  }

  /// A rate with both halves on, with its bits and the filters' bandwidth.
  struct Rate: Sendable {
    let hertz: Double
    let bits: UInt8
    let filter: UInt8
    let bandwidth: Double
  }

  /// The rates in use, each with the widest low pass below 0.4 of it. At 1600 Hz the stamps did not
  /// follow an oscillator that is 7 % slow.
  static var rates: [Rate] {
    [
      Rate(hertz: 12.5, bits: 0x0C, filter: 7, bandwidth: 16),
      Rate(hertz: 25, bits: 0x0B, filter: 7, bandwidth: 16),
      Rate(hertz: 50, bits: 0x0A, filter: 7, bandwidth: 16),
      Rate(hertz: 100, bits: 0x09, filter: 5, bandwidth: 34),
      Rate(hertz: 200, bits: 0x08, filter: 3, bandwidth: 73),
      Rate(hertz: 400, bits: 0x07, filter: 2, bandwidth: 121),
      Rate(hertz: 800, bits: 0x06, filter: 1, bandwidth: 180),
    ]
  }

  /// WHO_AM_I's content.
  public static var identity: UInt8 { 0x67 }
  /// PWR_MGMT0: both halves in their low-noise mode.
  private static var power: RegisterSetting {
    RegisterSetting(Register.powerManagement.rawValue, 0x0F)
  }
  /// PWR_MGMT0, IDLE: the clock runs without them.
  private static var clockOnly: UInt8 { 0x10 }
  /// FIFO_CONFIG1: not bypassed, stops when full.
  private static var running: UInt8 { 0x02 }
  /// SIGNAL_PATH_RESET: the FIFO's flush.
  private static var flush: UInt8 { 0x04 }
  /// HEADER_ACCEL and HEADER_GYRO without HEADER_MSG and 20 bits.
  static var headerMask: UInt8 { 0xF0 }
  /// The registers of MREG1 with the bits that are set.
  private static var blockTable: [RegisterSetting] {
    [
      // SENSOR_CONFIG3, APEX_DISABLE: the FIFO has its memory too.
      RegisterSetting(0x06, 0x40, kept: 0x40),
      // FIFO_CONFIG5: the line rises for each packet; whole packets of 16 bits with accelerometer
      // and gyroscope.
      RegisterSetting(0x01, 0x23, kept: 0x3F),
    ]
  }

  var fifoSize: Int { 2304 }

  /// The part number.
  public var model: ChipModel { .icm42670p }
  /// The chip's address, 0x68 or 0x69.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public var rateHertz: Double { rate.hertz }
  /// Half a period of averaging, and the delay of a second-order low pass at the filters'
  /// bandwidth.
  public var latencySeconds: Double {
    0.5 / rate.hertz + 2.0.squareRoot() / (2 * .pi * rate.bandwidth)
  }
  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  private let rate: Rate
  package let gyroscope: SixteenBitGyroscopeRange
  package let accelerometer: MPUAccelerometerRange
  private let table: [RegisterSetting]
  var fifo = FIFOAccount()

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .icm42670p)
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    let rate = settings.rate(among: Self.rates, default: 200) { $0.hertz }
    self.rate = rate
    table = [
      // Push-pull, active high.
      RegisterSetting(Register.interrupt.rawValue, 0x03, kept: 0x07),
      // High bytes first, counts in bytes.
      RegisterSetting(Register.interface0.rawValue, 0x30, kept: 0x70),
      // The widest range is 0.
      RegisterSetting(
        Register.gyroscope0.rawValue, (3 - gyroscope.rawValue) << 5 | rate.bits, kept: 0x6F),
      RegisterSetting(
        Register.accelerometer0.rawValue, (3 - accelerometer.rawValue) << 5 | rate.bits, kept: 0x6F),
      RegisterSetting(Register.gyroscope1.rawValue, 0x30 | rate.filter, kept: 0x07),
      RegisterSetting(Register.accelerometer1.rawValue, 0x40 | rate.filter, kept: 0x07),
      // A watermark of one packet, for the line.
      RegisterSetting(Register.fifo2.rawValue, UInt8(Self.packetBytes)),
      RegisterSetting(Register.fifo3.rawValue, 0x00, kept: 0x0F),
      RegisterSetting(
        Register.interruptSource.rawValue, settings.drivesDataReadyLine ? 0x04 : 0x00),
    ]
  }

  /// Identity, reset, configuration, waking up, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    // A program may have been interrupted with another block.
    try link.write(0x00, to: Register.blockRead.rawValue)
    try link.write(0x00, to: Register.blockWrite.rawValue)
    // It takes 1 ms.
    try link.reset(
      by: 0x10, to: Register.signalPathReset.rawValue, bit: 0x10, nanoseconds: 10_000_000)
    guard try link.read(Register.interruptStatus.rawValue) & 0x10 != 0 else {
      throw link.error(.unfinished("its reset"))
    }
    // CLKSEL: the PLL where it is available; I3C off, as TDK has it on I2C.
    let interface = try link.read(Register.interface1.rawValue)
    try link.apply([
      RegisterSetting(Register.interface1.rawValue, interface & 0xF0 | 0x01, kept: 0x0F)
    ])
    try startClock()
    for setting in Self.blockTable { try apply(setting) }
    try link.apply(table)
    try link.apply([Self.power])
    // The gyroscope's samples are right after 60 ms.
    link.bus.wait(nanoseconds: 100_000_000)
    try link.apply([RegisterSetting(Register.fifo1.rawValue, Self.running, kept: 0x03)])
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard try link.holds([Self.power]) else { return false }
    return try link.holds(table)
  }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  /// A packet of the FIFO: header, accelerometer x, y, z, gyroscope x, y, z, temperature, time.
  package static var layout: SixteenBitLayout { .init(rate: 7, force: 1, isBigEndian: true) }

  func readState() throws(ChipError) -> FIFOState? {
    guard try link.read(Register.fifo1.rawValue) & 0x03 == Self.running else { return nil }
    // INT_STATUS with FIFO_FULL_INT, two others, FIFO_COUNT.
    let bytes = try link.readSample(Register.interruptStatus.rawValue, count: 5)
    let count = Int(UInt16(bitPattern: bytes.bigEndian(at: 3)))
    let isFull = bytes[0] & 0x02 != 0 || isNearlyFull(count)
    return FIFOState(count: count, hasLost: isFull)
  }

  func readBurst(_ count: Int) throws(ChipError) -> RegisterBytes {
    // An empty FIFO reads as 0xFF too: the headers show it.
    try link.read(Register.fifoData.rawValue, count: count)
  }

  /// A flush, which clears its bit.
  func restartFIFO() throws(ChipError) {
    try link.write(Self.flush, to: Register.signalPathReset.rawValue)
    link.bus.wait(nanoseconds: 20_000)
    guard try link.read(Register.signalPathReset.rawValue) & Self.flush == 0 else {
      throw link.error(.unfinished("the flush of its FIFO"))
    }
    // Reading clears FIFO_FULL_INT.
    _ = try link.read(Register.interruptStatus.rawValue)
  }

  // MARK: MREG1

  private func startClock() throws(ChipError) {
    try link.write(Self.clockOnly, to: Register.powerManagement.rawValue)
    for _ in 0..<100 {
      link.bus.wait(nanoseconds: 250_000)
      if try link.read(Register.clockReady.rawValue) & 0x08 != 0 { return }
    }
    throw link.error(.unfinished("the start of its clock"))
  }

  /// Writes the kept bits of a register of MREG1, and reads them back.
  private func apply(_ setting: RegisterSetting) throws(ChipError) {
    let old = try readBlock(setting.register)
    try link.write(setting.register, to: Register.addressWrite.rawValue)
    try link.write(
      old & ~setting.kept | setting.value & setting.kept, to: Register.dataWrite.rawValue)
    link.bus.wait(nanoseconds: 20_000)
    try link.check(setting, found: try readBlock(setting.register))
  }

  private func readBlock(_ register: UInt8) throws(ChipError) -> UInt8 {
    try link.write(register, to: Register.addressRead.rawValue)
    link.bus.wait(nanoseconds: 20_000)
    let value = try link.read(Register.dataRead.rawValue)
    link.bus.wait(nanoseconds: 20_000)
    return value
  }
}
