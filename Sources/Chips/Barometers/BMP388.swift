import Quantities

extension ChipModel {
  /// The BMP388 and its sister BMP384.
  public static let bmp388 = ChipModel(
    "BMP388", .pressure, at: [0x77, 0x76], Identity(0x00, 0x50, "BMP388 or BMP384")
  )
  // Source: BST-BMP388-DS001, SPI read: one dummy byte.
  .over(SPIFraming(fastestHertz: 10_000_000, dummyBytes: 1))
  /// The BMP390, with the same registers and formulas.
  public static let bmp390 = ChipModel("BMP390", .pressure, at: [0x77, 0x76], Identity(0x00, 0x60))
    // Source: BST-BMP390-DS002, SPI read: one dummy byte.
    .over(SPIFraming(fastestHertz: 10_000_000, dummyBytes: 1))
}

/// Bosch's barometers BMP388 and BMP390: 300 to 1250 hPa, up to 200 Hz, with the factory's trim.
///
/// - Source: Bosch BMP388 data sheet BST-BMP388-DS001 and BMP390 data sheet BST-BMP390-DS002:
///   memory map (0x00 to 0x1F, 0x31 to 0x45, 0x7E), section 3.9.2 (time of a conversion), section 9
///   (compensation). Registers, bits, trim and formulas were read from Linux
///   drivers/iio/pressure/bmp280.h and bmp280-core.c (bmp380), which serves both chips, and
///   compared with the data sheet's formula in floating point, which the emulated chip uses.
public struct BMP388<Bus: RegisterBus>: Barometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case identity = 0x00, status = 0x03, data, interruptControl = 0x19, power = 0x1B
    case oversampling, rate, filter = 0x1F, calibration = 0x31, command = 0x7E
  }

  /// What is delivered, hectopascal. The sheet's range is 300 to 1250; below it see `ThinAir`.
  public static var measurable: ClosedRange<Double> { ThinAir.hectopascal...1250 }
  /// Rates with their bits odr_sel and the largest oversampling of the pressure that they leave
  /// time for (osr_p: 2 to this power), hertz.
  static var rates: [(hertz: Double, bits: UInt8, oversampling: UInt8)] {
    [
      (1.5625, 0x07, 5), (3.125, 0x06, 5), (6.25, 0x05, 5), (12.5, 0x04, 5), (25, 0x03, 4),
      (50, 0x02, 3), (100, 0x01, 1), (200, 0x00, 0),
    ]
  }
  /// The time after a reset, nanoseconds.
  static var startUpNanoseconds: UInt64 { 10_000_000 }

  /// The part number.
  public let model: ChipModel
  /// The chip's address, 0x76 or 0x77.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of a conversion: 234 µs, 392 µs and 2020 µs for each pressure, 163 µs and 2020 µs for the
  /// temperature.
  public let latencySeconds: Double

  private let link: ChipLink<Bus>
  private let identity: UInt8
  private let table: [RegisterSetting]
  private var calibration: BMP388Calibration?
  /// Set after an interrupted transfer: the ready bit may be gone, the data old.
  private var isCertain = true

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, model: ChipModel, settings: ChipSettings) {
    self.model = model
    link = ChipLink(bus: bus, address: address, model: model)
    identity = model == .bmp390 ? 0x60 : 0x50
    let rate = settings.rate(among: Self.rates, default: 25) { $0.hertz }
    rateHertz = rate.hertz
    let conversions = 2020 * Double(1 << rate.oversampling) + 2020
    latencySeconds = 0.5e-6 * (234 + 392 + 163 + conversions)
    table = [
      // osr_t 000: one measurement of the temperature, as the sheet recommends up to x16.
      RegisterSetting(Register.oversampling.rawValue, rate.oversampling, kept: 0x3F),
      RegisterSetting(Register.rate.rawValue, rate.bits, kept: 0x1F),
      // No filter: the fusion has its own.
      RegisterSetting(Register.filter.rawValue, 0x00, kept: 0x0E),
      // drdy_en, level: active high, push-pull, where the pin is wired.
      RegisterSetting(
        Register.interruptControl.rawValue, settings.drivesDataReadyLine ? 0x42 : 0x02, kept: 0x47),
      // press_en, temp_en, mode 11: normal; last.
      RegisterSetting(Register.power.rawValue, 0x33, kept: 0x33),
    ]
  }

  /// Identity, reset, factory coefficients, configuration.
  public mutating func start() throws(ChipError) {
    calibration = nil
    isCertain = true
    try link.identify(Register.identity.rawValue, as: identity)
    // The one word that resets.
    try link.write(0xB6, to: Register.command.rawValue)
    link.bus.wait(nanoseconds: Self.startUpNanoseconds)
    let bytes = try link.readSample(
      Register.calibration.rawValue, count: BMP388Calibration.count)
    if bytes.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    let coefficients = BMP388Calibration(bytes)
    if let fault = coefficients.fault { throw link.error(.badFactoryData(fault)) }
    try link.apply(table)
    calibration = coefficients
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The conversion that ended since the last call.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    guard let calibration else { return nil }
    let wasCertain = isCertain
    isCertain = false
    let bytes = try link.readSample(Register.status.rawValue, count: 7)
    // drdy_press and drdy_temp, which reading clears.
    guard bytes[0] & 0x60 == 0x60 else {
      isCertain = true
      return nil
    }
    // Not in one transfer: the register number stops at the FIFO's between them.
    let first = Register.interruptControl.rawValue
    let setUp = try link.readSample(first, count: Int(Register.filter.rawValue - first) + 1)
    isCertain = true
    guard wasCertain else { return nil }
    for setting in table where !setting.matches(setUp[Int(setting.register - first)]) {
      return nil
    }
    return try link.measurable(Self.decode(bytes, at: 1, calibration), within: Self.measurable)
  }

  /// The sample that six bytes from the pressure's lowest on stand for.
  package static func decode(
    _ bytes: RegisterBytes, at index: Int, _ calibration: BMP388Calibration
  ) -> PressureReading {
    let pressure = bytes.littleEndian24(at: index) & 0xFF_FFFF
    let temperature = bytes.littleEndian24(at: index + 3) & 0xFF_FFFF
    let fine = calibration.fineTemperature(raw: Int64(temperature))
    return PressureReading(
      // Hundredths of a pascal, 100 pascals.
      hectopascal: Double(calibration.pressure(raw: Int64(pressure), fine: fine)) / 10_000,
      celsius: Double(calibration.temperature(fine: fine)) / 100)
  }
}
