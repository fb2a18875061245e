import Quantities

extension ChipModel {
  /// The MPL3115A2.
  public static let mpl3115a2 = ChipModel(
    "MPL3115A2", .pressure, at: [0x60], Identity(0x0C, 0xC4))
}

/// NXP's (Freescale's) barometer MPL3115A2: 200 to 1100 hPa in steps of 0.25 Pa, compensated
/// inside. Each sample is measured on demand.
///
/// It is not reset: it does not acknowledge that command (Linux mpl3115.c), so a fault of the bus
/// would not be detected. Instead its whole configuration is written, including the offsets that
/// an earlier program may have set.
///
/// - Source: NXP MPL3115A2 data sheet as Linux drivers/iio/pressure/mpl3115.c,
///   Adafruit_MPL3115A2.cpp and SparkFunMPL3115A2.cpp have it: registers, bits, formats; times by
///   oversampling: 6 to 512 ms.
public struct MPL3115A2<Bus: RegisterBus>: Barometer, MeasuresOnDemand {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case status = 0x00, identity = 0x0C, fifo = 0x0F, events = 0x13
    case control = 0x26, offset = 0x2B, temperatureOffset
  }

  /// What is delivered, hectopascal. The sheet's range is 200 to 1100; below it see `ThinAir`.
  public static var measurable: ClosedRange<Double> { ThinAir.hectopascal...1100 }
  /// The default rate, hertz.
  static var usualHertz: Double { 25 }
  /// The time of a measurement by the logarithm of the number of samples in it, milliseconds.
  static var milliseconds: [UInt64] { [6, 10, 18, 34, 66, 130, 258, 512] }
  /// The share of a period that a measurement may take; the rest is the delay of a caller that
  /// polls five times a period.
  static var share: Double { 0.8 }

  /// The part number.
  public var model: ChipModel { .mpl3115a2 }
  /// The chip's address, 0x60.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a measurement.
  public var latencySeconds: Double { 0.5e-9 * Double(demand.nanoseconds) }

  let link: ChipLink<Bus>
  private let table: [RegisterSetting]
  var demand: Demand
  private var isStarted = false

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .mpl3115a2)
    let wanted = 1 / Pace(hertz: settings.rateHertz ?? Self.usualHertz).seconds
    func greatestHertz(_ index: Int) -> Double {
      Self.share * 1000 / Double(Self.milliseconds[index])
    }
    // The first step is left out: its bits are zero, as after a loss of power.
    let last = Self.milliseconds.count - 1
    let oversampling = (1...last).reversed().first { greatestHertz($0) >= wanted } ?? 1
    rateHertz = min(wanted, greatestHertz(oversampling))
    demand = Demand(
      hertz: rateHertz, nanoseconds: 1_000_000 * Self.milliseconds[oversampling])
    table = [
      // Barometer, standby: a measurement on demand. OST is the chip's own.
      RegisterSetting(Register.control.rawValue, UInt8(oversampling) << 3, kept: 0xFD),
      RegisterSetting(Register.fifo.rawValue, 0x00, kept: 0xC0),
      // Flags of new data.
      RegisterSetting(Register.events.rawValue, 0x07, kept: 0x07),
      RegisterSetting(Register.offset.rawValue, 0x00),
      RegisterSetting(Register.temperatureOffset.rawValue, 0x00),
    ]
  }

  /// Identity and configuration.
  public mutating func start() throws(ChipError) {
    demand.reset()
    isStarted = false
    try link.identify(Register.identity.rawValue, as: 0xC4)
    try link.apply(table)
    // A measurement of an earlier program ends.
    link.bus.wait(nanoseconds: 1_000_000 * Self.milliseconds[Self.milliseconds.count - 1])
    isStarted = true
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The measurement that ended since the last call; begins the next one when it is due.
  /// - Throws: `configurationRefused` after a loss of power.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    guard isStarted, let bytes = try measured() else { return nil }
    return try link.measurable(Self.decode(bytes, at: 1), within: Self.measurable)
  }

  func finished() throws(ChipError) -> RegisterBytes? {
    // Status, pressure and temperature in one transfer, then two registers: a loss of power before
    // it shows. Each command sets the control register anew, but not the flags' one.
    let bytes = try link.readSample(Register.status.rawValue, count: 6)
    let control = try link.readSample(Register.control.rawValue, count: 1)[0]
    let events = try link.readSample(Register.events.rawValue, count: 1)[0]
    try link.check(table[0], found: control)
    try link.check(table[2], found: events)
    // PDR, and OST clear.
    return bytes[0] & 0x04 != 0 && control & 0x02 == 0 ? bytes : nil
  }

  /// OST: one measurement.
  func begin() throws(ChipError) {
    try link.write(table[0].value | 0x02, to: Register.control.rawValue)
  }

  /// The sample that five bytes from 0x01 on stand for: a pressure of 18 bits and two of its
  /// fraction, and a temperature of 8 and four.
  package static func decode(_ bytes: RegisterBytes, at index: Int) -> PressureReading {
    let quarters = (bytes.bigEndian24(at: index) & 0xFF_FFFF) >> 4
    return PressureReading(
      hectopascal: Double(quarters) / 400,
      celsius: Double(bytes.bigEndian(at: index + 3) >> 4) / 16)
  }
}
