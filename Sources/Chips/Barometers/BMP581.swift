import Quantities

extension ChipModel {
  /// The BMP581 and its sister BMP580.
  public static let bmp581 = ChipModel(
    "BMP581", .pressure, at: [0x47, 0x46], Identity(0x01, 0x50, "BMP581 or BMP580")
  ).over(spiOfBMP581)
  /// The BMP585, waterproof, with the same registers.
  public static let bmp585 = ChipModel("BMP585", .pressure, at: [0x47, 0x46], Identity(0x01, 0x51))
    .over(spiOfBMP581)

  /// After a reset the chip is on I2C until its first selection with whole bytes, whose answer has
  /// no meaning. A read has no dummy byte.
  ///
  /// - Source: BMP581 data sheet BST-BMP581-DS004, "Protocol Selection"; Bosch's bmp5.c reads
  ///   CHIP_ID once in bmp5_init and in bmp5_soft_reset for that; Zephyr's binding bosch,bmp581-spi
  ///   for 12 MHz.
  private static var spiOfBMP581: SPIFraming {
    SPIFraming(fastestHertz: 12_000_000, wakingRead: 0x01, reset: RegisterSetting(0x7E, 0xB6))
  }
}

/// Bosch's barometers BMP580, BMP581 and BMP585: 300 to 1250 hPa, up to 240 Hz, compensated inside.
///
/// - Source: Bosch BMP581 data sheet BST-BMP581-DS004: "Oversampling settings" (table 9),
///   conversion times t_conv_p and t_conv_t of its specification, register map, reset. Registers,
///   bits, rates and delays were read from Bosch's BMP5-Sensor-API 1.1.1 (bmp5_defs.h, bmp5.c) and
///   compared with Linux drivers/iio/pressure/bmp280-core.c (bmp580), which also has the times of a
///   conversion and takes both identities for one chip.
public struct BMP581<Bus: RegisterBus>: Barometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case identity = 0x01, interruptConfiguration = 0x14, interruptSource
    case data = 0x1D, interruptStatus = 0x27, status, filter = 0x31
    case oversampling = 0x36, rate, command = 0x7E
  }

  /// What is delivered, hectopascal. The sheet's range is 300 to 1250; below it see `ThinAir`.
  public static var measurable: ClosedRange<Double> { ThinAir.hectopascal...1250 }
  /// Rates with their bits odr and an oversampling of the pressure (osr_p: 2 to this power) whose
  /// conversion takes at most seven tenths of the period, so that the chip need not lower it.
  static var rates: [(hertz: Double, bits: UInt8, oversampling: UInt8)] {
    [
      (1, 0x1C, 7), (5, 0x18, 7), (10, 0x17, 6), (25, 0x14, 5), (50, 0x0F, 4), (100.2, 0x0A, 3),
      (240, 0x00, 1),
    ]
  }
  /// The longest conversions of a pressure by osr_p, and of one temperature, seconds.
  static var pressureSeconds: [Double] {
    [0.001_05, 0.001_785, 0.003_045, 0.005_67, 0.010_92, 0.021_42, 0.042_42, 0.084_42]
  }
  static var temperatureSeconds: Double { 0.001_05 }
  /// The time of a reset, nanoseconds.
  static var resetNanoseconds: UInt64 { 2_000_000 }
  /// The word of a value that was not measured, also after a reset.
  static var notMeasured: Int { 0x7F7F7F }

  /// The part number.
  public var model: ChipModel { link.model }
  /// The chip's address, 0x46 or 0x47.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of a conversion of temperature and pressure.
  public let latencySeconds: Double

  private let link: ChipLink<Bus>
  private let identity: UInt8
  private let table: [RegisterSetting]
  private var isStarted = false

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, model: ChipModel, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: model)
    identity = model == .bmp585 ? 0x51 : 0x50
    let rate = settings.rate(among: Self.rates, default: 25) { $0.hertz }
    rateHertz = rate.hertz
    latencySeconds =
      0.5 * (Self.temperatureSeconds + Self.pressureSeconds[Int(rate.oversampling)])
    table = [
      // No filter: the fusion has its own.
      RegisterSetting(Register.filter.rawValue, 0x00, kept: 0x3F),
      // press_en; osr_t 000: one measurement of the temperature.
      RegisterSetting(
        Register.oversampling.rawValue, 0x40 | rate.oversampling << 3, kept: 0x7F),
      // drdy: the status shows new data.
      RegisterSetting(Register.interruptSource.rawValue, 0x01, kept: 0x0F),
      // Latched, active high, push-pull, and int_en where the pin is wired; its strength as after
      // power-on.
      RegisterSetting(
        Register.interruptConfiguration.rawValue, settings.drivesDataReadyLine ? 0x3B : 0x33,
        kept: 0x0F),
      // deep_dis, mode 01: normal; last.
      RegisterSetting(Register.rate.rawValue, 0x80 | rate.bits << 2 | 0x01),
    ]
  }

  /// Identity, reset, state of the factory's memory, configuration.
  public mutating func start() throws(ChipError) {
    isStarted = false
    try link.identify(Register.identity.rawValue, as: identity)
    // The one word that resets.
    try link.write(0xB6, to: Register.command.rawValue)
    link.bus.wait(nanoseconds: Self.resetNanoseconds)
    // por; reading clears it.
    guard try link.read(Register.interruptStatus.rawValue) & 0x10 != 0 else {
      throw link.error(.unfinished("its reset"))
    }
    // nvm_rdy without nvm_err.
    guard try link.read(Register.status.rawValue) & 0x06 == 0x02 else {
      throw link.error(.badFactoryData("the chip reports an error of its memory"))
    }
    try link.apply(table)
    isStarted = true
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The conversion that ended since the last call.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    guard isStarted else { return nil }
    // Reading the status clears it, so it comes first, in its own transfer: data that change
    // between the two are newer than the flag. drdy; por is set after a loss of power.
    let status = try link.readSample(Register.interruptStatus.rawValue, count: 1)[0]
    guard status & 0x11 == 0x01 else { return nil }
    let bytes = try link.readSample(Register.data.rawValue, count: 6)
    guard let reading = Self.decode(bytes, at: 0) else { return nil }
    return try link.measurable(reading, within: Self.measurable)
  }

  /// The sample that six bytes from the temperature's lowest on stand for; nil where no pressure
  /// was measured.
  public static func decode(_ bytes: RegisterBytes, at index: Int) -> PressureReading? {
    let pressure = bytes.littleEndian24(at: index + 3) & 0xFF_FFFF
    guard pressure != notMeasured else { return nil }
    return PressureReading(
      // 64 parts of a pascal, 100 pascals; 65,536 parts of a degree, signed.
      hectopascal: Double(pressure) / 6400,
      celsius: Double(bytes.littleEndian24(at: index)) / 65_536)
  }
}
