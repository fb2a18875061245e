import Quantities

extension ChipModel {
  /// The MS5611, which has no identity: see `RecognisedChip`.
  public static let ms5611 = ChipModel("MS5611", .pressure, at: [0x77, 0x76])
    // Source: MS5611-01BA03 data sheet, SPI: commands.
    .over(SPIFraming(fastestHertz: 20_000_000, isCommand: true))
}

/// TE's (Measurement Specialties') barometer MS5611: 10 to 1200 hPa, best at low pressures. It has no
/// registers, only commands, a PROM and a converter that clears a result once it is read.
///
/// The only sign of a power loss is a lost conversion. So a conversion is always active or waiting: after
/// each pressure its temperature, until the next pressure is due. If the caller polls only once a period,
/// an old temperature is converted in place of a pressure, and that sample is missing.
///
/// Poll several times a period: a conversion is read at the next poll, and is older by the wait.
///
/// - Source: TE Connectivity MS5611-01BA03 data sheet: commands, reset, PROM read and conversion sequences
///   (a read that comes too early or twice gives 0 and spoils what is under way; read here in the same
///   maker's MS5837 sheet of 10/2015 and MS5607 sheet of 09/2015, which word it alike); Linux
///   drivers/iio/pressure/ms5611_core.c and ms5611_i2c.c for commands, times and formulas.
public struct MS5611<Bus: RegisterBus>: Barometer, RecognisedChip {
  /// The commands in use.
  public enum Command: UInt8, Sendable {
    case readConversion = 0x00, reset = 0x1E, readPROM = 0xA0
  }

  /// The chip's range, hectopascal.
  public static var measurable: ClosedRange<Double> { 10...1200 }
  /// The default rate, hertz.
  static var usualHertz: Double { 25 }
  /// The time in which the chip reloads its PROM after a reset, nanoseconds.
  static var resetNanoseconds: UInt64 { 2_800_000 }
  /// The oldest temperature that a pressure is compensated with, seconds. A degree is 2 to 5 hPa, and a
  /// board that warms up does about a tenth of a degree a second.
  static var temperatureSeconds: Double { 0.5 }
  /// The same in periods, for slow rates.
  static var temperaturePeriods: Double { 4 }

  /// The part number.
  public var model: ChipModel { .ms5611 }
  /// The chip's address, 0x77 or 0x76.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of a pressure's conversion.
  public var latencySeconds: Double { 0.5e-9 * Double(oversampling.nanoseconds) }

  private let link: ChipLink<Bus>
  private let oversampling: MS5611Oversampling
  private var pace: Pace
  private var calibration: MS5611Calibration?
  private var underWay: MS5611Conversion?
  private var temperature: (raw: UInt32, begun: Timestamp)?
  /// A pressure that was read but not yet delivered.
  private var pressure: UInt32?
  /// True if a conversion was lost: the chip was without power.
  private var isLost = false

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .ms5611)
    let wanted = 1 / Pace(hertz: settings.rateHertz ?? Self.usualHertz).seconds
    oversampling = MS5611Oversampling.best(forHertz: wanted)
    rateHertz = min(wanted, oversampling.greatestHertz)
    pace = Pace(hertz: rateHertz)
  }

  /// Reset and the PROM with its check, the only sign that this chip gives of itself. An MS5607 gives
  /// the same and reads wrong.
  public mutating func start() throws(ChipError) {
    calibration = nil
    underWay = nil
    temperature = nil
    pressure = nil
    pace.reset()
    try link.command(Command.reset.rawValue)
    link.bus.wait(nanoseconds: Self.resetNanoseconds)
    calibration = try readCalibration()
    isLost = false
  }

  /// Checks the PROM; only reads.
  public func recognise() throws(ChipError) { _ = try readCalibration() }

  /// Reads the PROM and checks it.
  private func readCalibration() throws(ChipError) -> MS5611Calibration {
    var words = SIMD8<UInt16>()
    for index in 0..<8 { words[index] = try promWord(index) }
    if words == SIMD8(repeating: 0x0000) { throw link.error(.constantBytes(0x00)) }
    if words == SIMD8(repeating: 0xFFFF) { throw link.error(.constantBytes(0xFF)) }
    let coefficients = MS5611Calibration(words)
    if let fault = coefficients.fault { throw link.error(.badFactoryData(fault)) }
    return coefficients
  }

  /// Whether no conversion was lost and a part of the PROM is unchanged. During a conversion the PROM is not
  /// read, which may disturb it; the conversion itself shows a power loss.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard let calibration, !isLost else { return false }
    if let underWay {
      guard isFinished(underWay) else { return true }
      try collect()
      guard !isLost else { return false }
    }
    // A coefficient, and the word with the check.
    for index in [1, 7] where try promWord(index) != calibration[index] {
      isLost = true
      return false
    }
    try beginNext()
    return true
  }

  /// The pressure whose conversion ended since the last call; begins the next conversion.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    guard let calibration, !isLost else { return nil }
    if let underWay, pressure == nil {
      guard isFinished(underWay) else { return nil }
      // A temperature stays in the chip until its pressure is due: it is lost in a power loss.
      if underWay.kind == .temperature, !pace.isDue(at: link.bus.now) { return nil }
      try collect()
      guard !isLost else { return nil }
    }
    if underWay == nil { try beginNext() }
    guard let pressure, let temperature else { return nil }
    self.pressure = nil
    let result = calibration.compensated(pressure: pressure, temperature: temperature.raw)
    let reading = PressureReading(
      hectopascal: Double(result.pascal) / 100, celsius: Double(result.centicelsius) / 100)
    return try link.measurable(reading, within: Self.measurable)
  }

  private func promWord(_ index: Int) throws(ChipError) -> UInt16 {
    let bytes = try link.read(Command.readPROM.rawValue + UInt8(2 * index), count: 2)
    return UInt16(bitPattern: bytes.bigEndian(at: 0))
  }

  private func isFinished(_ conversion: MS5611Conversion) -> Bool {
    link.bus.now.nanoseconds &- conversion.begun.nanoseconds >= oversampling.nanoseconds
  }

  /// Reads a finished conversion. After a failure the converter may still hold this result or the one before.
  /// It is emptied first, so that a lost command gives 0 and no old result is taken for a new one.
  private mutating func collect() throws(ChipError) {
    guard let conversion = underWay else { return }
    underWay = MS5611Conversion(kind: conversion.kind, begun: conversion.begun, isCertain: false)
    let bytes = try link.readSample(Command.readConversion.rawValue, count: 3)
    underWay = nil
    guard conversion.isCertain else { return }
    let raw = UInt32(bytes[0]) << 16 | UInt32(bytes[1]) << 8 | UInt32(bytes[2])
    guard raw != 0 else {
      isLost = true
      pressure = nil
      return
    }
    switch conversion.kind {
    case .pressure: pressure = raw
    case .temperature: temperature = (raw, conversion.begun)
    }
  }

  /// Starts the most urgent conversion: a first or fresh temperature, a due pressure, or else the temperature
  /// of the next pressure.
  private mutating func beginNext() throws(ChipError) {
    let now = link.bus.now
    let oldest = max(Self.temperatureSeconds, Self.temperaturePeriods / rateHertz)
    var kind = MS5611Conversion.Kind.temperature
    if let temperature, now.seconds(since: temperature.begun) < oldest, pace.isDue(at: now) {
      kind = .pressure
    }
    do throws(ChipError) {
      try link.command(kind.rawValue | oversampling.bits)
    } catch {
      // The command may have arrived: another one now would corrupt the result undetected.
      underWay = MS5611Conversion(kind: kind, begun: link.bus.now, isCertain: false)
      throw error
    }
    underWay = MS5611Conversion(kind: kind, begun: link.bus.now, isCertain: true)
    if kind == .pressure { pace.began(at: now) }
  }
}
