import Quantities

extension ChipModel {
  /// The BMI160.
  public static let bmi160 = ChipModel("BMI160", .inertia, at: [0x68, 0x69], Identity(0x00, 0xD1))
    // Source: BST-BMI160-DS000, primary interface: a rising edge of CSB, such as by a read of 0x7F,
    // selects SPI until a reset.
    .over(
      SPIFraming(fastestHertz: 10_000_000, wakingRead: 0x7F, reset: RegisterSetting(0x7E, 0xB6)))
}

/// Bosch's BMI160: gyroscope and accelerometer at one rate, read through their FIFO without
/// headers.
///
/// - Axes: right-handed, as printed on the package, the same for both quantities.
/// - Source: Bosch BST-BMI160-DS000-07 (revision 0.8): tables 2 and 3 (scales), section 2.5 (FIFO,
///   headerless frames), 2.11 (register map with defaults), 2.11.38 (CMD); Linux `bmi160_core.c`
///   (ranges, rates, modes, times of the modes); masks of FIFO_LENGTH and FIFO_CONFIG_1: Bosch's
///   own `bmi160_defs.h`.
public struct BMI160<Bus: RegisterBus>: InertialUnit, BoschFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case chipID = 0x00
    case powerStatus = 0x03
    case fifoLength = 0x22
    case fifoData = 0x24
    case accelerometer = 0x40, accelerometerRange, gyroscope, gyroscopeRange
    case fifoDownsampling = 0x45, fifoWatermark, fifoConfiguration
    case interruptEnable = 0x51
    case interruptOutput = 0x53
    case interruptMap = 0x56
    case command = 0x7E
  }

  /// CHIP_ID's content.
  public static var identity: UInt8 { 0xD1 }

  /// The part number.
  public var model: ChipModel { .bmi160 }
  /// The chip's address, 0x68 or 0x69.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// A sampling period: half a period of averaging, and about as much again for a first-order low
  /// pass at the 0.37 to 0.4 of the rate where the data sheet puts the cutoffs of the normal mode.
  public var latencySeconds: Double { 1 / rateHertz }

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  package let gyroscope: SixteenBitGyroscopeRange
  package let accelerometer: MPUAccelerometerRange
  private let table: [RegisterSetting]
  var fifo = FIFOAccount()

  var fifoSize: Int { 1024 }
  static var fifoRegisters: (length: UInt8, data: UInt8, command: UInt8) {
    (Register.fifoLength.rawValue, Register.fifoData.rawValue, Register.command.rawValue)
  }
  static var lengthMask: UInt16 { 0x07FF }
  /// PMU_STATUS: accelerometer and gyroscope in their normal modes.
  private static var bothOn: UInt8 { 0x14 }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .bmi160)
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    let rate = settings.rate(among: Self.rates, default: 200) { $0.hertz }
    rateHertz = rate.hertz
    let isWired = settings.drivesDataReadyLine
    table = [
      // Normal bandwidth.
      RegisterSetting(Register.accelerometer.rawValue, 0x20 | rate.bits),
      RegisterSetting(Register.accelerometerRange.rawValue, accelerometer.boschBits),
      RegisterSetting(Register.gyroscope.rawValue, 0x20 | rate.bits),
      // ±2000 degrees a second is 0.
      RegisterSetting(Register.gyroscopeRange.rawValue, 3 - gyroscope.rawValue),
      // Filtered data, each sample.
      RegisterSetting(Register.fifoDownsampling.rawValue, 0x88),
      // A sample, in words of four bytes, for the line.
      RegisterSetting(Register.fifoWatermark.rawValue, 0x03),
      // Gyroscope and accelerometer, no headers.
      RegisterSetting(Register.fifoConfiguration.rawValue, 0xC0),
      // FIFO watermark on INT1, active high.
      RegisterSetting(Register.interruptEnable.rawValue, isWired ? 0x40 : 0x00),
      RegisterSetting(Register.interruptOutput.rawValue, isWired ? 0x0A : 0x00),
      RegisterSetting(Register.interruptMap.rawValue, isWired ? 0x40 : 0x00),
    ]
  }

  /// Identity, reset, waking up, configuration, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.chipID.rawValue, as: Self.identity)
    // Soft reset: every register at its default, both halves suspended. Linux waits 1 ms.
    try link.write(0xB6, to: Register.command.rawValue)
    link.bus.wait(nanoseconds: 10_000_000)
    // The halves' normal modes, with the data sheet's longest times (Linux: 3.8 and 80 ms).
    try link.write(0x11, to: Register.command.rawValue)
    link.bus.wait(nanoseconds: 5_000_000)
    try link.write(0x15, to: Register.command.rawValue)
    link.bus.wait(nanoseconds: 90_000_000)
    guard try isOn() else { throw link.error(.unfinished("its waking up")) }
    try link.apply(table)
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table, and both halves measure.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard try isOn() else { return false }
    return try link.holds(table)
  }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  /// A sample as it lies in the FIFO: gyroscope x, y, z, then accelerometer x, y, z.
  package static var layout: SixteenBitLayout { .init(rate: 0, force: 6, isBigEndian: false) }

  func isOn() throws(ChipError) -> Bool {
    try link.read(Register.powerStatus.rawValue) & 0x3C == Self.bothOn
  }
}
