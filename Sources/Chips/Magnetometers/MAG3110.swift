import Quantities

extension ChipModel {
  /// The MAG3110.
  public static let mag3110 = ChipModel("MAG3110", .field, at: [0x0E], Identity(0x07, 0xC4))
}

/// NXP's (Freescale's) magnetometer MAG3110: ±1000 µT in steps of 0.1 µT, up to 80 Hz.
///
/// - Axes: x and y as printed on the package, and z such that they are right-handed: the registers'
///   are left-handed (`ChipFact`).
/// - Source: NXP MAG3110 data sheet: registers DR_STATUS 00H to CTRL_REG2 11H, rates with 16
///   samples averaged, standby before a change. Registers, bits, 0.1 µT, rates, and that the chip
///   goes to standby only at the end of a conversion were read from Linux mag3110.c; registers,
///   identity and the raw output (which no user offset corrects) agree with ArduPilot's
///   AP_Compass_MAG3110.cpp, INAV's compass_mag3110.c and codal-core's MAG3110.cpp.
public struct MAG3110<Bus: RegisterBus>: Magnetometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case status = 0x00, outX, whoAmI = 0x07, systemMode, control1 = 0x10, control2
  }

  /// The range, microtesla.
  static var fullScale: Double { 1000 }
  /// Microtesla a count of x, y and z.
  static var microteslaPerCount: SIMD3<Double> { SIMD3(0.1, 0.1, -0.1) }
  /// Rates by DR[2:0] with 16 samples averaged, hertz, rising.
  static var rates: [(hertz: Double, bits: UInt8)] {
    [
      (0.625, 0xE0), (1.25, 0xC0), (2.5, 0xA0), (5, 0x80), (10, 0x60), (20, 0x40), (40, 0x20),
      (80, 0x00),
    ]
  }
  /// The longest wait for the standby that a change needs, in steps of a period at 80 Hz. A program
  /// that left the chip at its slowest rate makes it longer; then the start is tried again.
  private static var standbySteps: Int { 80 }

  /// The part number.
  public var model: ChipModel { .mag3110 }
  /// The chip's address, always 0x0E.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a period: its samples are averaged over all of it.
  public var latencySeconds: Double { 0.5 / rateHertz }

  private let link: ChipLink<Bus>
  private let table: [RegisterSetting]

  /// Makes a driver; nothing is transferred before `start`. The chip has one range.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .mag3110)
    let rate = settings.rate(among: Self.rates, default: 80) { $0.hertz }
    rateHertz = rate.hertz
    table = [
      // AUTO_MRST_EN: a degaussing pulse before each conversion, which no source reads back; RAW:
      // without the user's offsets.
      RegisterSetting(Register.control2.rawValue, 0xA0, kept: 0x20),
      // OS 00: 16 samples; AC: active; last.
      RegisterSetting(Register.control1.rawValue, rate.bits | 0x01),
    ]
  }

  /// Identity, standby (there is no reset), configuration.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: 0xC4)
    try link.write(0x00, to: Register.control1.rawValue)
    var steps = 0
    // SYSMOD 00: standby, which begins when the conversion in progress has ended.
    while try link.read(Register.systemMode.rawValue) & 0x03 != 0 {
      guard steps < Self.standbySteps else {
        throw link.error(.unfinished("its last measurement, after which it can be set up,"))
      }
      steps += 1
      link.bus.wait(nanoseconds: 12_500_000)
    }
    try link.apply(table)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The conversion that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    let bytes = try link.readSample(Register.status.rawValue, count: 7)
    // ZYXDR: all three axes are new since the last reading.
    guard bytes[0] & 0x08 != 0 else { return nil }
    // After a loss of power the data are of no configuration.
    guard try link.holds(table) else { return nil }
    let field = Self.decode(bytes, at: 1)
    return field.components.isWithin(Self.fullScale) ? .value(field) : .saturated
  }

  /// The field that six bytes from OUT_X_MSB on stand for.
  public static func decode(_ bytes: RegisterBytes, at index: Int) -> MagneticField<SensorFrame> {
    let counts = SIMD3(
      Double(bytes.bigEndian(at: index)), Double(bytes.bigEndian(at: index + 2)),
      Double(bytes.bigEndian(at: index + 4)))
    return MagneticField(microtesla: counts * microteslaPerCount)
  }
}
