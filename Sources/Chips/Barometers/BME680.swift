import Quantities

extension ChipModel {
  /// The BME680 and BME688, whose barometers are alike; of each the pressure and its temperature.
  public static let bme680 = ChipModel(
    "BME680", .pressure, at: [0x76, 0x77], Identity(0xD0, 0x61, "BME680 or BME688"))
}

/// How much a BME680 averages for one sample.
struct BME680Oversampling: Equatable, Sendable {
  /// osrs_t and osrs_p as they stand in ctrl_meas.
  let bits: UInt8
  /// The number of cycles of the converter.
  let cycles: UInt64

  /// Pressure 16 with temperature 2, else with 1.
  static var all: [BME680Oversampling] {
    [
      BME680Oversampling(bits: 0x54, cycles: 18), BME680Oversampling(bits: 0x30, cycles: 9),
      BME680Oversampling(bits: 0x2C, cycles: 5), BME680Oversampling(bits: 0x28, cycles: 3),
      BME680Oversampling(bits: 0x24, cycles: 2),
    ]
  }

  /// A cycle of 1963 µs, nine changes of 477 µs, and a millisecond to wake up
  /// (`bme68x_get_meas_dur`).
  var nanoseconds: UInt64 { 1000 * (1963 * cycles + 9 * 477 + 1000) }

  /// The share of a period that a measurement may take; the rest is the delay of a caller that
  /// polls five times a period.
  static var share: Double { 0.8 }

  /// The greatest rate that this can be done at, hertz.
  var greatestHertz: Double { Self.share / (Double(nanoseconds) * 1e-9) }
}

/// Bosch's BME680 and BME688 as barometers: 300 to 1100 hPa, each sample measured on demand.
/// Humidity and gas are left out, and its heater stays off, which would warm the thermometer.
///
/// - Source: Bosch BME68x_SensorAPI bme68x.c, Linux drivers/iio/chemical/bme680_core.c and
///   bme680.h: registers, coefficients, formulas, times.
public struct BME680<Bus: RegisterBus>: Barometer, MeasuresOnDemand {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case status = 0x1D, heater = 0x70, gas, humidity, control = 0x74, configuration
    case coefficients = 0x8A, identity = 0xD0, reset = 0xE0, temperatureCoefficient = 0xE9
  }

  /// What is delivered, hectopascal. The sheet's range is 300 to 1100; below it see `ThinAir`.
  public static var measurable: ClosedRange<Double> { ThinAir.hectopascal...1100 }
  /// The default rate, hertz.
  static var usualHertz: Double { 25 }
  /// The time from a reset to the first transfer, nanoseconds (`BME68X_PERIOD_RESET`).
  static var startUpNanoseconds: UInt64 { 10_000_000 }
  /// The word of a value that was not measured.
  static var notMeasured: Int { 0x80000 }

  /// The part number.
  public var model: ChipModel { .bme680 }
  /// The chip's address, 0x76 or 0x77.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a measurement.
  public var latencySeconds: Double { 0.5e-9 * Double(oversampling.nanoseconds) }

  let link: ChipLink<Bus>
  private let oversampling: BME680Oversampling
  private let table: [RegisterSetting]
  var demand: Demand
  private var calibration: BME680Calibration?

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .bme680)
    let wanted = 1 / Pace(hertz: settings.rateHertz ?? Self.usualHertz).seconds
    let all = BME680Oversampling.all
    oversampling = all.first { $0.greatestHertz >= wanted } ?? all[all.count - 1]
    rateHertz = min(wanted, oversampling.greatestHertz)
    demand = Demand(hertz: rateHertz, nanoseconds: oversampling.nanoseconds)
    table = [
      // heat_off; run_gas of either part clear; no humidity; no filter.
      RegisterSetting(Register.heater.rawValue, 0x08, kept: 0x08),
      RegisterSetting(Register.gas.rawValue, 0x00, kept: 0x30),
      RegisterSetting(Register.humidity.rawValue, 0x00, kept: 0x07),
      RegisterSetting(Register.configuration.rawValue, 0x00, kept: 0x1C),
      // Mode 00, sleep; the chip ends each measurement with it.
      RegisterSetting(Register.control.rawValue, oversampling.bits, kept: 0xFC),
    ]
  }

  /// Identity, reset, factory coefficients, configuration.
  public mutating func start() throws(ChipError) {
    demand.reset()
    calibration = nil
    try link.identify(Register.identity.rawValue, as: 0x61)
    try link.write(0xB6, to: Register.reset.rawValue)
    link.bus.wait(nanoseconds: Self.startUpNanoseconds)
    let bytes = try link.readSample(
      Register.coefficients.rawValue, count: BME680Calibration.count)
    if bytes.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    let coefficients = BME680Calibration(
      bytes, t1: try link.readSample(Register.temperatureCoefficient.rawValue, count: 2))
    if let fault = coefficients.fault { throw link.error(.badFactoryData(fault)) }
    try link.apply(table)
    calibration = coefficients
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The measurement that ended since the last call; begins the next one when it is due.
  /// - Throws: `configurationRefused` after a loss of power.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    guard let calibration, let bytes = try measured(),
      let reading = Self.decode(bytes, at: 2, calibration)
    else { return nil }
    return try link.measurable(reading, within: Self.measurable)
  }

  func finished() throws(ChipError) -> RegisterBytes? {
    // Status, index, pressure and temperature in one transfer, then the configuration: a loss of
    // power before it shows. Each command sets ctrl_meas anew, but not what turns the heater off.
    let bytes = try link.readSample(Register.status.rawValue, count: 8)
    let first = Register.heater.rawValue
    let settings = try link.readSample(first, count: 6)
    for setting in table { try link.check(setting, found: settings[Int(setting.register - first)]) }
    // new_data, not measuring, and the mode back at sleep.
    let control = settings[Int(Register.control.rawValue - first)]
    return bytes[0] & 0xA0 == 0x80 && control & 0x03 == 0 ? bytes : nil
  }

  /// Mode 01, forced: one measurement.
  func begin() throws(ChipError) {
    try link.write(oversampling.bits | 0x01, to: Register.control.rawValue)
  }

  /// The sample that six bytes from 0x1F on stand for; nil where no pressure was measured.
  package static func decode(
    _ bytes: RegisterBytes, at index: Int, _ calibration: BME680Calibration
  ) -> PressureReading? {
    let pressure = (bytes.bigEndian24(at: index) & 0xFF_FFFF) >> 4
    let temperature = (bytes.bigEndian24(at: index + 3) & 0xFF_FFFF) >> 4
    guard pressure != notMeasured else { return nil }
    let fine = calibration.fineTemperature(raw: Double(temperature))
    return PressureReading(
      hectopascal: calibration.pressure(raw: Double(pressure), fine: fine) / 100,
      celsius: fine / 5120)
  }
}
