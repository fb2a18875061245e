import Quantities

extension ChipModel {
  /// The gyroscope of a BMI088.
  public static let bmi088Gyroscope = ChipModel(
    "BMI088-G", .inertia, at: [0x68, 0x69], Identity(0x00, 0x0F, "BMI088 gyroscope"))
}

/// The gyroscope of Bosch's BMI088, which has an address of its own, read through its FIFO.
///
/// - Axes: right-handed, as printed on the package, the same for both halves.
/// - Source: ArduPilot `AP_InertialSensor_BMI088.cpp` and PX4
///   `Bosch_BMI088_Gyroscope_Registers.hpp` (registers, bits, frames); ranges and rates: constants
///   of Bosch's BMI08x_SensorAPI as drivers quote them, and Linux `bmg160_core.c`.
public struct BMI088Gyroscope<Bus: RegisterBus>: InertialUnit, WatchedFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case chipID = 0x00
    case fifoStatus = 0x0E, range, bandwidth, power
    case reset = 0x14, interruptControl, interruptOutput
    case interruptMap = 0x18
    case fifoMode = 0x3E, fifoData
  }

  /// GYRO_CHIP_ID's content.
  public static var identity: UInt8 { 0x0F }
  /// FIFO_CONFIG_1: stream.
  private static var stream: UInt8 { 0x80 }
  /// The bytes of a frame.
  private static var frameBytes: Int { 6 }
  /// The rates, hertz, with their bits and the bandwidths, hertz.
  private static var rates: [(hertz: Double, bits: UInt8, bandwidth: Double)] {
    [(100, 0x07, 32), (200, 0x06, 64), (400, 0x03, 47), (1000, 0x02, 116), (2000, 0x01, 230)]
  }

  /// The part number.
  public var model: ChipModel { .bmi088Gyroscope }
  /// The chip's address, 0x68 or 0x69.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a period, and the delay of a second-order low pass at the bandwidth.
  public let latencySeconds: Double

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  private let range: SixteenBitGyroscopeRange
  private let bandwidth: UInt8
  private let table: [RegisterSetting]
  var fifo = FIFOAccount()

  /// A hundred frames.
  var fifoSize: Int { 100 * Self.frameBytes }
  var fifoStep: Int { Self.frameBytes }
  var burstSize: Int { RegisterBytes.capacity }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .bmi088Gyroscope)
    range = .least(for: settings.angularRateRadiansPerSecond)
    let rate = settings.rate(among: Self.rates, default: 200) { $0.hertz }
    rateHertz = rate.hertz
    bandwidth = rate.bits
    latencySeconds = 0.5 / rate.hertz + 2.0.squareRoot() / (2 * .pi * rate.bandwidth)
    let isWired = settings.drivesDataReadyLine
    table = [
      // ±2000 degrees a second is 0.
      RegisterSetting(Register.range.rawValue, 3 - range.rawValue, kept: 0x07),
      // The highest bit reads as set.
      RegisterSetting(Register.bandwidth.rawValue, rate.bits, kept: 0x0F),
      RegisterSetting(Register.power.rawValue, 0x00),
      // Data ready on INT3, push-pull, active high.
      RegisterSetting(Register.interruptControl.rawValue, isWired ? 0x80 : 0x00),
      RegisterSetting(Register.interruptOutput.rawValue, isWired ? 0x01 : 0x00, kept: 0x0F),
      RegisterSetting(Register.interruptMap.rawValue, isWired ? 0x01 : 0x00),
      RegisterSetting(Register.fifoMode.rawValue, Self.stream),
    ]
  }

  /// Identity, reset, configuration, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.chipID.rawValue, as: Self.identity)
    // Soft reset: ArduPilot waits as long.
    try link.write(0xB6, to: Register.reset.rawValue)
    link.bus.wait(nanoseconds: 30_000_000)
    try link.apply(table)
    // The gyroscope's start.
    link.bus.wait(nanoseconds: 30_000_000)
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  func readState() throws(ChipError) -> FIFOState? {
    guard try link.read(Register.fifoMode.rawValue) == Self.stream else { return nil }
    // FIFO_STATUS, GYRO_RANGE, GYRO_BANDWIDTH: the last is zero after a brown-out, after which the
    // chip measures at its defaults.
    let bytes = try link.readSample(Register.fifoStatus.rawValue, count: 3)
    guard bytes[1] & 0x07 == 3 - range.rawValue, bytes[2] & 0x0F == bandwidth else { return nil }
    let status = bytes[0]
    // Fifo_overrun, and space for three frames: a frame may be overwritten while it is read.
    let frames = Int(status & 0x7F)
    return FIFOState(count: frames * Self.frameBytes, hasLost: status & 0x80 != 0 || frames > 97)
  }

  func readBurst(_ count: Int) throws(ChipError) -> RegisterBytes {
    // Bytes 0xFF may be a small negative rate on all axes, so they are not rejected here; the
    // status that is read afterwards detects a bus that is not driven.
    try link.read(Register.fifoData.rawValue, count: count)
  }

  func deliver(_ burst: RegisterBytes, _ count: Int, _ take: (InertialReading) -> Void) {
    for index in stride(from: 0, to: count, by: Self.frameBytes) {
      take(
        InertialReading(
          angularRate: Self.decode(burst, at: index, range: range), specificForce: nil))
    }
  }

  /// A frame of the FIFO: x, y, z, low bytes first.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: SixteenBitGyroscopeRange
  ) -> Reading<AngularRate<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index).angularRate(
      perCount: SIMD3(repeating: range.radiansPerSecondPerCount), rails: .bits16)
  }

  /// A write to FIFO_CONFIG_1 empties the FIFO and clears Fifo_overrun.
  func restartFIFO() throws(ChipError) {
    try link.write(Self.stream, to: Register.fifoMode.rawValue)
  }
}
