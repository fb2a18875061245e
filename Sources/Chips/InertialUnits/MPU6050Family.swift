import Quantities

/// InvenSense's MPU-6050, MPU-6500 and MPU-9250, and the MPU-6886 and ICM-206xx after them:
/// gyroscope and accelerometer, read through their FIFO.
///
/// Where there are auxiliary lines, the bypass is enabled, so that a magnetometer on the auxiliary
/// lines (the MPU-9250's AK8963, a GY-87's HMC5883L) is accessible on the main bus.
///
/// - Axes: right-handed, as printed on the package, the same for both quantities.
/// - Source: see `MPUVariant`.
public struct MPU6050Family<Bus: RegisterBus>: InertialUnit, CountedFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case rateDivider = 0x19, configuration, gyroscopeConfiguration, accelerometerConfiguration
    case accelerometerFilter = 0x1D
    case fifoEnable = 0x23
    case interruptPin = 0x37, interruptEnable
    case interruptStatus = 0x3A
    case signalPathReset = 0x68, outputLimit
    case userControl = 0x6A, powerManagement1, powerManagement2
    case interface = 0x70
    case fifoCount = 0x72
    case fifoData = 0x74, whoAmI
  }

  /// The part number.
  public var model: ChipModel { variant.model }
  /// The chip's address, 0x68 or 0x69.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// The delay of the gyroscope's low-pass filter; the accelerometer's differs by a millisecond at
  /// most.
  public private(set) var latencySeconds: Double

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  private let variant: MPUVariant
  package let gyroscope: MPUGyroscopeRange
  package let accelerometer: MPUAccelerometerRange
  private let interruptEnable: UInt8
  private let divisor: Double
  private var build: MPUBuild
  private var table: [RegisterSetting]
  var fifo = FIFOAccount()

  /// FIFO_EN: the three axes of the gyroscope in one or three bits, and the accelerometer.
  private var fifoSources: UInt8 { build.fifo.hasTemperature ? 0x18 : 0x78 }
  /// INT_PIN_CFG: active high, 50 µs pulses, I2C_BYPASS_EN where there are auxiliary lines.
  private var interruptPin: UInt8 { build.hasAuxiliaryBus ? 0x02 : 0x00 }
  /// USER_CTRL: FIFO_EN, with the auxiliary master off.
  private static var fifoOn: UInt8 { 0x40 }
  static var fifoRegisters: (count: UInt8, data: UInt8) {
    (Register.fifoCount.rawValue, Register.fifoData.rawValue)
  }
  var fifoBytes: Int { build.fifo.bytes }
  var sampleBytes: Int { build.fifo.hasTemperature ? 14 : 12 }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings, variant: MPUVariant) {
    link = ChipLink(bus: bus, address: address, model: variant.model)
    self.variant = variant
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    // The gyroscope's 1 kHz divided by 1 to 256; the lowest rate not below the requested one.
    divisor = min(256, max(1, 1000 / (settings.rateHertz ?? 200) + 1e-9)).rounded(.down)
    rateHertz = 1000 / divisor
    // FIFO_OFLOW_EN always, for its flag; DATA_RDY_EN where the pin is wired.
    interruptEnable = settings.drivesDataReadyLine ? 0x11 : 0x10
    (build, table, latencySeconds) = (variant.build, [], 0)
    adapt(to: variant.build)
  }

  /// Sets table and filter for what the registers of the part do that answers.
  private mutating func adapt(to build: MPUBuild) {
    self.build = build
    let filters = build.filters
    let filter = filters.firstIndex { $0.bandwidth < rateHertz / 2 } ?? filters.count - 1
    latencySeconds = filters[filter].delay
    table = [
      // Awake, clocked by the x gyroscope's PLL.
      RegisterSetting(Register.powerManagement1.rawValue, 0x01),
      RegisterSetting(Register.powerManagement2.rawValue, 0x00),
      RegisterSetting(Register.configuration.rawValue, UInt8(filter + 1)),
      RegisterSetting(Register.rateDivider.rawValue, UInt8(bounded: divisor - 1)),
      RegisterSetting(Register.gyroscopeConfiguration.rawValue, gyroscope.rawValue << 3),
      RegisterSetting(Register.accelerometerConfiguration.rawValue, accelerometer.rawValue << 3),
    ]
    if build.isLimited {
      // OUTPUT_LIMIT: set at each start, or the output ends before the end of 16 bits.
      table.append(RegisterSetting(Register.outputLimit.rawValue, 0x02))
    }
    if build.hasInterfaceRegister {
      table.append(RegisterSetting(Register.interface.rawValue, 0x00))
    }
    if build.hasAccelerometerFilter {
      table.append(RegisterSetting(Register.accelerometerFilter.rawValue, UInt8(filter + 1)))
    }
    table += [
      RegisterSetting(Register.interruptPin.rawValue, interruptPin),
      RegisterSetting(Register.interruptEnable.rawValue, interruptEnable),
      // The low bits are resets that clear themselves.
      RegisterSetting(Register.userControl.rawValue, Self.fifoOn, kept: 0xF0),
      RegisterSetting(Register.fifoEnable.rawValue, fifoSources),
    ]
  }

  /// Identity, resets, waking up, configuration, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    let found = try link.read(Register.whoAmI.rawValue)
    if let build = variant.build(of: found) {
      adapt(to: build)
    } else {
      try link.identify(Register.whoAmI.rawValue, as: variant.identity)
    }
    // DEVICE_RESET: every register at its default, whatever was set before. RM-MPU-6000A-00,
    // register 107: 100 ms; the bit clears itself.
    try link.reset(
      by: 0x80, to: Register.powerManagement1.rawValue, bit: 0x80, nanoseconds: 100_000_000)
    // GYRO_RST where it is not reserved, ACCEL_RST, TEMP_RST: the analogue and digital paths at
    // their beginning.
    try link.write(
      build.hasAuxiliaryBus ? 0x07 : 0x03, to: Register.signalPathReset.rawValue)
    link.bus.wait(nanoseconds: 100_000_000)
    try link.write(0x01, to: Register.powerManagement1.rawValue)
    // The gyroscope starts within 35 ms (data sheets); Linux allows the MPU-6500 70 ms and the
    // ICM-20602 100.
    link.bus.wait(nanoseconds: 100_000_000)
    try link.apply(table)
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    try drain(take)
  }

  /// A sample as it lies in the FIFO: accelerometer x, y, z, then gyroscope x, y, z.
  package static var layout: SixteenBitLayout { .init(rate: 6, force: 0, isBigEndian: true) }

  func reading(_ bytes: RegisterBytes, at index: Int) -> InertialReading {
    guard build.fifo.hasTemperature else {
      return Self.decode(bytes, at: index, gyroscope: gyroscope, accelerometer: accelerometer)
    }
    return InertialReading(
      rate: RawAxes(bigEndian: bytes, at: index + 8), gyroscope,
      force: RawAxes(bigEndian: bytes, at: index), accelerometer)
  }

  func isFIFOIntact() throws(ChipError) -> Bool {
    // INT_PIN_CFG, INT_ENABLE, (DMP or watermark), INT_STATUS: the second is zero after a
    // brown-out.
    let check = try link.readSample(Register.interruptPin.rawValue, count: 4)
    // FIFO_OFLOW_INT.
    return check[0] == interruptPin && check[1] == interruptEnable && check[3] & 0x10 == 0
  }

  /// Empties the FIFO and restarts it with a whole sample.
  func restartFIFO() throws(ChipError) {
    try link.write(0x00, to: Register.fifoEnable.rawValue)
    // FIFO_RESET acts only while FIFO_EN is off.
    try link.write(0x00, to: Register.userControl.rawValue)
    try link.write(0x04, to: Register.userControl.rawValue)
    try link.write(Self.fifoOn, to: Register.userControl.rawValue)
    // Reading clears FIFO_OFLOW_INT, which would invalidate the new content.
    _ = try link.read(Register.interruptStatus.rawValue)
    try link.write(fifoSources, to: Register.fifoEnable.rawValue)
  }
}
