import Quantities

extension ChipModel {
  /// The QMC5883L. An empty bus reads as its identity: see `RecognisedChip`.
  public static let qmc5883l = ChipModel(
    "QMC5883L", .field, at: [0x0D],
    Identity(0x0D, 0xFF, "the clone on boards that are sold as HMC5883L or GY-271")
  ).readFirst(0x00)
}

/// QST's magnetometer of today's GY-271 boards, often sold as HMC5883L: ±2 or ±8 gauss, up to 200
/// Hz.
///
/// It has no usable identity: its identity register reads 0xFF, like an empty bus. So the driver
/// checks the bits that are always zero in its other registers, and then whether it holds its
/// configuration.
///
/// - Axes: right-handed, as printed on the package. That a variant marked HA-588 inverts z was said
///   in Betaflight's pull requests 15313 and 15314 and withdrawn there, as it did not make the
///   compass right: it has no model of its own (`ChipFact`).
/// - Source: QST QMC5883L data sheet 13-52-04 revision A (1.0): table 2 (sensitivity), table 13
///   (registers), sections 9.2.2 (status), 9.2.4 (control) and 9.2.5 (set/reset period).
public struct QMC5883L<Bus: RegisterBus>: Magnetometer, RecognisedChip {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case outX = 0x00, status = 0x06, control1 = 0x09, control2, setResetPeriod, identity = 0x0D
  }

  /// The ranges, by their bits in control register 1.
  public enum Range: UInt8, CaseIterable, Sendable {
    case gauss2 = 0x00, gauss8 = 0x10

    /// Full scale, microtesla.
    public var microtesla: Double { self == .gauss2 ? 200 : 800 }
    /// Counts a gauss (table 2).
    var countsPerGauss: Double { self == .gauss2 ? 12_000 : 3000 }
  }

  /// Rates by ODR[1:0], hertz.
  static var rates: [Double] { [10, 50, 100, 200] }

  /// The part number.
  public var model: ChipModel { .qmc5883l }
  /// The chip's address, always 0x0D.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of the longest conversion that 200 Hz leaves room for; the data sheet gives no time.
  public var latencySeconds: Double { 0.5 / 200 }

  private let link: ChipLink<Bus>
  private let range: Range
  private let table: [RegisterSetting]

  /// Makes a driver; nothing is transferred before `start`. The default range is ±8 gauss, whose
  /// steps of 0.033 µT are a sixth of the chip's noise (2 milligauss, table 2).
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .qmc5883l)
    let greatest = settings.fieldMicrotesla ?? Range.gauss8.microtesla
    range = Range.allCases.first { $0.microtesla >= greatest } ?? .gauss8
    let index = settings.rateIndex(among: Self.rates, default: 100)
    rateHertz = Self.rates[index]
    table = [
      // FBR: the data sheet's own recommendation, section 9.2.5.
      RegisterSetting(Register.setResetPeriod.rawValue, 0x01),
      // ROL_PNT off: the data are read together with the configuration behind them. INT_ENB is
      // inverted: a one disables the line.
      RegisterSetting(Register.control2.rawValue, settings.drivesDataReadyLine ? 0x00 : 0x01),
      // OSR 00: 512 samples, at every rate; MODE 01: continuous; last.
      RegisterSetting(Register.control1.rawValue, range.rawValue | UInt8(index) << 2 | 0x01),
    ]
  }

  /// Checks whether the device can be this chip; only reads.
  public func recognise() throws(ChipError) {
    // Its identity is right only after a first read, of the data: ArduPilot and PX4 read register
    // 00H and then this one.
    _ = try link.read(Register.outX.rawValue)
    try link.identify(Register.identity.rawValue, as: 0xFF)
    let bytes = try link.readSample(Register.outX.rawValue, count: 11)
    // DOR, OVL and DRDY; two bits each of OSR, one of RNG and MODE in use; SOFT_RST, ROL_PNT,
    // INT_ENB.
    for (register, used) in [(Register.status, UInt8(0x07)), (.control1, 0xDD), (.control2, 0xC1)] {
      let found = bytes[Int(register.rawValue)]
      guard found & ~used == 0 else {
        throw link.error(
          .wrongIdentity(register: register.rawValue, expected: found & used, found: found))
      }
    }
  }

  /// Plausibility, reset, configuration.
  public mutating func start() throws(ChipError) {
    try recognise()
    // SOFT_RST; power-on takes 350 µs (table 2), but PX4's driver waits 100 ms.
    try link.write(0x80, to: Register.control2.rawValue)
    link.bus.wait(nanoseconds: 10_000_000)
    try link.apply(table)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The conversion that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    // The status first, because reading the data clears the ready bit.
    guard try link.read(Register.status.rawValue) & 0x01 != 0 else { return nil }
    let bytes = try link.readSample(Register.outX.rawValue, count: 12)
    for setting in table where !setting.matches(bytes[Int(setting.register)]) { return nil }
    // OVL stays until the next conversion.
    guard bytes[Int(Register.status.rawValue)] & 0x02 == 0 else { return .saturated }
    let field = Self.decode(bytes, at: 0, range: range)
    return field.components.isWithin(range.microtesla) ? .value(field) : .saturated
  }

  /// The field that six bytes from the x register's low byte on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: Range
  ) -> MagneticField<SensorFrame> {
    MagneticField(microtesla: bytes.littleEndianAxes(at: index) * (100 / range.countsPerGauss))
  }
}
