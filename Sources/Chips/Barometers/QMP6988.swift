import Quantities

extension ChipModel {
  /// The QMP6988, and the 2SMPB-02E, which has the same registers, identity and formulas.
  public static let qmp6988 = ChipModel(
    "QMP6988", .pressure, at: [0x70, 0x56],
    Identity(0xD1, 0x5C, "QMP6988, 2SMPB-02E or 2SMPB-02B"))
  /// The 2SMPB-02B, which has the identity but other coefficients. A scan takes it for a QMP6988.
  public static let smpb02b = ChipModel(
    "2SMPB-02B", .pressure, at: [0x70, 0x56],
    Identity(0xD1, 0x5C, "QMP6988, 2SMPB-02E or 2SMPB-02B"))
}

/// How much a QMP6988 averages for one sample.
struct QMP6988Averaging: Equatable, Sendable {
  /// temp_average and press_average as they stand in CTRL_MEAS.
  let bits: UInt8
  /// The longest that a measurement may take, nanoseconds.
  let nanoseconds: UInt64

  /// The data sheet's pairs, best first: 32 and 4, 16 and 2, then 8, 4 and 2 with 1
  /// (ghismary/embedded-qmp6988 `lib.rs`).
  static var all: [QMP6988Averaging] {
    [
      QMP6988Averaging(bits: 0x78, nanoseconds: 34_000_000),
      QMP6988Averaging(bits: 0x54, nanoseconds: 19_000_000),
      QMP6988Averaging(bits: 0x30, nanoseconds: 11_000_000),
      QMP6988Averaging(bits: 0x2C, nanoseconds: 8_000_000),
      QMP6988Averaging(bits: 0x28, nanoseconds: 6_000_000),
    ]
  }

  /// The share of a period that a measurement may take; the rest is the delay of a caller that
  /// polls five times a period.
  static var share: Double { 0.8 }

  /// The greatest rate that this can be done at, hertz.
  var greatestHertz: Double { Self.share / (Double(nanoseconds) * 1e-9) }
}

/// QST's barometer QMP6988 and Omron's 2SMPB-02E and 2SMPB-02B: 300 to 1100 hPa. Each sample is
/// measured on demand.
///
/// The 2SMPB-02B has the identity of the others but other coefficients, so that it has to be named
/// in the board file. A first pressure outside of the sheet's range that is usual by the other's
/// formulas names the other.
///
/// It is not reset: it does not acknowledge that command (Betaflight barometer_2smpb_02b.c), so
/// that a fault of the bus could not be told from it.
///
/// - Source: the drivers named in `QMP6988Calibration` for registers, flags and times, which have
///   them from QST's and Omron's sheets.
public struct QMP6988<Bus: RegisterBus>: Barometer, MeasuresOnDemand {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case coefficients = 0xA0, identity = 0xD1, filter = 0xF1
    case status = 0xF3, control, setup, pressure = 0xF7
  }

  /// What is delivered, hectopascal. The sheet's range is 300 to 1100; below it see `ThinAir`.
  public static var measurable: ClosedRange<Double> { ThinAir.hectopascal...1100 }
  /// The sheet's range, hectopascal.
  static var accurate: ClosedRange<Double> { 300...1100 }
  /// Pressures near the ground, hectopascal.
  static var nearGround: ClosedRange<Double> { 850...1100 }
  /// The default rate, hertz.
  static var usualHertz: Double { 25 }
  /// The word of a value that was not measured.
  static var notMeasured: Int { 0x80_0000 }

  /// The part number.
  public var model: ChipModel { link.model }
  /// The chip's address, 0x70 or 0x56.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a measurement.
  public var latencySeconds: Double { 0.5e-9 * Double(averaging.nanoseconds) }

  let link: ChipLink<Bus>
  private let averaging: QMP6988Averaging
  private let table: [RegisterSetting]
  var demand: Demand
  private var calibration: QMP6988Calibration?
  private var otherCalibration: QMP6988Calibration?
  /// Whether a pressure since the start was not the other part's.
  private var isItself = false

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, model: ChipModel = .qmp6988, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: model)
    let wanted = 1 / Pace(hertz: settings.rateHertz ?? Self.usualHertz).seconds
    let all = QMP6988Averaging.all
    averaging = all.first { $0.greatestHertz >= wanted } ?? all[all.count - 1]
    rateHertz = min(wanted, averaging.greatestHertz)
    demand = Demand(hertz: rateHertz, nanoseconds: averaging.nanoseconds)
    table = [
      // Mode 00, sleep, which also ends what an earlier program began.
      RegisterSetting(Register.control.rawValue, averaging.bits, kept: 0xFC),
      RegisterSetting(Register.filter.rawValue, 0x00, kept: 0x07),
      // t_standby does nothing on demand. It is set so that this register is not zero, as it is
      // after a loss of power.
      RegisterSetting(Register.setup.rawValue, 0xA0, kept: 0xE0),
    ]
  }

  /// Identity, factory coefficients, configuration.
  public mutating func start() throws(ChipError) {
    demand.reset()
    calibration = nil
    isItself = false
    try link.identify(Register.identity.rawValue, as: 0x5C)
    let bytes = try link.readSample(
      Register.coefficients.rawValue, count: QMP6988Calibration.count)
    if bytes.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    try link.apply(table)
    // A measurement that was under way ends, and with it its flag.
    link.bus.wait(nanoseconds: QMP6988Averaging.all[0].nanoseconds)
    let isRoots = link.model == .smpb02b
    calibration = QMP6988Calibration(bytes, isRoots ? .roots : .polynomial)
    otherCalibration = QMP6988Calibration(bytes, isRoots ? .polynomial : .roots)
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
    if !isItself, !Self.accurate.contains(reading.hectopascal),
      let other = otherCalibration.flatMap({ Self.decode(bytes, at: 4, $0) }),
      Self.nearGround.contains(other.hectopascal)
    {
      throw link.error(
        .otherPart(
          "its first pressure is impossible near the ground; a "
            + (link.model == .smpb02b ? "QMP6988 or 2SMPB-02E" : "2SMPB-02B")
            + ", which answers alike, would show \(Int64(bounded: other.hectopascal.rounded())) hPa"
        ))
    }
    isItself = true
    return try link.measurable(reading, within: Self.measurable)
  }

  func finished() throws(ChipError) -> RegisterBytes? {
    // DEVICE_STAT, CTRL_MEAS, IO_SETUP, an unused one, pressure and temperature: one transfer.
    let bytes = try link.readSample(Register.status.rawValue, count: 10)
    if bytes.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    try link.check(table[0], found: bytes[1])
    try link.check(table[2], found: bytes[2])
    // measure and otp_update clear, and the mode back at sleep.
    return bytes[0] & 0x09 == 0 && bytes[1] & 0x03 == 0 ? bytes : nil
  }

  /// Mode 01, forced: one measurement.
  func begin() throws(ChipError) {
    try link.write(averaging.bits | 0x01, to: Register.control.rawValue)
  }

  /// The sample that six bytes from 0xF7 on stand for; nil where no pressure was measured.
  package static func decode(
    _ bytes: RegisterBytes, at index: Int, _ calibration: QMP6988Calibration
  ) -> PressureReading? {
    let words = (
      bytes.bigEndian24(at: index) & 0xFF_FFFF, bytes.bigEndian24(at: index + 3) & 0xFF_FFFF
    )
    guard words.0 != notMeasured else { return nil }
    let result = calibration.compensated(
      pressure: Double(words.0 - notMeasured), temperature: Double(words.1 - notMeasured))
    return PressureReading(hectopascal: result.pascal / 100, celsius: result.celsius)
  }
}
