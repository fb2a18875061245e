import Quantities

extension ChipModel {
  /// The L3G4200D of the GY-80.
  public static let l3g4200d = ChipModel(
    "L3G4200D", .inertia, at: [0x69, 0x68], Identity(0x0F, 0xD3))
  /// The L3GD20, and the gyroscope of the LSM9DS0.
  public static let l3gd20 = ChipModel(
    "L3GD20", .inertia, at: [0x6B, 0x6A], Identity(0x0F, 0xD4, "L3GD20 or the LSM9DS0's gyroscope"))
  /// The L3GD20H.
  public static let l3gd20h = ChipModel(
    "L3GD20H", .inertia, at: [0x6B, 0x6A], Identity(0x0F, 0xD7))
}

/// ST's gyroscopes L3G4200D, L3GD20 and L3GD20H, read through their FIFO.
///
/// - Axes: right-handed, as printed on the package.
/// - Source: Linux `st_gyro_core.c` (WHO_AM_I, rates, ranges, 8.75, 17.5 and 70 millidegrees a
///   count); ST's `l3gd20h_reg.h` (bits); ArduPilot `AP_InertialSensor_L3G4200D.cpp` (FIFO, axes);
///   turn-on time of 250 ms: ST L3G4200D data sheet Doc ID 17116, table 4.
public struct L3GD20<Bus: RegisterBus>: InertialUnit, SlotFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case whoAmI = 0x0F
    case control1 = 0x20, control2, control3, control4, control5
    case data = 0x28
    /// LOW_ODR, of the L3GD20H only.
    case lowRates = 0x39
  }

  /// The rates, hertz, by DR[1:0].
  static func rates(of model: ChipModel) -> [Double] {
    model == .l3gd20 ? [95, 190, 380, 760] : [100, 200, 400, 800]
  }

  /// The part number.
  public var model: ChipModel { link.model }
  /// The chip's address.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// A sampling period, as for the LSM9DS1, whose data sheet gives no delay either.
  public var latencySeconds: Double { 1 / rateHertz }

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  private let range: LSM9DS1GyroscopeRange
  private let identity: UInt8
  private let table: [RegisterSetting]
  var fifo = FIFOAccount()

  /// The top bit of the register's number counts it up.
  static var countingUp: UInt8 { 0x80 }
  /// FM 010: stream mode.
  static var fifoControl: UInt8 { 0x40 }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings, model: ChipModel) {
    link = ChipLink(bus: bus, address: address, model: model)
    identity = model.identities.first?.value ?? 0
    range = .least(for: settings.angularRateRadiansPerSecond)
    let rates = Self.rates(of: model)
    let index = settings.rateIndex(among: rates, default: 190)
    rateHertz = rates[index]
    let rangeBits = UInt8(LSM9DS1GyroscopeRange.allCases.firstIndex(of: range) ?? 0) << 4
    table =
      (model == .l3gd20h ? [RegisterSetting(Register.lowRates.rawValue, 0x00)] : []) + [
        // No high pass, no synchronisation by edges.
        RegisterSetting(Register.control2.rawValue, 0x00),
        // I2_DRDY: the second line is high while a conversion waits, where it is wired.
        RegisterSetting(Register.control3.rawValue, settings.drivesDataReadyLine ? 0x08 : 0x00),
        // BDU: the two bytes of an axis belong to one conversion.
        RegisterSetting(Register.control4.rawValue, 0x80 | rangeBits),
        // FIFO_EN; the output is that of the first low pass.
        RegisterSetting(Register.control5.rawValue, 0x40),
        // Last: it starts the conversions, all axes.
        RegisterSetting(Register.control1.rawValue, UInt8(index) << 6 | 0x3F),
      ]
  }

  /// Identity, configuration, and an empty FIFO. Not all of them have a reset: the table has every
  /// register that affects the samples.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: identity)
    try link.apply(table)
    link.bus.wait(nanoseconds: 250_000_000)
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  func readSlot() throws(ChipError) -> InertialReading {
    // A small rate below zero on each axis has the bytes of a bus that is not driven: the look
    // behind it tells.
    let bytes = try link.read(Register.data.rawValue | Self.countingUp, count: 6)
    return InertialReading(
      angularRate: Self.decode(bytes, at: 0, range: range), specificForce: nil)
  }

  /// The angular rate that six bytes from OUT_X_L on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: LSM9DS1GyroscopeRange
  ) -> Reading<AngularRate<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index).angularRate(
      perCount: SIMD3(repeating: range.radiansPerSecondPerCount), rails: .bits16)
  }
}
