import Quantities

extension ChipModel {
  /// The AK09916. Its first register is the AK8963's; the second distinguishes it.
  public static let ak09916 = ChipModel("AK09916", .field, at: [0x0C], Identity(0x01, 0x09))
    .inPackage(x: .forward, y: .right, z: .down)
}

/// Asahi Kasei's magnetometer in the ICM-20948, also sold alone: ±4912 µT with 16 bits, 10 to 100
/// Hz. In the ICM-20948 it answers at 0x0C once that unit's bypass is on. It has no data-ready
/// line.
///
/// - Axes: the AK09916's own, right-handed. In the ICM-20948 its x lies along the accelerometer's
///   x, its y and z against the accelerometer's.
/// - Source: InvenSense ICM-20948 data sheet DS-000189 revision 1.3: table 3 (0.15 µT a count,
///   range), sections 13.1 to 13.6 (WIA, ST1, data, ST2, CNTL2, CNTL3), figures 12 and 13 (axes);
///   AKM AK09916 data sheet 015007392-E as PX4's AKM_AK09916_registers.hpp has it (registers, bits,
///   both identities). The sequence of register numbers, the reading and the range of the data: AKM
///   AK09918 data sheet 016014242-E-00, sections 11.2 and 11.3.4, the same maker's next chip with
///   the same map.
public struct AK09916<Bus: RegisterBus>: Magnetometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case company = 0x00, device, status1 = 0x10, outX, status2 = 0x18, control2 = 0x31, control3
  }

  /// Microtesla a count.
  static var microteslaPerCount: Double { 0.15 }
  /// Rates with their bits MODE[4:0]: continuous measurement 1 to 4.
  static var modes: [(hertz: Double, bits: UInt8)] {
    [(10, 0x02), (20, 0x04), (50, 0x06), (100, 0x08)]
  }

  /// The part number.
  public var model: ChipModel { .ak09916 }
  /// The chip's address, always 0x0C.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of the 7.2 ms of a measurement.
  ///
  /// - Source: AKM's figure (TSM, typical) for the similar AK09911.
  public var latencySeconds: Double { 0.0036 }

  private let link: ChipLink<Bus>
  private let mode: RegisterSetting

  /// Makes a driver; nothing is transferred before `start`. The chip has one range.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .ak09916)
    let chosen = settings.rate(among: Self.modes, default: 100) { $0.hertz }
    rateHertz = chosen.hertz
    mode = RegisterSetting(Register.control2.rawValue, chosen.bits, kept: 0x1F)
  }

  /// Both identities, reset, configuration.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.company.rawValue, as: 0x48)
    try link.identify(Register.device.rawValue, as: 0x09)
    // SRST: power-down mode, whatever was set before.
    try link.write(0x01, to: Register.control3.rawValue)
    // Ten times the 100 µs that a change of mode needs.
    link.bus.wait(nanoseconds: 1_000_000)
    try link.apply([mode])
  }

  /// Whether the chip still measures as configured.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds([mode]) }

  /// The measurement that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    // ST1, the data, a dummy, and ST2, which must be read for the next measurement to come through.
    let bytes = try link.readSample(Register.status1.rawValue, count: 9)
    // DRDY.
    guard bytes[0] & 0x01 != 0 else { return nil }
    // HOFL: the sum of the three magnitudes reached 4912 µT, and the data are no measurement.
    guard bytes[8] & 0x08 == 0 else { return .saturated }
    return .value(Self.decode(bytes, at: 1))
  }

  /// The field that six bytes from HXL on stand for.
  public static func decode(_ bytes: RegisterBytes, at index: Int) -> MagneticField<SensorFrame> {
    MagneticField(microtesla: bytes.littleEndianAxes(at: index) * microteslaPerCount)
  }
}
