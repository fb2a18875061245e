import Quantities

extension ChipModel {
  /// The DPS310. An SPL06-001 has the same identity, but not the register that names the
  /// thermometer: it is a model of its own.
  public static let dps310 = ChipModel(
    "DPS310", .pressure, at: [0x77, 0x76], Identity(0x0D, 0x10, "DPS310 or SPL06-001")
  ).over(spi)

  /// The SPL06-001 and SPL06-007. A scan takes them for a DPS310, whose identity they have.
  public static let spl06 = ChipModel(
    "SPL06-001", .pressure, at: [0x77, 0x76], Identity(0x0D, 0x10, "DPS310 or SPL06-001")
  ).over(spi)

  /// The SPL07-003 and SPA06-003.
  public static let spl07 = ChipModel(
    "SPL07-003", .pressure, at: [0x77, 0x76], Identity(0x0D, 0x11, "SPL07-003 or SPA06-003")
  ).over(spi)

  // Source: DPS310 data sheet, "SPI Interface" (mode 3, four wires unless SPI_MODE of CFG_REG is
  // set); 10 MHz in Betaflight's barometer_dps310.c. ArduPilot's AP_Baro_SPL06.cpp: the first
  // transfer after a start may only switch the chip to SPI.
  private static var spi: SPIFraming {
    SPIFraming(fastestHertz: 10_000_000, wakingRead: 0x0D, reset: RegisterSetting(0x0C, 0x09))
  }
}

/// Infineon's barometer DPS310 and Goertek's SPL06-001 and SPL07-003: 300 to 1200 hPa, up to 128
/// Hz, with the factory's coefficients. The chip measures pressure and, more seldom, temperature by
/// itself.
///
/// The coefficients belong to one of its two thermometers. A DPS310 says to which (register 0x28).
/// An SPL06-001, which has the same identity, does not, and reads 0 there: read as a DPS310 its
/// temperature is tens of degrees off, and its pressure with it. It has to be named in the board
/// file.
///
/// Some DPS310 read temperatures near 60 °C at 20 °C. Infineon's own library and the kernel's
/// driver correct that by a sequence of writes to registers that no sheet documents; like the
/// kernel's driver, this one does so where a bit shows that it is needed, and never to a chip of
/// Goertek.
///
/// - Source: Infineon DPS310 data sheet version 1.2: sections 4.9.1 and 4.9.2 (formulas), the
///   tables of scale factors and of PRS_CFG (time of a measurement by precision), "Register Map";
///   Goertek SPL06-001 data sheet: the same registers, scale factors and formulas. Linux
///   drivers/iio/pressure/dps310.c for registers, bits, coefficients and the sequence (its
///   PRS_SHIFT_EN, bit 4 of CFG_REG, is the sheet's INT_PRS; P_SHIFT is bit 2); ArduPilot's
///   AP_Baro_DPS280 and Infineon's DPS310-Pressure-Sensor for the source of the temperature.
public struct DPS310<Bus: RegisterBus>: Barometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case pressure = 0x00, pressureConfiguration = 0x06, temperatureConfiguration
    case measurement, configuration, reset = 0x0C, identity, unlock, unlockSecond
    case coefficients = 0x10, coefficientSource = 0x28, temperatureState = 0x32
    case temperatureFix = 0x62
  }

  /// What is delivered, hectopascal. The sheet's range is 300 to 1200; below it see `ThinAir`.
  public static var measurable: ClosedRange<Double> { ThinAir.hectopascal...1200 }
  /// The time of a measurement by the logarithm of the number of measurements in it, seconds.
  static var seconds: [Double] {
    [0.0036, 0.0052, 0.0084, 0.0148, 0.0276, 0.0532, 0.1044, 0.2068]
  }
  /// The share of time that measurements may take; together they have to stay below 1.
  static var share: Double { 0.95 }
  /// The logarithm of the ratio of the rates of pressure and temperature. A chip warms up by about
  /// a tenth of a degree a second, and a pressure's temperature is a quarter of a second old at
  /// most at the default rate.
  static var temperatureDivider: Int { 3 }
  /// The longest time from a reset until the coefficients can be read, nanoseconds.
  static var startUpNanoseconds: UInt64 { 40_000_000 }

  /// The part number.
  public var model: ChipModel { link.model }
  /// The chip's address, 0x76 or 0x77.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of a measurement of the pressure.
  public var latencySeconds: Double { 0.5 * Self.seconds[precision] }

  private let link: ChipLink<Bus>
  private let variant: DPS310Variant
  /// Logarithms of the rates of pressure and temperature, hertz.
  private let rates: (pressure: Int, temperature: Int)
  /// The logarithm of the number of measurements in a pressure.
  private let precision: Int
  private let drivesLine: Bool
  private var table: [RegisterSetting] = []
  private var hasNoSource = false
  private var calibration: DPS310Calibration?

  /// Makes a driver; nothing is transferred before `start`.
  public init(
    bus: Bus, address: UInt8, variant: DPS310Variant = .dps310, settings: ChipSettings
  ) {
    link = ChipLink(bus: bus, address: address, model: variant.model)
    self.variant = variant
    let wanted = settings.rateHertz ?? 25
    let rate = (0...7).first { Double(1 << $0) >= wanted } ?? 7
    rateHertz = Double(1 << rate)
    rates = (rate, max(rate - Self.temperatureDivider, 0))
    let left = Self.share - Self.seconds[0] * Double(1 << rates.temperature)
    let hertz = rateHertz
    precision = Self.seconds.lastIndex { $0 * hertz <= left } ?? 0
    drivesLine = settings.drivesDataReadyLine
  }

  /// Identity, reset, factory coefficients, a first temperature, configuration.
  public mutating func start() throws(ChipError) {
    calibration = nil
    try link.identify(Register.identity.rawValue, as: variant.identity)
    // The one word that resets.
    try link.write(0x09, to: Register.reset.rawValue)
    link.bus.wait(nanoseconds: Self.startUpNanoseconds)
    // COEF_RDY and SENSOR_RDY.
    guard try link.read(Register.measurement.rawValue) & 0xC0 == 0xC0 else {
      throw link.error(.unfinished("its reset"))
    }
    let bytes = try link.readSample(
      Register.coefficients.rawValue, count: variant.coefficientBytes)
    if bytes.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    let coefficients = DPS310Calibration(bytes)
    if let fault = coefficients.fault { throw link.error(.badFactoryData(fault)) }
    // The thermometer that the coefficients were made with, as in TMP_CFG.
    let thermometer =
      switch variant.thermometer {
      case .named: try namedThermometer()
      case .always(let bit): bit
      }
    // What names no thermometer of the pressure element may be an SPL06-001, which gets no
    // undocumented writes.
    if variant.hasFuse, thermometer != 0,
      try link.read(Register.temperatureState.rawValue) & 0x02 == 0
    {
      try fixTemperature()
    }
    try measureTemperature(thermometer)
    table = [
      RegisterSetting(
        Register.pressureConfiguration.rawValue, UInt8(rates.pressure << 4 | precision),
        kept: variant.keptPressureSettings),
      // One measurement of the temperature.
      RegisterSetting(
        Register.temperatureConfiguration.rawValue, thermometer | UInt8(rates.temperature << 4),
        kept: variant.keptTemperatureSettings),
      // P_SHIFT, needed above eight measurements; INT_HL and INT_PRS where the pin is wired.
      RegisterSetting(
        Register.configuration.rawValue, (precision > 3 ? 0x04 : 0) | (drivesLine ? 0x90 : 0)),
      // MEAS_CTRL 111: both, continuously; last.
      RegisterSetting(Register.measurement.rawValue, 0x07, kept: variant.keptMeasurement),
    ]
    try link.apply(table)
    calibration = coefficients
  }

  /// The bit of COEF_SRCE. A register that is all zero is that of an SPL06-001, which has none.
  private mutating func namedThermometer() throws(ChipError) -> UInt8 {
    let source = try link.read(Register.coefficientSource.rawValue)
    hasNoSource = source == 0
    return source & 0x80
  }

  /// The warning that the chip does not report which thermometer its coefficients belong to, as an
  /// SPL06-001.
  public var doubt: String? {
    guard hasNoSource else { return nil }
    return
      "register 0x28 is 0, as in an SPL06-001, which answers alike and needs its other thermometer; where its temperature is wrong "
      + "by tens of degrees, name SPL06-001 in the board file"
  }

  private func fixTemperature() throws(ChipError) {
    try link.write(0xA5, to: Register.unlock.rawValue)
    try link.write(0x96, to: Register.unlockSecond.rawValue)
    try link.write(0x02, to: Register.temperatureFix.rawValue)
    try link.write(0x00, to: Register.unlock.rawValue)
    try link.write(0x00, to: Register.unlockSecond.rawValue)
  }

  /// Measures the temperature once, so that the first pressure has one.
  private func measureTemperature(_ thermometer: UInt8) throws(ChipError) {
    try link.write(thermometer, to: Register.temperatureConfiguration.rawValue)
    // MEAS_CTRL 010.
    try link.write(0x02, to: Register.measurement.rawValue)
    link.bus.wait(nanoseconds: 2 * UInt64(bounded: 1e9 * Self.seconds[0]))
    // TMP_RDY.
    guard try link.read(Register.measurement.rawValue) & 0x20 != 0 else {
      throw link.error(.unfinished("a measurement of the temperature"))
    }
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard calibration != nil else { return false }
    return try link.holds(table)
  }

  /// The pressure whose measurement ended since the last call.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    guard let calibration else { return nil }
    // The flags stand behind the data, and reading the data clears them: they come first, in a
    // transfer of their own.
    let flags = try link.readSample(Register.measurement.rawValue, count: 1)[0]
    // PRS_RDY.
    guard flags & 0x10 != 0 else { return nil }
    // Pressure, temperature, the configuration, and the interrupt status, which reading clears.
    let bytes = try link.readSample(Register.pressure.rawValue, count: 11)
    for setting in table where !setting.matches(bytes[Int(setting.register)]) { return nil }
    return try link.measurable(
      Self.decode(bytes, at: 0, calibration, precision: precision), within: Self.measurable)
  }

  /// The sample that six bytes from the pressure's highest on stand for.
  /// - Parameters:
  ///   - bytes: Registers.
  ///   - index: The place of PRS_B2 among them.
  ///   - calibration: The chip's coefficients.
  ///   - precision: The logarithm of the number of measurements in the pressure; the temperature
  ///     has one.
  /// - Returns: The sample.
  package static func decode(
    _ bytes: RegisterBytes, at index: Int, _ calibration: DPS310Calibration, precision: Int
  ) -> PressureReading {
    let factors = DPS310Calibration.scaleFactors
    let temperature = Double(bytes.bigEndian24(at: index + 3)) / factors[0]
    let pascal = calibration.pressure(
      scaled: Double(bytes.bigEndian24(at: index)) / factors[precision], temperature: temperature)
    return PressureReading(
      hectopascal: pascal / 100, celsius: calibration.temperature(scaled: temperature))
  }
}
