import Quantities

extension ChipModel {
  /// The ADXL345 and the ADXL343 of the GY-80 and GY-85.
  public static let adxl345 = ChipModel(
    "ADXL345", .inertia, at: [0x53, 0x1D], Identity(0x00, 0xE5, "ADXL345 or ADXL343, not ADXL375"))
}

/// Analog Devices' accelerometer ADXL345 in its full resolution, ±16 g, read through its FIFO.
///
/// A smaller range has the same steps, so that there is one. An ADXL375 (±200 g) has the same
/// identity and no driver here: gravity is then 0.8 m/s².
///
/// - Axes: right-handed, as printed on the package.
/// - Source: Analog Devices ADXL345 data sheet revision E: register map, FIFO, full resolution (3.9
///   mg a count); Linux `adxl345_core.c` (scale, rates); ArduPilot `AP_InertialSensor_L3G4200D.cpp`
///   (256 counts a g, FIFO, axes).
public struct ADXL345<Bus: RegisterBus>: InertialUnit, WatchedFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case deviceID = 0x00
    case offsetX = 0x1E, offsetY, offsetZ
    case rate = 0x2C, power, interruptEnable, interruptMap
    case format = 0x31, data
    case fifoControl = 0x38
  }

  /// Metres per second squared a count: 256 counts a g.
  public static var metresPerSecondSquaredPerCount: Double { Unit.gravity / 256 }
  /// 13 bits.
  private static var rails: ClosedRange<Int16> { -4096...4095 }
  /// DEVID.
  public static var identity: UInt8 { 0xE5 }
  /// The rates, hertz, from rate code 7 on.
  static var rates: [Double] { [12.5, 25, 50, 100, 200, 400, 800] }

  /// The part number.
  public var model: ChipModel { .adxl345 }
  /// The chip's address, 0x53 or 0x1D.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// A sampling period: the data sheet has a bandwidth of half the rate, and no delay.
  public var latencySeconds: Double { 1 / rateHertz }

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  private let table: [RegisterSetting]
  var fifo = FIFOAccount()
  /// 32 samples, and the one in the data registers.
  var fifoSize: Int { 33 }
  var fifoStep: Int { 1 }
  // A transfer takes one sample out of the FIFO, however long it is.
  var burstSize: Int { 1 }

  /// FIFO_CTL: stream mode.
  private static var stream: UInt8 { 0x80 }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .adxl345)
    let index = settings.rateIndex(among: Self.rates, default: 200)
    rateHertz = Self.rates[index]
    table = [
      RegisterSetting(Register.offsetX.rawValue, 0), RegisterSetting(Register.offsetY.rawValue, 0),
      RegisterSetting(Register.offsetZ.rawValue, 0),
      RegisterSetting(Register.rate.rawValue, UInt8(index) + 7),
      // FULL_RES, right-justified, ±16 g, lines active high.
      RegisterSetting(Register.format.rawValue, 0x0B),
      // All on the first line.
      RegisterSetting(Register.interruptMap.rawValue, 0x00),
      RegisterSetting(
        Register.interruptEnable.rawValue, settings.drivesDataReadyLine ? 0x80 : 0x00),
      // Last: Measure.
      RegisterSetting(Register.power.rawValue, 0x08),
    ]
  }

  /// Identity, stand-by, configuration, and an empty FIFO. The chip has no reset: the table has
  /// every register that affects the samples.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.deviceID.rawValue, as: Self.identity)
    try link.write(0x00, to: Register.power.rawValue)
    try link.apply(table)
    // The turn-on time: 1.1 ms and a period of the rate.
    link.bus.wait(nanoseconds: 1_100_000 + UInt64(nanosecondsIn: 1 / rateHertz))
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  /// The specific force that six bytes from DATAX0 on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int
  ) -> Reading<SpecificForce<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index).specificForce(
      perCount: SIMD3(repeating: metresPerSecondSquaredPerCount), rails: rails)
  }

  func readState() throws(ChipError) -> FIFOState? {
    let bytes = try link.readSample(Register.fifoControl.rawValue, count: 2)
    guard bytes[0] == Self.stream else { return nil }
    let entries = Int(bytes[1] & 0x3F)
    // No flag that a reading leaves shows a loss: space for three samples, one of which may come
    // while another is read.
    return FIFOState(count: entries, hasLost: entries > fifoSize - 3)
  }

  func readBurst(_ count: Int) throws(ChipError) -> RegisterBytes {
    try link.readSample(Register.data.rawValue, count: 6)
  }

  mutating func deliver(
    _ burst: RegisterBytes, _ count: Int, _ take: (InertialReading) -> Void
  ) {
    take(InertialReading(angularRate: nil, specificForce: Self.decode(burst, at: 0)))
  }

  /// Bypass empties the FIFO; then it runs again.
  func restartFIFO() throws(ChipError) {
    try link.write(0x00, to: Register.fifoControl.rawValue)
    // The sample that the data registers still hold.
    _ = try link.read(Register.data.rawValue, count: 6)
    try link.write(Self.stream, to: Register.fifoControl.rawValue)
  }
}
