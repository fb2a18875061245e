import Quantities

extension ChipModel {
  /// The accelerometer of a BMI088.
  public static let bmi088Accelerometer = ChipModel(
    "BMI088-A", .inertia, at: [0x18, 0x19], Identity(0x00, 0x1E, "BMI088 accelerometer"))
}

/// The accelerometer of Bosch's BMI088, which has an address of its own, read through its FIFO with
/// headers.
///
/// - Axes: right-handed, as printed on the package, the same for both halves.
/// - Source: ArduPilot `AP_InertialSensor_BMI088.cpp` and PX4
///   `Bosch_BMI088_Accelerometer_Registers.hpp` and `BMI088_Accelerometer.cpp` (registers, bits,
///   frames, times, order of a start); rates and waking up: Bosch's BMI08x_SensorAPI as its
///   constants are quoted by drivers.
public struct BMI088Accelerometer<Bus: RegisterBus>: InertialUnit, WatchedFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case chipID = 0x00
    case fifoLength = 0x24
    case fifoData = 0x26
    case configuration = 0x40, range
    case fifoMode = 0x48, fifoContent
    case interruptOutput = 0x53
    case interruptMap = 0x58
    case powerMode = 0x7C, power, command
  }

  /// The ranges by their two bits.
  public enum Range: UInt8, UniformForceRange {
    case g3, g6, g12, g24

    /// Full scale, metres per second squared.
    public var metresPerSecondSquared: Double { Double(3 << Int(rawValue)) * Unit.gravity }
    /// The last of all.
    public static var widest: Self { .g24 }
    /// A count in metres per second squared: the 16 bits span the range from end to end.
    public var metresPerSecondSquaredPerCount: Double { metresPerSecondSquared / 32_768 }
  }

  /// ACC_CHIP_ID's content.
  public static var identity: UInt8 { 0x1E }
  /// ACC_PWR_CTRL: on.
  private static var on: UInt8 { 0x04 }
  /// The bytes of a frame: its header and three values.
  private static var frameBytes: Int { 7 }
  /// The rates, hertz, with their bits.
  private static var rates: [(hertz: Double, bits: UInt8)] {
    [
      (12.5, 0x05), (25, 0x06), (50, 0x07), (100, 0x08), (200, 0x09), (400, 0x0A), (800, 0x0B),
      (1600, 0x0C),
    ]
  }

  /// The part number.
  public var model: ChipModel { .bmi088Accelerometer }
  /// The chip's address, 0x18 or 0x19.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// A sampling period: half a period of averaging, and as much for the low pass of the normal
  /// mode.
  public var latencySeconds: Double { 1 / rateHertz }

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  private let range: Range
  private let table: [RegisterSetting]
  var fifo = FIFOAccount()

  var fifoSize: Int { 1024 }
  var fifoStep: Int { Self.frameBytes }
  var burstSize: Int { RegisterBytes.capacity }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .bmi088Accelerometer)
    range = .least(for: settings.specificForceMetresPerSecondSquared)
    let rate = settings.rate(among: Self.rates, default: 200) { $0.hertz }
    rateHertz = rate.hertz
    let isWired = settings.drivesDataReadyLine
    table = [
      // The normal filter.
      RegisterSetting(Register.configuration.rawValue, 0xA0 | rate.bits),
      RegisterSetting(Register.range.rawValue, range.rawValue),
      // The oldest frames are dropped; the bits that are always set.
      RegisterSetting(Register.fifoMode.rawValue, 0x02),
      RegisterSetting(Register.fifoContent.rawValue, 0x50),
      // Data ready on INT1, push-pull, active high.
      RegisterSetting(Register.interruptOutput.rawValue, isWired ? 0x0A : 0x00),
      RegisterSetting(Register.interruptMap.rawValue, isWired ? 0x04 : 0x00),
      RegisterSetting(Register.powerMode.rawValue, 0x00),
      RegisterSetting(Register.power.rawValue, Self.on),
    ]
  }

  /// Identity, reset, waking up, configuration, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.chipID.rawValue, as: Self.identity)
    // Soft reset: 1 ms. It is then suspended.
    try link.write(0xB6, to: Register.command.rawValue)
    link.bus.wait(nanoseconds: 10_000_000)
    try link.write(0x00, to: Register.powerMode.rawValue)
    link.bus.wait(nanoseconds: 5_000_000)
    try link.write(Self.on, to: Register.power.rawValue)
    link.bus.wait(nanoseconds: 50_000_000)
    try link.apply(table)
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  func readState() throws(ChipError) -> FIFOState? {
    guard try link.read(Register.power.rawValue) == Self.on else { return nil }
    let bytes = try link.readSample(Register.fifoLength.rawValue, count: 2)
    let word = UInt16(bitPattern: bytes.littleEndian(at: 0))
    // An empty FIFO is 0x8000.
    let count = word & 0x8000 != 0 ? 0 : Int(word & 0x3FFF)
    // A full FIFO drops its oldest frames: space for three is required, as no flag shows a loss.
    return FIFOState(count: count, hasLost: count > fifoSize - 3 * Self.frameBytes)
  }

  func readBurst(_ count: Int) throws(ChipError) -> RegisterBytes {
    try link.readSample(Register.fifoData.rawValue, count: count)
  }

  /// Whether each header is that of an acceleration: after another frame, such as of lost ones, the
  /// FIFO is emptied.
  func isWhole(_ burst: RegisterBytes, _ count: Int) -> Bool {
    for index in stride(from: 0, to: count, by: Self.frameBytes)
    where burst[index] & 0xFC != 0x84 { return false }
    return true
  }

  func deliver(_ burst: RegisterBytes, _ count: Int, _ take: (InertialReading) -> Void) {
    for index in stride(from: 0, to: count, by: Self.frameBytes) {
      take(
        InertialReading(
          angularRate: nil, specificForce: Self.decode(burst, at: index, range: range)))
    }
  }

  /// A frame of the FIFO: its header, then x, y, z, low bytes first.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: Range
  ) -> Reading<SpecificForce<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index + 1).specificForce(
      perCount: SIMD3(repeating: range.metresPerSecondSquaredPerCount), rails: .bits16)
  }

  func restartFIFO() throws(ChipError) {
    try link.write(0xB0, to: Register.command.rawValue)
  }
}
