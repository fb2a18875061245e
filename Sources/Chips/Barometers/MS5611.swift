import Quantities

extension ChipModel {
  /// The MS5611, which has no identity: see `RecognisedChip`.
  public static let ms5611 = ChipModel("MS5611", .pressure, at: [0x77, 0x76])
    // Source: MS5611-01BA03 data sheet, SPI: commands.
    .over(SPIFraming(fastestHertz: 20_000_000, isCommand: true))
    .inFamily("MS5611 or MS5607, which no register separates: by the board file")

  /// The MS5607, which a scan takes for an MS5611.
  public static let ms5607 = ChipModel("MS5607", .pressure, at: [0x77, 0x76])
    // Source: MS5607-02BA03 data sheet: the same.
    .over(SPIFraming(fastestHertz: 20_000_000, isCommand: true))

  /// The MS5637, also the MS5805 and the barometer of the MS8607. Its only address is that of the
  /// others of its kind.
  public static let ms5637 = ChipModel("MS5637", .pressure, at: [0x76])
    .inFamily("MS5637, MS5805, MS8607 or an MS5837 of the first kind: by the board file")

  /// The MS5837-30BA.
  public static let ms5837With30Bar = ChipModel("MS5837-30BA", .pressure, at: [0x76])

  /// The MS5837-02BA.
  public static let ms5837With2Bar = ChipModel("MS5837-02BA", .pressure, at: [0x76])
}

/// TE's (Measurement Specialties') barometer MS5611, 10 to 1200 hPa, and its relatives MS5607,
/// MS5637 and MS5837. They have no registers, only commands, a PROM and a converter that clears a
/// result once it is read.
///
/// An MS5607 answers as an MS5611 does, PROM and check included, and is sold as one: with the
/// MS5611's formulas it shows half of the pressure. No bit of the PROM tells them apart: an MS5607
/// with an MS5611's typical coefficients is known. By the pressure it is decided only where it does
/// no harm. A pressure outside of the chip's range that is 850 to 1100 hPa by the look-alike's
/// formulas refuses the chip and names the other. An MS5611 that shows 425 to 550 hPa is an MS5607
/// near the ground, or an MS5611 at 5 to 7 km, where a restart must not fail: its values are
/// delivered, and `doubt` tells of the other.
///
/// The only sign of a power loss is a lost conversion. So a conversion is always active or waiting:
/// after each pressure its temperature, until the next pressure is due. If the caller polls only
/// once a period, an old temperature is converted in place of a pressure, and that sample is
/// missing.
///
/// Poll several times a period: a conversion is read at the next poll, and is older by the wait.
///
/// - Source: TE Connectivity MS5611-01BA03 data sheet: commands, reset, PROM read and conversion
///   sequences (a read that comes too early or twice gives 0 and spoils what is under way; read
///   here in the same maker's MS5837 sheet of 10/2015 and MS5607 sheet of 09/2015, which word it
///   alike); Linux drivers/iio/pressure/ms5611_core.c and ms5611_i2c.c for commands, times and
///   formulas.
public struct MS5611<Bus: RegisterBus>: Barometer, RecognisedChip {
  /// The commands in use.
  public enum Command: UInt8, Sendable {
    case readConversion = 0x00, reset = 0x1E, readPROM = 0xA0
  }

  /// The chip's range, hectopascal.
  public var measurable: ClosedRange<Double> { variant.measurable }
  /// Pressures near the ground, hectopascal.
  static var nearGround: ClosedRange<Double> { 850...1100 }
  /// The default rate, hertz.
  static var usualHertz: Double { 25 }
  /// The time in which the chip reloads its PROM after a reset, nanoseconds.
  static var resetNanoseconds: UInt64 { 3_000_000 }
  /// The oldest temperature that a pressure is compensated with, seconds. A degree is 2 to 5 hPa,
  /// and a board that warms up does about a tenth of a degree a second.
  static var temperatureSeconds: Double { 0.5 }
  /// The age of that temperature in sample periods, for slow rates.
  static var temperaturePeriods: Double { 4 }

  /// The part number.
  public var model: ChipModel { link.model }
  /// The chip's address, 0x77 or 0x76.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of a pressure's conversion.
  public var latencySeconds: Double { 0.5e-9 * Double(oversampling.nanoseconds) }

  private let link: ChipLink<Bus>
  private let variant: MS5611Variant
  private let oversampling: MS5611Oversampling
  private var pace: Pace
  private var calibration: MS5611Calibration?
  private var underWay: MS5611Conversion?
  private var temperature: (raw: UInt32, begun: Timestamp)?
  /// A pressure that was read but not yet delivered.
  private var pressure: UInt32?
  /// True if a conversion was lost: the chip was without power.
  private var isLost = false
  /// The first pressure since the start by its own formulas and by the look-alike's, hectopascal.
  private var compared: (own: Double, other: Double)?

  /// Makes a driver; nothing is transferred before `start`.
  public init(
    bus: Bus, address: UInt8, variant: MS5611Variant = .ms5611, settings: ChipSettings
  ) {
    link = ChipLink(bus: bus, address: address, model: variant.model)
    self.variant = variant
    let wanted = 1 / Pace(hertz: settings.rateHertz ?? Self.usualHertz).seconds
    oversampling = MS5611Oversampling.best(forHertz: wanted)
    rateHertz = min(wanted, oversampling.greatestHertz)
    pace = Pace(hertz: rateHertz)
  }

  /// Reset and the PROM with its check, the only sign that this chip gives of itself.
  public mutating func start() throws(ChipError) {
    calibration = nil
    underWay = nil
    temperature = nil
    pressure = nil
    compared = nil
    pace.reset()
    try link.command(Command.reset.rawValue)
    link.bus.wait(nanoseconds: Self.resetNanoseconds)
    calibration = try readCalibration()
    isLost = false
  }

  /// Checks the PROM; only reads. Of the parts with a product in it only those with theirs are
  /// recognised, as the first of the MS5837 have none.
  public func recognise() throws(ChipError) {
    let found = try readCalibration()
    guard variant.hasShortPROM else {
      // The check of seven words fits here too where the eighth reads 0, as x⁴ + x + 1 divides
      // x¹²⁰ - 1. Linux refuses a check of 0 for that; here only where one of seven words can be.
      if found[7] == 0, address == 0x76 {
        throw link.error(.otherPart("its PROM has seven words"))
      }
      return
    }
    let isOther =
      variant.product.map { $0 != found.product } ?? Self.products.contains(found.product)
    if isOther { throw link.error(.otherPart("its PROM is another part's")) }
  }

  /// The products of the MS5837-30BA26 and MS5837-02BA21.
  private static var products: [UInt8] { [0x1A, 0x15] }

  /// That the first pressure is one near the ground by the formulas of the part that answers alike.
  public var doubt: String? {
    guard let compared, Self.nearGround.contains(compared.other),
      !Self.nearGround.contains(compared.own)
    else { return nil }
    return
      "its first pressure was \(Int64(bounded: compared.own.rounded())) hPa; an \(variant.lookAlike.model.rawValue), which "
      + "answers alike, would have shown \(Int64(bounded: compared.other.rounded())) hPa: where the board is near the ground, "
      + "name that chip in the board file"
  }

  /// Reads the PROM and checks it.
  private func readCalibration() throws(ChipError) -> MS5611Calibration {
    var words = SIMD8<UInt16>()
    // Some of those with seven words do not acknowledge the eighth.
    let count = variant.hasShortPROM ? 7 : 8
    for index in 0..<count { words[index] = try promWord(index) }
    if words == SIMD8(repeating: 0x0000) { throw link.error(.constantBytes(0x00)) }
    var compared = words
    if count == 7 { compared[7] = words[0] }
    if compared == SIMD8(repeating: 0xFFFF) { throw link.error(.constantBytes(0xFF)) }
    let coefficients = MS5611Calibration(words, variant)
    if let fault = coefficients.fault { throw link.error(.badFactoryData(fault)) }
    if let other = variant.otherProduct, coefficients.product == other {
      throw link.error(
        .otherPart("by its PROM it is an \(variant.lookAlike.model.rawValue)"))
    }
    return coefficients
  }

  /// Whether no conversion was lost and a part of the PROM is unchanged. During a conversion the
  /// PROM is not read, which may disturb it; the conversion itself shows a power loss.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard let calibration, !isLost else { return false }
    if let underWay {
      guard isFinished(underWay) else { return true }
      try collect()
      guard !isLost else { return false }
    }
    // A coefficient, and the word with the check.
    for index in [1, variant.hasShortPROM ? 0 : 7] where try promWord(index) != calibration[index] {
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
    let isPossible = variant.measurable.contains(reading.hectopascal)
    if compared == nil || !isPossible {
      let other = calibration.asIf(variant.lookAlike)
        .compensated(pressure: pressure, temperature: temperature.raw)
      let pair = (reading.hectopascal, Double(other.pascal) / 100)
      compared = compared ?? pair
      if !isPossible && Self.nearGround.contains(pair.1) {
        throw link.error(
          .otherPart(
            "it reports \(Int64(bounded: pair.0.rounded())) hPa, which would be \(Int64(bounded: pair.1.rounded())) hPa of an "
              + variant.lookAlike.model.rawValue))
      }
    }
    return try link.measurable(reading, within: variant.measurable)
  }

  private func promWord(_ index: Int) throws(ChipError) -> UInt16 {
    let bytes = try link.read(Command.readPROM.rawValue + UInt8(2 * index), count: 2)
    return UInt16(bitPattern: bytes.bigEndian(at: 0))
  }

  private func isFinished(_ conversion: MS5611Conversion) -> Bool {
    link.bus.now.nanoseconds &- conversion.begun.nanoseconds >= oversampling.nanoseconds
  }

  /// Reads a finished conversion. After a failure the converter may still hold this result or the
  /// one before. It is emptied first, so that a lost command gives 0 and no old result is taken for
  /// a new one.
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

  /// Starts the most urgent conversion: a first or fresh temperature, a due pressure, or else the
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
      // The command may have arrived: another one now would corrupt the result undetected.
      underWay = MS5611Conversion(kind: kind, begun: link.bus.now, isCertain: false)
      throw error
    }
    underWay = MS5611Conversion(kind: kind, begun: link.bus.now, isCertain: true)
    if kind == .pressure { pace.began(at: now) }
  }
}
