import Quantities

extension ChipModel {
  /// The LSM9DS1's gyroscope and accelerometer.
  public static let lsm9ds1Inertial = ChipModel(
    "LSM9DS1-AG", .inertia, at: [0x6A, 0x6B],
    Identity(0x0F, 0x68, "LSM9DS1 accelerometer and gyroscope")
  )
  // Source: LSM9DS1 data sheet DocID025715, CTRL_REG9: I2C_DISABLE.
  .over(SPIFraming(fastestHertz: 10_000_000, interface: RegisterSetting(0x23, 0x04)))
}

/// The gyroscope and accelerometer of ST's LSM9DS1, the Sense HAT's chip, read through their FIFO.
///
/// - Axes: those of the chip's magnetometer half, right-handed. The package's drawing gives the
///   accelerometer and gyroscope left-handed axes, whose x is opposite to the magnetometer's; this
///   driver inverts it, so that one mounting matrix is valid for the whole chip.
/// - Source: ST LSM9DS1 data sheet DocID025715 revision 2, table 21 (registers), and revision 3,
///   section 3.5 (FIFO). Sensitivity (its table 3), rates and ranges: Linux `st_lsm6dsx_core.c` and
///   SparkFun's library. Registers from 0x20 on: ArduPilot `AP_InertialSensor_LSM9DS1`. Axes: the
///   data sheet's figure 1 as ArduPilot, K. Winer's LSM9DS1 sketch and the thread
///   aster94/SensorFusion #7 read it.
public struct LSM9DS1Inertial<Bus: RegisterBus>: InertialUnit, SlotFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case interrupt1 = 0x0C
    case whoAmI = 0x0F, gyroscope1, gyroscope2, gyroscope3, orientation
    case gyroscopeData = 0x18
    case control4 = 0x1E, accelerometer5, accelerometer6, accelerometer7, control8, control9
    case accelerometerData = 0x28
  }

  /// The gyroscope's ranges.
  public typealias GyroscopeRange = LSM9DS1GyroscopeRange
  /// The accelerometer's ranges.
  public typealias AccelerometerRange = LSM9DS1AccelerometerRange

  /// The rates with both halves on, hertz, by ODR_G[2:0] less one.
  static var rates: [Double] { [14.9, 59.5, 119, 238, 476, 952] }
  /// WHO_AM_I's content.
  public static var identity: UInt8 { 0x68 }

  /// The part number.
  public var model: ChipModel { .lsm9ds1Inertial }
  /// The chip's address, 0x6A or 0x6B.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// A sampling period. The data sheet gives no delay: half a period of averaging, and about as
  /// much again for a first-order low pass at the third of the rate where it puts the cutoffs.
  public var latencySeconds: Double { 1 / rateHertz }

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  private let gyroscope: GyroscopeRange
  private let accelerometer: AccelerometerRange
  private let table: [RegisterSetting]
  var fifo = FIFOAccount()

  /// FIFO_CTRL: continuous mode (FMODE 110), threshold 1.
  static var fifoControl: UInt8 { 0xC1 }
  /// CTRL_REG8's IF_ADD_INC: the register number counts up.
  private static var countsUp: UInt8 { 0x04 }
  static var countingUp: UInt8 { 0 }

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .lsm9ds1Inertial)
    gyroscope = .least(for: settings.angularRateRadiansPerSecond)
    accelerometer = .least(for: settings.specificForceMetresPerSecondSquared)
    let index = settings.rateIndex(among: Self.rates, default: 200)
    rateHertz = Self.rates[index]
    let rateBits = UInt8(index + 1) << 5
    // From 119 Hz on, the accelerometer's filter follows the rate; below, BW_SCAL_ODR with 50 Hz,
    // its narrowest.
    let bandwidth: UInt8 = index < 2 ? 0x07 : 0x00
    table = [
      // BDU: the two bytes of an axis belong to one conversion.
      RegisterSetting(Register.control8.rawValue, 0x40 | Self.countsUp),
      // FIFO_EN.
      RegisterSetting(Register.control9.rawValue, 0x02),
      // All axes on.
      RegisterSetting(Register.control4.rawValue, 0x38),
      RegisterSetting(Register.accelerometer5.rawValue, 0x38),
      // First low-pass filter only, no high pass, signs as they are.
      RegisterSetting(Register.gyroscope2.rawValue, 0x00),
      RegisterSetting(Register.gyroscope3.rawValue, 0x00),
      RegisterSetting(Register.orientation.rawValue, 0x00),
      RegisterSetting(Register.accelerometer7.rawValue, 0x00),
      // INT1_FTH: the line is high while a sample waits.
      RegisterSetting(Register.interrupt1.rawValue, settings.drivesDataReadyLine ? 0x08 : 0x00),
      RegisterSetting(
        Register.accelerometer6.rawValue, rateBits | accelerometer.rawValue | bandwidth),
      // Last: it starts both halves at the gyroscope's rate.
      RegisterSetting(Register.gyroscope1.rawValue, rateBits | gyroscope.rawValue),
    ]
  }

  /// Identity, reset, configuration, and an empty FIFO.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    // SW_RESET: every register at its default, whatever was set before. The data sheet gives
    // neither a time for it nor one for the gyroscope to settle; PX4 waits 100 ms each time.
    try link.reset(
      by: 0x01 | Self.countsUp, to: Register.control8.rawValue, bit: 0x01, nanoseconds: 100_000_000)
    try link.apply(table)
    link.bus.wait(nanoseconds: 100_000_000)
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  /// FSS[5:0]: unread slots.
  static func isEmpty(_ source: UInt8) -> Bool { source & 0x3F == 0 }

  func readSlot() throws(ChipError) -> InertialReading {
    // Two transfers, as in ArduPilot and PX4: a roll-over from the gyroscope's registers to the
    // accelerometer's is documented only for related parts. A small rate below zero on each axis
    // has the bytes of a bus that is not driven: the look behind it tells.
    let rate = try link.read(Register.gyroscopeData.rawValue, count: 6)
    let force = try link.readSample(Register.accelerometerData.rawValue, count: 6)
    return InertialReading(
      angularRate: Self.decodeAngularRate(rate, at: 0, range: gyroscope),
      specificForce: Self.decodeSpecificForce(force, at: 0, range: accelerometer))
  }

  /// The angular rate that six bytes from OUT_X_L_G on stand for, along the magnetometer's axes.
  public static func decodeAngularRate(
    _ bytes: RegisterBytes, at index: Int, range: GyroscopeRange
  ) -> Reading<AngularRate<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index).angularRate(
      perCount: rightHanded * range.radiansPerSecondPerCount, rails: .bits16)
  }

  /// The specific force that six bytes from OUT_X_L_XL on stand for, along the magnetometer's axes.
  public static func decodeSpecificForce(
    _ bytes: RegisterBytes, at index: Int, range: AccelerometerRange
  ) -> Reading<SpecificForce<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index).specificForce(
      perCount: rightHanded * range.metresPerSecondSquaredPerCount, rails: .bits16)
  }

  /// The drawing's x turned round. Its gyroscope turns by the right hand about each drawn axis, so
  /// the same signs hold for it.
  private static var rightHanded: SIMD3<Double> { SIMD3(-1, 1, 1) }
}
