import Quantities

extension ChipModel {
  /// The BMP180 and its forerunner BMP085, which has the same registers, identity and formulas.
  public static let bmp180 = ChipModel(
    "BMP180", .pressure, at: [0x77], Identity(0xD0, 0x55, "BMP180 or BMP085"))
}

/// Bosch's barometers BMP180 and BMP085: 300 to 1100 hPa in steps of 1 Pa. Each sample is a
/// conversion of the temperature and one of the pressure, both on demand.
///
/// The chip has no configuration: each command holds all of it. A loss of power loses the
/// conversion in progress, which the registers' values after power-on show; the next sample is
/// right. A result that cannot be read at once is measured again.
///
/// Poll several times a period: a conversion is read at the next poll, and is older by the wait.
///
/// - Source: Bosch BST-BMP180-DS000-07 revision 2.3: section 3.3 and table 3 (conversion times),
///   section 3.4 (coefficients), figure 4 (commands and formulas), section 4 (registers);
///   BST-BMP085-DS000-06 revision 1.3: the same. Linux drivers/iio/pressure/bmp280.h and
///   bmp280-core.c (bmp180) for registers, times and the flag of a conversion in progress.
public struct BMP180<Bus: RegisterBus>: Barometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case calibration = 0xAA, identity = 0xD0, control = 0xF4, output = 0xF6
  }

  /// What is delivered, hectopascal. The sheet's range is 300 to 1100; below it see `ThinAir`.
  public static var measurable: ClosedRange<Double> { ThinAir.hectopascal...1100 }
  /// The default rate, hertz.
  static var usualHertz: Double { 25 }
  /// The command of a temperature.
  static var temperatureCommand: UInt8 { 0x2E }
  /// The command of a pressure without oversampling.
  static var pressureCommand: UInt8 { 0x34 }
  /// Set in the control register during a conversion (Sco).
  static var inProgress: UInt8 { 0x20 }
  /// The longest conversion of a temperature, nanoseconds.
  static var temperatureNanoseconds: UInt64 { 4_500_000 }
  /// The longest conversions of a pressure by the logarithm of the number of samples, nanoseconds.
  static var pressureNanoseconds: [UInt64] { [4_500_000, 7_500_000, 13_500_000, 25_500_000] }
  /// The oldest temperature that a pressure is compensated with, seconds. A degree is some 10 Pa,
  /// and a board that warms up does about a tenth of a degree a second.
  static var temperatureSeconds: Double { 0.5 }
  /// The same in periods, for slow rates.
  static var temperaturePeriods: Double { 4 }
  /// The share of a period that the two conversions may take; the rest is the delay of a caller
  /// that polls five times a period.
  static var share: Double { 0.8 }

  /// The part number.
  public var model: ChipModel { .bmp180 }
  /// The chip's address, 0x77.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of the pressure's conversion.
  public var latencySeconds: Double { 0.5e-9 * Double(nanoseconds) }

  /// The conversion in progress.
  private enum Step {
    case none
    /// Perhaps one, until then.
    case unknown(until: Timestamp)
    case temperature(begun: Timestamp)
    case pressure(begun: Timestamp)
  }

  private let link: ChipLink<Bus>
  private let oversampling: UInt8
  private let nanoseconds: UInt64
  private var pace: Pace
  private var calibration: BMP180Calibration?
  private var step = Step.none
  private var temperature: (fine: Int32, begun: Timestamp)?
  /// False once the temperature has served a pressure.
  private var isTemperatureNew = false

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .bmp180)
    let wanted = 1 / Pace(hertz: settings.rateHertz ?? Self.usualHertz).seconds
    var (best, greatest) = (0, Self.greatestHertz(0))
    for index in 1..<Self.pressureNanoseconds.count where Self.greatestHertz(index) >= wanted {
      (best, greatest) = (index, Self.greatestHertz(index))
    }
    oversampling = UInt8(best)
    nanoseconds = Self.pressureNanoseconds[best]
    rateHertz = min(wanted, greatest)
    pace = Pace(hertz: rateHertz)
  }

  /// The greatest rate that an oversampling leaves time for.
  private static func greatestHertz(_ oversampling: Int) -> Double {
    share / (1e-9 * Double(temperatureNanoseconds + pressureNanoseconds[oversampling]))
  }

  /// Identity and factory coefficients. There is nothing to reset, and the BMP085 has no command
  /// for it.
  public mutating func start() throws(ChipError) {
    calibration = nil
    temperature = nil
    pace.reset()
    try link.identify(Register.identity.rawValue, as: 0x55)
    let bytes = try link.readSample(
      Register.calibration.rawValue, count: BMP180Calibration.count)
    if bytes.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    let coefficients = BMP180Calibration(bytes)
    if let fault = coefficients.fault { throw link.error(.badFactoryData(fault)) }
    // An earlier program may have begun the longest conversion.
    wait(Self.pressureNanoseconds[Self.pressureNanoseconds.count - 1])
    calibration = coefficients
  }

  /// Whether the chip that was started still answers: it has no configuration.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard calibration != nil else { return false }
    return try link.read(Register.identity.rawValue) == 0x55
  }

  /// The pressure whose conversion ended since the last call; begins the next conversion.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    guard let calibration else { return nil }
    switch step {
    case .none: break
    case .unknown(let until):
      guard link.bus.now >= until else { return nil }
      step = .none
    case .temperature(let begun):
      guard
        let bytes = try result(
          of: Self.temperatureCommand, begun: begun, after: Self.temperatureNanoseconds)
      else { return nil }
      temperature = calibration.fineTemperature(raw: UInt16(bitPattern: bytes.bigEndian(at: 2)))
        .map { ($0, begun) }
      isTemperatureNew = true
    case .pressure(let begun):
      guard let bytes = try result(of: pressureCommand, begun: begun, after: nanoseconds)
      else { return nil }
      let fine = temperature?.fine
      isTemperatureNew = false
      try beginNext()
      guard let fine,
        let reading = Self.decode(
          bytes, at: 2, calibration, oversampling: oversampling, fine: fine)
      else { return nil }
      return try link.measurable(reading, within: Self.measurable)
    }
    try beginNext()
    return nil
  }

  private var pressureCommand: UInt8 { Self.pressureCommand | oversampling << 6 }

  private mutating func wait(_ nanoseconds: UInt64) {
    step = .unknown(until: link.bus.now.advanced(byNanoseconds: nanoseconds))
  }

  /// Begins the most urgent conversion: a first or fresh temperature, a due pressure, or else the
  /// temperature of the next pressure, once.
  private mutating func beginNext() throws(ChipError) {
    let now = link.bus.now
    let oldest = max(Self.temperatureSeconds, Self.temperaturePeriods / rateHertz)
    let isFresh = temperature.map { now.seconds(since: $0.begun) < oldest } ?? false
    if isFresh && pace.isDue(at: now) {
      try command(pressureCommand, lasting: nanoseconds)
      step = .pressure(begun: link.bus.now)
      pace.began(at: now)
    } else if !isFresh || !isTemperatureNew {
      try command(Self.temperatureCommand, lasting: Self.temperatureNanoseconds)
      step = .temperature(begun: link.bus.now)
    }
  }

  private mutating func command(_ value: UInt8, lasting nanoseconds: UInt64) throws(ChipError) {
    do throws(ChipError) {
      try link.write(value, to: Register.control.rawValue)
    } catch {
      // The command may have arrived: another one now would disturb its conversion.
      wait(nanoseconds)
      throw error
    }
  }

  /// The control register and those up to the output's last byte once the conversion has ended; nil
  /// before that, or where it was lost.
  private mutating func result(
    of command: UInt8, begun: Timestamp, after nanoseconds: UInt64
  ) throws(ChipError) -> RegisterBytes? {
    let age = link.bus.now.nanoseconds &- begun.nanoseconds
    guard age >= nanoseconds else { return nil }
    let before = step
    step = .none
    let bytes = try link.readSample(Register.control.rawValue, count: 5)
    if bytes.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    if bytes[0] & Self.inProgress != 0 {
      if age > 2 * nanoseconds { throw link.error(.unfinished("a conversion")) }
      step = before
      return nil
    }
    // After a conversion the control register holds the command without the start bit. After a loss
    // of power it is 0, and the output is 0x800000. The output is compared too, because a chip may
    // clear the register after a conversion.
    let isReset = bytes[2] == 0x80 && bytes[3] == 0x00 && bytes[4] == 0x00
    guard bytes[0] == command & ~Self.inProgress || (bytes[0] == 0x00 && !isReset) else {
      return nil
    }
    return bytes
  }

  /// The sample that three bytes from 0xF6 on stand for.
  /// - Parameters:
  ///   - bytes: Registers.
  ///   - index: The place of register 0xF6 among them.
  ///   - calibration: The chip's coefficients.
  ///   - oversampling: The logarithm of the number of samples.
  ///   - fine: The temperature of the conversion before.
  /// - Returns: nil where the coefficients and the temperature have no pressure.
  package static func decode(
    _ bytes: RegisterBytes, at index: Int, _ calibration: BMP180Calibration,
    oversampling: UInt8, fine: Int32
  ) -> PressureReading? {
    let word = UInt32(bytes.bigEndian24(at: index) & 0xFF_FFFF) >> UInt32(8 - oversampling)
    guard
      let pascal = calibration.pressure(raw: word, oversampling: oversampling, fine: fine)
    else { return nil }
    return PressureReading(
      hectopascal: Double(pascal) / 100,
      celsius: Double(calibration.temperature(fine: fine)) / 10)
  }
}
