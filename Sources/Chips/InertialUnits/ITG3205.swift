import Quantities

extension ChipModel {
  /// The ITG-3205 and ITG-3200 of the GY-85.
  public static let itg3205 = ChipModel(
    "ITG-3205", .inertia, at: [0x68, 0x69], Identity(0x00, 0x68, "ITG-3205 or ITG-3200"),
    Identity(0x00, 0x69, "ITG-3205 or ITG-3200"))
}

/// InvenSense's gyroscope ITG-3205, of one range: ±2000 degrees a second. It has no FIFO.
///
/// - Axes: right-handed, as printed on the package.
/// - Source: InvenSense ITG-3200 product specification PS-ITG-3200A-00 (register map, 14.375 counts
///   a degree, filters); Linux `itg3200_core.c` (identity, scale, byte order); ArduPilot
///   `AP_InertialSensor_Flymaple.cpp` (axes).
public struct ITG3205<Bus: RegisterBus>: InertialUnit {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case whoAmI = 0x00
    case rateDivider = 0x15, filter, interruptConfiguration
    case interruptStatus = 0x1A
    case power = 0x3E
  }

  /// Radians per second a count: 14.375 counts a degree a second.
  public static var radiansPerSecondPerCount: Double { Unit.degree / 14.375 }
  /// Full scale, radians per second.
  public static var radiansPerSecond: Double { 2000 * Unit.degree }

  /// The part number.
  public var model: ChipModel { .itg3205 }
  /// The chip's address, 0x68 or 0x69.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// The delay of a first-order low pass at the filter's bandwidth; the specification gives none.
  public let latencySeconds: Double

  private let link: ChipLink<Bus>
  private let table: [RegisterSetting]
  private let configuration: (filter: UInt8, interrupt: UInt8)

  /// Bandwidths, hertz, by DLPF_CFG from 1 on.
  private static var bandwidths: [Double] { [188, 98, 42, 20, 10, 5] }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .itg3205)
    let divisor = min(256, max(1, 1000 / (settings.rateHertz ?? 200) + 1e-9)).rounded(.down)
    rateHertz = 1000 / divisor
    let rate = rateHertz
    let filter = Self.bandwidths.firstIndex { $0 < rate / 2 } ?? Self.bandwidths.count - 1
    latencySeconds = 1 / (2 * .pi * Self.bandwidths[filter]) + 0.5 / rate
    // FS_SEL 3: the only range. RAW_RDY_EN: the flag of a new sample, and the line where it is
    // wired; cleared by reading the status.
    configuration = (0x18 | UInt8(filter + 1), 0x01)
    table = [
      RegisterSetting(Register.rateDivider.rawValue, UInt8(bounded: divisor - 1)),
      RegisterSetting(Register.filter.rawValue, configuration.filter),
      RegisterSetting(Register.interruptConfiguration.rawValue, configuration.interrupt),
      // Clocked by the x gyroscope's PLL.
      RegisterSetting(Register.power.rawValue, 0x01),
    ]
  }

  /// Identity, reset, configuration.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: 0x68, or: 0x69)
    // H_RESET; the specification has no time: as for the MPU-6050.
    try link.reset(by: 0x80, to: Register.power.rawValue, bit: 0x80, nanoseconds: 100_000_000)
    try link.apply(table)
    // Gyroscope start-up: 50 ms, table 1.
    link.bus.wait(nanoseconds: 70_000_000)
    // A sample of the time before.
    _ = try link.read(Register.interruptStatus.rawValue)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The newest sample, if it was not read yet.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    // From the divider on: DLPF_FS and INT_CFG are zero after a brown-out.
    let bytes = try link.readSample(Register.rateDivider.rawValue, count: 14)
    guard bytes[1] == configuration.filter, bytes[2] == configuration.interrupt,
      bytes[5] & 0x01 != 0
    else { return 0 }
    take(InertialReading(angularRate: Self.decode(bytes, at: 8), specificForce: nil))
    return 0
  }

  /// The angular rate that six bytes from GYRO_XOUT_H on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int
  ) -> Reading<AngularRate<SensorFrame>> {
    RawAxes(bigEndian: bytes, at: index).angularRate(
      perCount: SIMD3(repeating: radiansPerSecondPerCount), rails: .bits16)
  }
}
