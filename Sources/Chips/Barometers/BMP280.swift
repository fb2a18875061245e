import Quantities

extension ChipModel {
  /// The BMP280; engineering samples have identities of their own.
  public static let bmp280 = ChipModel(
    "BMP280", .pressure, at: [0x76, 0x77], Identity(0xD0, 0x58),
    Identity(0xD0, 0x56, "BMP280 (sample)"), Identity(0xD0, 0x57, "BMP280 (sample)")
  )
  // Source: BST-BMP280-DS001, SPI: bit 7 of the register's number is RW.
  .over(SPIFraming(fastestHertz: 10_000_000))
  /// The BME280.
  public static let bme280 = ChipModel("BME280", .pressure, at: [0x76, 0x77], Identity(0xD0, 0x60))
    // Source: BST-BME280-DS002, SPI: the same.
    .over(SPIFraming(fastestHertz: 10_000_000))
}

/// Bosch's barometers BMP280 and BME280: 300 to 1100 hPa. Each sample is measured on demand, so
/// that none is read twice and any rate is possible.
///
/// Poll several times a period: a measurement is read at the next poll, and is older by the wait.
///
/// - Source: Bosch BST-BMP280-DS001-23 revision 1.23: table 7 (filter settings), section 3.6.2
///   (forced mode), table 18 (registers), tables 19 to 25; BST-BME280-DS002-15 revision 1.6: table
///   18.
public struct BMP280<Bus: RegisterBus>: Barometer, MeasuresOnDemand {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case calibration = 0x88, identity = 0xD0, reset = 0xE0
    case status = 0xF3, control, configuration, pressure = 0xF7
  }

  /// What is delivered, hectopascal. The sheet's range is 300 to 1100; below it see `ThinAir`.
  public static var measurable: ClosedRange<Double> { ThinAir.hectopascal...1100 }
  /// The default rate, hertz.
  static var usualHertz: Double { 25 }
  /// Longest time from a reset to the first transfer, nanoseconds (start-up time; Bosch's own
  /// bme280_soft_reset waits as long).
  static var startUpNanoseconds: UInt64 { 2_000_000 }
  /// The word of a pressure that was not measured, also after a reset.
  static var notMeasured: Int32 { 0x80000 }

  /// The part number.
  public var model: ChipModel { link.model }
  /// The chip's address, 0x76 or 0x77.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a measurement, and what the filter adds: its memory is as old as all samples in it
  /// together.
  public var latencySeconds: Double {
    0.5e-9 * Double(oversampling.nanoseconds) + (filter.coefficient - 1) / rateHertz
  }

  let link: ChipLink<Bus>
  private let variant: BMP280Variant
  private let oversampling: BMP280Oversampling
  private let filter: BMP280Filter
  private let table: [RegisterSetting]
  var demand: Demand
  private var calibration: BMP280Calibration?

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, variant: BMP280Variant, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: variant.model)
    self.variant = variant
    let wanted = 1 / Pace(hertz: settings.rateHertz ?? Self.usualHertz).seconds
    oversampling = BMP280Oversampling.best(forHertz: wanted)
    rateHertz = min(wanted, oversampling.greatestHertz)
    demand = Demand(hertz: rateHertz, nanoseconds: oversampling.nanoseconds)
    filter = BMP280Filter.strongest(atHertz: rateHertz)
    table =
      variant.settings + [
        // t_sb does nothing in forced mode. It is set so that this register is never zero, as it is
        // after a loss of power.
        RegisterSetting(Register.configuration.rawValue, 0xA0 | filter.bits << 2, kept: 0xFD),
        // Mode 00, sleep; the mode is the chip's own, because it ends each measurement with it.
        RegisterSetting(Register.control.rawValue, oversampling.bits, kept: 0xFC),
      ]
  }

  /// Identity, reset, factory coefficients, configuration.
  public mutating func start() throws(ChipError) {
    demand.reset()
    calibration = nil
    let found = try link.read(Register.identity.rawValue)
    if !variant.sampleIdentities.contains(found) {
      try link.identify(Register.identity.rawValue, as: variant.identity)
    }
    // The one word that resets, as switching off and on does.
    try link.write(0xB6, to: Register.reset.rawValue)
    link.bus.wait(nanoseconds: Self.startUpNanoseconds)
    // im_update: the coefficients are still being copied to their registers.
    if try link.read(Register.status.rawValue) & 0x01 != 0 {
      link.bus.wait(nanoseconds: Self.startUpNanoseconds)
      if try link.read(Register.status.rawValue) & 0x01 != 0 {
        throw link.error(.unfinished("its reset"))
      }
    }
    let bytes = try link.readSample(
      Register.calibration.rawValue, count: BMP280Calibration.count)
    if bytes.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    let coefficients = BMP280Calibration(bytes)
    if let fault = coefficients.fault { throw link.error(.badFactoryData(fault)) }
    try link.apply(table)
    calibration = coefficients
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The measurement that ended since the last call; begins the next one when it is due.
  /// - Throws: `configurationRefused` after a loss of power, which the transfer with the sample
  ///   shows.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    guard let calibration, let bytes = try measured(),
      let reading = Self.decode(bytes, at: 4, calibration)
    else { return nil }
    return try link.measurable(reading, within: Self.measurable)
  }

  func finished() throws(ChipError) -> RegisterBytes? {
    // Status, ctrl_meas, config, a reserved one, pressure and temperature: one transfer.
    let bytes = try link.readSample(Register.status.rawValue, count: 10)
    if bytes.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    for setting in table {
      switch setting.register {
      case Register.control.rawValue: try link.check(setting, found: bytes[1])
      case Register.configuration.rawValue: try link.check(setting, found: bytes[2])
      default: continue
      }
    }
    // measuring and im_update clear, and the mode back at sleep.
    return bytes[0] & 0x09 == 0 && bytes[1] & 0x03 == 0 ? bytes : nil
  }

  /// Mode 01, forced: one measurement.
  func begin() throws(ChipError) {
    try link.write(oversampling.bits | 0x01, to: Register.control.rawValue)
  }

  /// The sample that six bytes from 0xF7 on stand for; nil where no pressure was measured.
  ///
  /// A temperature word of 0x80000 beside a measured pressure is a temperature, about 26 °C: its
  /// oversampling was read as switched on in the same transfer.
  package static func decode(
    _ bytes: RegisterBytes, at index: Int, _ calibration: BMP280Calibration
  ) -> PressureReading? {
    let pressure = word(bytes, at: index)
    guard pressure != notMeasured else { return nil }
    let fine = calibration.fineTemperature(raw: word(bytes, at: index + 3))
    guard let result = calibration.pressure(raw: pressure, fine: fine) else { return nil }
    return PressureReading(
      // 256 parts of a pascal, 100 pascals.
      hectopascal: Double(result) / 25_600,
      celsius: Double(calibration.temperature(fine: fine)) / 100)
  }

  /// Twenty bits, the highest first, left-aligned in three bytes.
  private static func word(_ bytes: RegisterBytes, at index: Int) -> Int32 {
    Int32(bytes[index]) << 12 | Int32(bytes[index + 1]) << 4 | Int32(bytes[index + 2]) >> 4
  }
}
