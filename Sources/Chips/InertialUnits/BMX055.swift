import Quantities

extension ChipModel {
  /// The BMX055's accelerometer. Its magnetometer is a `bmm150`.
  public static let bmx055Accelerometer = ChipModel(
    "BMX055-A", .inertia, at: [0x18, 0x19],
    Identity(
      0x00, 0xFA, "accelerometer of BMX055, BMI055, BMC150 or BMC156, or BMA253, BMA254 or BMA255"))
  /// The BMX055's gyroscope.
  public static let bmx055Gyroscope = ChipModel(
    "BMX055-G", .inertia, at: [0x68, 0x69],
    Identity(0x00, 0x0F, "gyroscope of BMX055 or BMI055, or BMG160"))
}

/// What differs between the two halves, which have the same FIFO and the same places of its
/// registers, of range, bandwidth and power.
public enum BMX055Half: Sendable {
  case accelerometer, gyroscope

  /// The part.
  public var model: ChipModel {
    self == .accelerometer ? .bmx055Accelerometer : .bmx055Gyroscope
  }
  /// CHIP_ID's content.
  public var identity: UInt8 { self == .accelerometer ? 0xFA : 0x0F }
  /// The frames that the FIFO holds.
  var frames: Int { self == .accelerometer ? 32 : 100 }
  /// The time from a suspended state to normal power, ns.
  var wakingNanoseconds: UInt64 { self == .accelerometer ? 3_000_000 : 30_000_000 }

  /// The rates in use, hertz, rising, with the bits of PMU_BW and the low pass's bandwidth. Higher
  /// ones would fill the FIFO between two polls.
  var rates: [(hertz: Double, bits: UInt8, bandwidth: Double)] {
    switch self {
    case .accelerometer:
      [
        (15.625, 0x08, 7.8125), (31.25, 0x09, 15.625), (62.5, 0x0A, 31.25), (125, 0x0B, 62.5),
        (250, 0x0C, 125), (500, 0x0D, 250),
      ]
    case .gyroscope: [(100, 0x07, 32), (200, 0x06, 64), (400, 0x03, 47)]
    }
  }
}

/// A half of Bosch's BMX055: its accelerometer of ±2 to ±16 g (12 bits) or its gyroscope of ±250 to
/// ±2000 degrees a second, read through its FIFO. The same dice are in the BMI055, and each by
/// itself in the BMA255 and BMG160.
///
/// - Axes: right-handed, the same in both halves. The magnetometer beside them is a BMM150 with
///   axes of its own (`ChipFact`).
/// - Source: registers, ranges, rates, times and scales were read from Linux bmc150-accel-core.c
///   and bmg160_core.c, FIFO and axes from PX4's BMI055_Accelerometer.cpp and BMI055_Gyroscope.cpp,
///   all of them compared with kriswiner's sketches of the BMX-055. (Bosch's data sheet is
///   BST-BMX055-DS000.)
public struct BMX055<Bus: RegisterBus>: InertialUnit, WatchedFIFO {
  /// The registers in use. The halves have different ones for interrupts.
  public enum Register: UInt8, Sendable {
    case chipID = 0x00
    case fifoStatus = 0x0E, range, bandwidth, power, lowPower, filter
    case fifoMode = 0x3E, fifoData
  }

  /// The bytes of a frame: x, y, z.
  static var frameBytes: Int { 6 }
  /// FIFO mode: it stops where it is full, and sets its overrun flag with the next sample.
  private static var storing: UInt8 { 0x40 }

  /// The part number.
  public var model: ChipModel { half.model }
  /// The address, 0x18 or 0x19 of the accelerometer and 0x68 or 0x69 of the gyroscope.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// The delay of a first-order low pass of the filter's bandwidth.
  public let latencySeconds: Double
  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  /// Which half.
  public let half: BMX055Half
  let link: ChipLink<Bus>
  var fifo = FIFOAccount()
  private let accelerometer: MPUAccelerometerRange
  private let gyroscope: SixteenBitGyroscopeRange
  private let table: [RegisterSetting]

  // In frames.
  var fifoSize: Int { half.frames }
  var fifoStep: Int { 1 }
  var burstSize: Int { RegisterBytes.capacity / Self.frameBytes }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings, half: BMX055Half) {
    link = ChipLink(bus: bus, address: address, model: half.model)
    self.half = half
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    let rate = settings.rate(among: half.rates, default: 100) { $0.hertz }
    rateHertz = rate.hertz
    latencySeconds = 1 / (2 * .pi * rate.bandwidth)
    let isWired = settings.drivesDataReadyLine
    let range: UInt8 =
      switch half {
      case .accelerometer: accelerometer.boschBits
      // ±2000 degrees a second is 0.
      case .gyroscope: 3 - gyroscope.rawValue
      }
    let interrupts =
      half == .accelerometer
      // Data ready; on INT1; active high, driven both ways.
      ? [
        RegisterSetting(0x17, isWired ? 0x10 : 0x00), RegisterSetting(0x1A, isWired ? 0x01 : 0x00),
        RegisterSetting(0x20, 0x05, kept: 0x0F),
      ]
      : [
        RegisterSetting(0x15, isWired ? 0x80 : 0x00, kept: 0xC0),
        RegisterSetting(0x16, 0x05, kept: 0x0F),
        RegisterSetting(0x18, isWired ? 0x01 : 0x00),
      ]
    table =
      [
        RegisterSetting(Register.power.rawValue, 0x00),
        RegisterSetting(Register.lowPower.rawValue, 0x00, kept: 0x60),
        RegisterSetting(Register.range.rawValue, range, kept: 0x0F),
        RegisterSetting(Register.bandwidth.rawValue, rate.bits, kept: 0x0F),
        // Filtered; the two bytes of an axis belong to one conversion.
        RegisterSetting(Register.filter.rawValue, 0x00, kept: 0xC0),
      ] + interrupts + [RegisterSetting(Register.fifoMode.rawValue, Self.storing, kept: 0xC3)]
  }

  /// Identity, normal power, without which nothing else is taken, and configuration. A reset is not
  /// needed, and would not be acknowledged by every part.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.chipID.rawValue, as: half.identity)
    try link.write(0x00, to: Register.power.rawValue)
    link.bus.wait(nanoseconds: half.wakingNanoseconds)
    try link.apply(table)
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  /// FIFO_STATUS, and behind it range, bandwidth and power: after a loss of power the bandwidth is
  /// another.
  func readState() throws(ChipError) -> FIFOState? {
    let first = Register.fifoStatus.rawValue
    let bytes = try link.readSample(first, count: 4)
    for setting in table {
      guard setting.register > first, setting.register <= Register.power.rawValue else { continue }
      guard setting.matches(bytes[Int(setting.register - first)]) else { return nil }
    }
    return FIFOState(count: Int(bytes[0] & 0x7F), hasLost: bytes[0] & 0x80 != 0)
  }

  // Bytes 0xFF may be a small negative rate on all axes, so they are not rejected here; the status
  // that is read afterwards detects a bus that is not driven.
  func readBurst(_ count: Int) throws(ChipError) -> RegisterBytes {
    try link.read(Register.fifoData.rawValue, count: count * Self.frameBytes)
  }

  func deliver(_ burst: RegisterBytes, _ count: Int, _ take: (InertialReading) -> Void) {
    for frame in 0..<count {
      let index = frame * Self.frameBytes
      switch half {
      case .accelerometer:
        let force = Self.decodeForce(burst, at: index, range: accelerometer)
        take(InertialReading(angularRate: nil, specificForce: force))
      case .gyroscope:
        let rate = Self.decodeRate(burst, at: index, range: gyroscope)
        take(InertialReading(angularRate: rate, specificForce: nil))
      }
    }
  }

  func restartFIFO() throws(ChipError) {
    try link.write(Self.storing, to: Register.fifoMode.rawValue)
  }

  /// The specific force of a frame: 12 bits, left-aligned.
  public static func decodeForce(
    _ bytes: RegisterBytes, at index: Int, range: MPUAccelerometerRange
  ) -> Reading<SpecificForce<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index, unusedBits: 4).specificForce(
      perCount: SIMD3(repeating: 16 * range.metresPerSecondSquaredPerCount), rails: .bits12)
  }

  /// The angular rate of a frame.
  public static func decodeRate(
    _ bytes: RegisterBytes, at index: Int, range: SixteenBitGyroscopeRange
  ) -> Reading<AngularRate<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index).angularRate(
      perCount: SIMD3(repeating: range.radiansPerSecondPerCount), rails: .bits16)
  }
}
