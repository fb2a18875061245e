import Quantities

extension ChipModel {
  /// The BMM350. Each of its reads begins with two bytes that are no registers: see
  /// `RecognisedChip`.
  public static let bmm350 = ChipModel("BMM350", .field, at: [0x14, 0x15, 0x16, 0x17])
}

/// Bosch's magnetometer BMM350: ±2000 µT, to 400 Hz, with the factory's trim.
///
/// - Axes: right-handed, as printed on the package.
/// - Source: Bosch BMM350 data sheet BST-BMM350-DS001: registers, power modes, OTP. Registers,
///   commands, trim, scales and formulas were read from ArduPilot's AP_Compass_BMM350.cpp (which
///   follows Bosch's BMM350-SensorAPI, with its times) and compared with PX4's BMM350.hpp,
///   BMM350.cpp and Bosch_BMM350_registers.hpp: the same registers, commands, trim words, scales
///   and compensation; PX4 has the largest averages by rate.
public struct BMM350<Bus: RegisterBus>: Magnetometer, RecognisedChip {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case identity = 0x00, aggregation = 0x04, axes, powerCommand, powerStatus
    case interruptControl = 0x2E, interruptStatus = 0x30, outX, memoryCommand = 0x50
    case memoryData = 0x52, memoryStatus = 0x55, command = 0x7E
  }

  /// The power commands; the status repeats their low three bits.
  private enum PowerCommand: UInt8 {
    case normal = 0x01, updateRate = 0x02, fluxGuideReset = 0x05, bitReset = 0x07
  }

  /// Rates with their bits and the largest average that they leave time for (its bits), hertz.
  static var rates: [(hertz: Double, bits: UInt8, average: UInt8)] {
    [
      (1.5625, 0x0A, 3), (3.125, 0x09, 3), (6.25, 0x08, 3), (12.5, 0x07, 3), (25, 0x06, 3),
      (50, 0x05, 3), (100, 0x04, 2), (200, 0x03, 1), (400, 0x02, 0),
    ]
  }
  /// The range, microtesla.
  static var fullScale: Double { 2000 }

  /// The part number.
  public var model: ChipModel { .bmm350 }
  /// The chip's address, 0x14 to 0x17.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of the longest measurements that the rate leaves room for.
  public var latencySeconds: Double { 0.5 / max(rateHertz, 50) }

  private let link: ChipLink<Bus>
  private let table: [RegisterSetting]
  private var trim: BMM350Trim?

  /// Makes a driver; nothing is transferred before `start`. The chip has one range.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .bmm350, leadingBytes: 2)
    let rate = settings.rate(among: Self.rates, default: 100) { $0.hertz }
    rateHertz = rate.hertz
    table = [
      RegisterSetting(Register.aggregation.rawValue, rate.average << 4 | rate.bits),
      // x, y and z on.
      RegisterSetting(Register.axes.rawValue, 0x07),
      // Data ready on; push-pull, active high, pulsed; its pin where it is wired.
      RegisterSetting(
        Register.interruptControl.rawValue, settings.drivesDataReadyLine ? 0x8E : 0x86),
    ]
  }

  /// Checks the identity; only reads.
  public func recognise() throws(ChipError) {
    try link.identify(Register.identity.rawValue, as: 0x33)
  }

  /// Identity, reset, trim, magnetic reset, configuration.
  public mutating func start() throws(ChipError) {
    trim = nil
    try recognise()
    try link.write(0xB6, to: Register.command.rawValue)
    link.bus.wait(nanoseconds: 24_000_000)
    var words: [UInt16] = []
    for index in BMM350Trim.words { words.append(try memory(index)) }
    // The memory off.
    try link.write(0x80, to: Register.memoryCommand.rawValue)
    let trim = BMM350Trim(words)
    if let fault = trim.fault { throw link.error(.badFactoryData(fault)) }
    // The residual magnetisation that a strong field has left: of the bridge and of the flux guide.
    try power(.bitReset, nanoseconds: 19_000_000)
    try power(.fluxGuideReset, nanoseconds: 23_000_000)
    try link.apply(table)
    try power(.updateRate, nanoseconds: 20_000_000)
    try power(.normal, nanoseconds: 38_000_000)
    self.trim = trim
  }

  /// A word of the factory's memory.
  private func memory(_ index: UInt8) throws(ChipError) -> UInt16 {
    try link.write(0x20 | index, to: Register.memoryCommand.rawValue)
    for _ in 0..<3 {
      link.bus.wait(nanoseconds: 300_000)
      let status = try link.read(Register.memoryStatus.rawValue)
      if status & 0xE0 != 0 { break }
      // Done.
      if status & 0x01 != 0 {
        let bytes = try link.read(Register.memoryData.rawValue, count: 2)
        return UInt16(bitPattern: bytes.bigEndian(at: 0))
      }
    }
    throw link.error(.unfinished("reading its factory memory"))
  }

  /// Sends a power command and waits for its end.
  private func power(_ command: PowerCommand, nanoseconds: UInt64) throws(ChipError) {
    try link.write(command.rawValue, to: Register.powerCommand.rawValue)
    link.bus.wait(nanoseconds: nanoseconds)
    let status = try link.read(Register.powerStatus.rawValue)
    // Not busy, and the last command.
    guard status & 0x01 == 0, status >> 5 == command.rawValue & 0x07 else {
      throw link.error(.unfinished("a change of its power mode"))
    }
  }

  /// Whether the registers still hold the configuration table, and the chip measures.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard try link.holds(table) else { return false }
    // PWR_MODE_IS_NORMAL.
    return try link.read(Register.powerStatus.rawValue) & 0x08 != 0
  }

  /// The measurement that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    guard let trim else { return nil }
    // Interrupt control and status, field and temperature in one transfer.
    let bytes = try link.readSample(Register.interruptControl.rawValue, count: 15)
    // DRDY, only where it is switched on as after `start`.
    guard bytes[0] & 0x80 != 0, bytes[2] & 0x04 != 0 else { return nil }
    let field = Self.decode(bytes, at: 3, trim)
    return field.components.isWithin(Self.fullScale) ? .value(field) : .saturated
  }

  /// The field that twelve bytes from MAG_X_XLSB on stand for.
  package static func decode(
    _ bytes: RegisterBytes, at index: Int, _ trim: BMM350Trim
  ) -> MagneticField<SensorFrame> {
    var raw = SIMD4<Double>.zero
    for word in 0..<4 { raw[word] = Double(bytes.littleEndian24(at: index + 3 * word)) }
    return MagneticField(microtesla: trim.field(raw))
  }
}
