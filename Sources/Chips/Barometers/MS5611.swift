import Bus
import Quantities

/// TE's (Measurement Specialties') barometer MS5611: 10 to 1200 hPa, best at low pressures. It has no
/// registers, only commands, a PROM and a converter that forgets a result once it is read.
///
/// A loss of power leaves no trace but a lost conversion. So one is always under way or waiting: after
/// each pressure its temperature, until the next pressure is due. Where the caller comes only once a
/// period, temperature is converted in a pressure's place when the last is old, and that sample is missing.
///
/// Ask several times a period: a conversion is fetched when it is next asked for, and is older by the
/// wait.
///
/// - Source: TE Connectivity MS5611-01BA03 data sheet: commands, reset, PROM read and conversion sequences
///   (a read that comes too early or twice gives 0 and spoils what is under way; read here in the same
///   maker's MS5837 sheet of 10/2015 and MS5607 sheet of 09/2015, which word it alike); Linux
///   drivers/iio/pressure/ms5611_core.c and ms5611_i2c.c for commands, times and formulas.
public struct MS5611<Bus: RegisterBus>: Barometer {
  /// The commands in use.
  public enum Command: UInt8, Sendable {
    case readConversion = 0x00, reset = 0x1E, readPROM = 0xA0
  }

  /// What the chip can measure, hectopascal.
  public static var measurable: ClosedRange<Double> { 10...1200 }
  /// Samples a second unless told otherwise.
  static var usualHertz: Double { 25 }
  /// The PROM is loaded anew after a reset, nanoseconds.
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
  /// A pressure that was fetched and not handed out.
  private var pressure: UInt32?
  /// A conversion was gone when it was fetched: the chip was without power.
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
    var words = SIMD8<UInt16>()
    for index in 0..<8 { words[index] = try promWord(index) }
    if words == SIMD8(repeating: 0x0000) { throw link.error(.constantBytes(0x00)) }
    if words == SIMD8(repeating: 0xFFFF) { throw link.error(.constantBytes(0xFF)) }
    let coefficients = MS5611Calibration(words)
    if let fault = coefficients.fault { throw link.error(.badFactoryData(fault)) }
    calibration = coefficients
    isLost = false
  }

  /// Whether no conversion was lost and a part of the PROM reads as before. While a conversion is under
  /// way the chip is left alone: nothing says that a PROM read leaves it whole, and it proves itself.
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
      // A temperature waits until its pressure is due: what waits is lost with the power.
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

  /// Fetches what has been converted. Where that fails the converter may still hold the result, or the
  /// result before it: it is emptied first, so that a command that never arrives gives 0 and nothing old
  /// passes for new.
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

  /// Begins what is needed most: a first or fresh temperature, a pressure that is due, or else the
  /// temperature of the next pressure.
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
      // It may have arrived: another command in the middle would spoil the result unseen.
      underWay = MS5611Conversion(kind: kind, begun: link.bus.now, isCertain: false)
      throw error
    }
    underWay = MS5611Conversion(kind: kind, begun: link.bus.now, isCertain: true)
    if kind == .pressure { pace.began(at: now) }
  }
}
