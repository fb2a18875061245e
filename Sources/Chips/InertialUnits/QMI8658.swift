import Quantities

extension ChipModel {
  /// The QMI8658, QMI8658A and QMI8658C.
  public static let qmi8658 = ChipModel(
    "QMI8658", .inertia, at: [0x6B, 0x6A], Identity(0x00, 0x05))
}

/// QST's QMI8658 of Waveshare's and LilyGO's boards: gyroscope and accelerometer at one rate, read
/// from their registers.
///
/// A sample that another one replaced while it was read is dropped, and counted as lost: its bytes
/// may be of both. The FIFO, which stops the storage while it is read, is not used.
///
/// - Axes: right-handed, as printed on the package, the same for both quantities.
/// - Source: LewisHe's SensorLib, `SensorQMI8658.hpp` (reset, control registers, ranges, rates with
///   both halves on, filters, data ready); a driver for Zephyr, `qmi8658_reg.h` and `qmi8658.c`
///   (registers, ranges up to 2048 degrees per second, identity); an ESPHome component (the order
///   of the bytes: CTRL1).
public struct QMI8658<Bus: RegisterBus>: InertialUnit {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case whoAmI = 0x00
    case interface = 0x02, accelerometer, gyroscope
    case filters = 0x06
    case enable = 0x08
    case status = 0x2E
    case data = 0x35
    case reset = 0x60
  }

  /// The ranges of the gyroscope, with their bits.
  public enum GyroscopeRange: UInt8, AngularRateRange {
    case degrees256 = 4
    case degrees512, degrees1024, degrees2048

    /// Full scale, radians per second.
    public var radiansPerSecond: Double { Double(16 << Int(rawValue)) * Unit.degree }
    /// The last of all.
    public static var widest: Self { .degrees2048 }
    /// A count in radians per second: the 16 bits span the range from end to end.
    public var radiansPerSecondPerCount: Double { radiansPerSecond / 32_768 }
  }

  /// WHO_AM_I's content.
  public static var identity: UInt8 { 0x05 }
  /// CTRL7: accelerometer and gyroscope.
  private static var bothOn: UInt8 { 0x03 }
  /// STATUS0: new data of both.
  private static var bothNew: UInt8 { 0x03 }
  /// The rates with both halves on, hertz, with their bits: those of the gyroscope's own
  /// oscillation.
  private static var rates: [(hertz: Double, bits: UInt8)] {
    [(28.025, 8), (56.05, 7), (112.1, 6), (224.2, 5), (448.4, 4), (896.8, 3)]
  }

  /// The part number.
  public var model: ChipModel { .qmi8658 }
  /// The chip's address, 0x6A or 0x6B.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a period, and the delay of a second-order low pass at the filters' bandwidth of 13.37 %
  /// of the rate.
  public var latencySeconds: Double {
    0.5 / rateHertz + 2.0.squareRoot() / (2 * .pi * 0.1337 * rateHertz)
  }

  let link: ChipLink<Bus>
  private let gyroscope: GyroscopeRange
  private let accelerometer: MPUAccelerometerRange
  private let table: [RegisterSetting]

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .qmi8658)
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    let rate = settings.rate(among: Self.rates, default: 200) { $0.hertz }
    rateHertz = rate.hertz
    table = [
      // Register numbers count up, low bytes first; data ready on INT2 where it is wired.
      RegisterSetting(Register.interface.rawValue, settings.drivesDataReadyLine ? 0x50 : 0x40),
      RegisterSetting(Register.accelerometer.rawValue, accelerometer.rawValue << 4 | rate.bits),
      RegisterSetting(Register.gyroscope.rawValue, gyroscope.rawValue << 4 | rate.bits),
      // Both low passes, 13.37 % of the rate.
      RegisterSetting(Register.filters.rawValue, 0x77),
      RegisterSetting(Register.enable.rawValue, Self.bothOn),
    ]
  }

  /// Identity, reset, configuration, and the gyroscope's start.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    // It takes at most 15 ms.
    try link.write(0xB0, to: Register.reset.rawValue)
    link.bus.wait(nanoseconds: 30_000_000)
    guard try link.read(Register.enable.rawValue) == 0 else {
      throw link.error(.unfinished("its reset"))
    }
    try link.apply(table)
    link.bus.wait(nanoseconds: 150_000_000)
    // The first sample is of the start.
    _ = try link.read(Register.data.rawValue, count: 12)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The sample in the registers, if it is new.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    guard try isNew() else { return 0 }
    for lost in 0..<3 {
      let bytes = try link.readSample(Register.data.rawValue, count: 12)
      // Off after a brown-out, perhaps within the transfer.
      guard try link.read(Register.enable.rawValue) == Self.bothOn else { return 0 }
      if try !isNew() {
        take(Self.decode(bytes, gyroscope: gyroscope, accelerometer: accelerometer))
        return lost
      }
    }
    return 3
  }

  private func isNew() throws(ChipError) -> Bool {
    try link.readSample(Register.status.rawValue, count: 1)[0] & Self.bothNew == Self.bothNew
  }

  /// Accelerometer x, y, z, then gyroscope x, y, z, low bytes first.
  public static func decode(
    _ bytes: RegisterBytes, gyroscope: GyroscopeRange, accelerometer: MPUAccelerometerRange
  ) -> InertialReading {
    InertialReading(
      rate: RawAxes(littleEndian: bytes, at: 6), gyroscope,
      force: RawAxes(littleEndian: bytes, at: 0), accelerometer)
  }
}
