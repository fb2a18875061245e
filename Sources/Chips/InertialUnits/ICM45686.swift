import Quantities

extension ChipModel {
  /// The ICM-45686.
  public static let icm45686 = ChipModel(
    "ICM-45686", .inertia, at: [0x68, 0x69], Identity(0x72, 0xE9)
  )
  // Source: PX4 InvenSense_ICM45686_registers.hpp.
  .over(SPIFraming(fastestHertz: 24_000_000))
}

/// TDK InvenSense's ICM-45686: gyroscope and accelerometer at one rate, read through their FIFO,
/// low bytes first.
///
/// Its FIFO counts frames, and stops when full: in stream mode a read that empties it may corrupt
/// it (TDK's AN-000364). The first read of the count may be stale, so that it is read twice. The
/// first transfer on I2C after power-on may not be acknowledged, so that it is tried again.
///
/// - Axes: x forward, y left, z up as printed on the package, right-handed, the same for both
///   quantities.
/// - Source: Linux `inv_icm45600.h`, `_core.c`, `_buffer.c` and `_gyro.c` (registers, indirect
///   registers, packets, scales, times); TDK's library motion.mcu.icm45686.driver,
///   `inv_imu_driver.c` (reset, order of the FIFO's set-up, flush, the first transfer) and its
///   example `adv_read_fifo.c` (AN-000364); PX4 `ICM45686.cpp` and
///   `InvenSense_ICM45686_registers.hpp` (axes, the count, stop when full); ArduPilot
///   `AP_InertialSensor_Invensensev3.cpp` (headers, the FIFO's depth, indirect registers);
///   Betaflight `accgyro_spi_icm456xx.c` (filters); Zephyr `icm45686_reg.h`.
public struct ICM45686<Bus: RegisterBus>: InertialUnit, PacketFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case powerManagement = 0x10
    case fifoCount = 0x12
    case fifoData = 0x14
    case interrupt0 = 0x16
    case interrupt2 = 0x18, interruptStatus
    case accelerometer = 0x1B, gyroscope
    case fifo0 = 0x1D, watermarkLow, watermarkHigh, fifo2, fifo3, fifo4
    case whoAmI = 0x72
    case indirectAddress = 0x7C
    case indirectData = 0x7E, miscellaneous
  }

  /// A register that is behind an address, with the bits to set.
  struct IndirectSetting: Sendable {
    let address: UInt16
    let value: UInt8
    let bits: UInt8
  }

  /// The rates in use with both halves on, hertz, with their bits. At 1600 Hz a thread that is 20
  /// ms late lost samples.
  static var rates: [(hertz: Double, bits: UInt8)] {
    [
      (12.5, 0x0C), (25, 0x0B), (50, 0x0A), (100, 0x09), (200, 0x08), (400, 0x07), (800, 0x06),
    ]
  }

  /// WHO_AM_I's content.
  public static var identity: UInt8 { 0xE9 }
  /// PWR_MGMT0: both halves in their low-noise mode.
  private static var power: RegisterSetting {
    RegisterSetting(Register.powerManagement.rawValue, 0x0F)
  }
  /// FIFO_CONFIG0: 2 KB, off, and stopping when full.
  private static var off: UInt8 { 0x07 }
  private static var running: UInt8 { 0x87 }
  /// FIFO_CONFIG2: the line stays high from the watermark on; the flush.
  private static var fromWatermark: UInt8 { 0x08 }
  private static var flush: UInt8 { 0x80 }
  /// FIFO_CONFIG3: accelerometer and gyroscope with 16 bits; the FIFO's interface.
  private static var contents: UInt8 { 0x06 }
  private static var interfaceOn: UInt8 { 0x01 }
  /// HEADER_ACCEL and HEADER_GYRO without an extension and 20 bits.
  static var headerMask: UInt8 { 0xF0 }
  /// The indirect registers.
  private static var indirectTable: [IndirectSetting] {
    [
      // SMC_CONTROL_0, TMST_EN: the times of the packets.
      IndirectSetting(address: 0xA258, value: 0x01, bits: 0x01),
      // IPREG_SYS1_REG_172 and IPREG_SYS2_REG_131: low passes of gyroscope and accelerometer at a
      // quarter of the rate.
      IndirectSetting(address: 0xA4AC, value: 0x01, bits: 0x07),
      IndirectSetting(address: 0xA583, value: 0x01, bits: 0x07),
    ]
  }

  var fifoSize: Int { 2048 }

  /// The part number.
  public var model: ChipModel { .icm45686 }
  /// The chip's address, 0x68 or 0x69.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a period of averaging, and the delay of a second-order low pass at a quarter of the rate.
  public var latencySeconds: Double {
    0.5 / rateHertz + 2.0.squareRoot() / (2 * .pi * rateHertz / 4)
  }
  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  package let gyroscope: ICM45686GyroscopeRange
  package let accelerometer: ICM45686ForceRange
  private let table: [RegisterSetting]
  var fifo = FIFOAccount()

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .icm45686)
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    let rate = settings.rate(among: Self.rates, default: 200) { $0.hertz }
    rateHertz = rate.hertz
    table = [
      // Push-pull, pulsed, active high; FIFO_THS where the line is wired.
      RegisterSetting(Register.interrupt2.rawValue, 0x01, kept: 0x07),
      RegisterSetting(Register.interrupt0.rawValue, settings.drivesDataReadyLine ? 0x02 : 0x00),
      RegisterSetting(
        Register.accelerometer.rawValue, accelerometer.rawValue << 4 | rate.bits, kept: 0x7F),
      RegisterSetting(Register.gyroscope.rawValue, gyroscope.rawValue << 4 | rate.bits),
      // A watermark of one frame, which takes effect with its high byte.
      RegisterSetting(Register.watermarkLow.rawValue, 0x01),
      RegisterSetting(Register.watermarkHigh.rawValue, 0x00),
      RegisterSetting(Register.fifo2.rawValue, Self.fromWatermark, kept: Self.fromWatermark),
      // Times in the packets, no compression.
      RegisterSetting(Register.fifo4.rawValue, 0x02, kept: 0x06),
    ]
  }

  /// Identity, reset, configuration, waking up, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    try link.awaitAnswer(Register.whoAmI.rawValue, nanoseconds: 10_000_000)
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    // It takes 1 ms.
    try link.reset(
      by: 0x02, to: Register.miscellaneous.rawValue, bit: 0x02, nanoseconds: 10_000_000)
    guard try link.read(Register.interruptStatus.rawValue) & 0x80 != 0 else {
      throw link.error(.unfinished("its reset"))
    }
    // The depth is taken with the FIFO off.
    try link.apply([
      RegisterSetting(Register.fifo3.rawValue, 0x00),
      RegisterSetting(Register.fifo0.rawValue, Self.off),
    ])
    for setting in Self.indirectTable { try apply(setting) }
    try link.apply(table)
    try link.apply([Self.power])
    // Both give samples within 60 ms.
    link.bus.wait(nanoseconds: 100_000_000)
    try link.write(Self.contents, to: Register.fifo3.rawValue)
    try link.apply([
      RegisterSetting(Register.fifo0.rawValue, Self.running),
      RegisterSetting(Register.fifo3.rawValue, Self.contents | Self.interfaceOn),
    ])
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard
      try link.holds([
        Self.power, RegisterSetting(Register.fifo0.rawValue, Self.running),
        RegisterSetting(Register.fifo3.rawValue, Self.contents | Self.interfaceOn),
      ])
    else { return false }
    return try link.holds(table)
  }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  /// A packet of the FIFO: header, accelerometer x, y, z, gyroscope x, y, z, temperature, time.
  package static var layout: SixteenBitLayout { .init(rate: 7, force: 1, isBigEndian: false) }

  func readState() throws(ChipError) -> FIFOState? {
    guard try link.read(Register.fifo0.rawValue) == Self.running else { return nil }
    _ = try link.read(Register.fifoCount.rawValue, count: 2)
    let bytes = try link.readSample(Register.fifoCount.rawValue, count: 2)
    let count = Int(UInt16(bitPattern: bytes.littleEndian(at: 0))) * Self.packetBytes
    return FIFOState(count: count, hasLost: isNearlyFull(count))
  }

  func readBurst(_ count: Int) throws(ChipError) -> RegisterBytes {
    // The headers show an empty FIFO.
    try link.read(Register.fifoData.rawValue, count: count)
  }

  /// A flush, which clears its bit.
  func restartFIFO() throws(ChipError) {
    try link.write(Self.flush | Self.fromWatermark, to: Register.fifo2.rawValue)
    for _ in 0..<20 {
      link.bus.wait(nanoseconds: 100_000)
      if try link.read(Register.fifo2.rawValue) & Self.flush == 0 { return }
    }
    throw link.error(.unfinished("the flush of its FIFO"))
  }

  // MARK: Indirect registers

  /// Writes the bits of an indirect register, and reads them back.
  private func apply(_ setting: IndirectSetting) throws(ChipError) {
    let old = try readIndirect(setting.address)
    try send(setting.address, old & ~setting.bits | setting.value)
    let check = RegisterSetting(UInt8(setting.address & 0xFF), setting.value, kept: setting.bits)
    try link.check(check, found: try readIndirect(setting.address) & setting.bits)
  }

  private func readIndirect(_ register: UInt16) throws(ChipError) -> UInt8 {
    try send(register, nil)
    return try link.read(Register.indirectData.rawValue)
  }

  /// Sends an address, with or without a byte for it, in one transfer, and waits for IREG_DONE; the
  /// chip needs 4 µs.
  private func send(_ register: UInt16, _ value: UInt8?) throws(ChipError) {
    var bytes = RegisterBytes(count: value == nil ? 2 : 3)
    (bytes[0], bytes[1]) = (UInt8(register >> 8), UInt8(register & 0xFF))
    if let value { bytes[2] = value }
    // A typed error does not pass through the standard library's closures.
    var failure: BusError?
    bytes.fill {
      do throws(BusError) {
        try link.bus.write(
          UnsafeRawBufferPointer($0), to: Register.indirectAddress.rawValue, of: link.address)
      } catch { failure = error }
    }
    if let failure { throw link.error(.bus(failure)) }
    for _ in 0..<20 {
      link.bus.wait(nanoseconds: 10_000)
      if try link.read(Register.miscellaneous.rawValue) & 0x01 != 0 { return }
    }
    throw link.error(.unfinished("the access to an indirect register"))
  }
}
