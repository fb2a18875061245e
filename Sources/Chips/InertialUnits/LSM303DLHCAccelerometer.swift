import Quantities

extension ChipModel {
  /// The LSM303DLHC's accelerometer.
  public static let lsm303dlhcAccelerometer = ChipModel(
    "LSM303DLHC-A", .inertia, at: [0x19],
    Identity(0x0F, 0x33, "LSM303DLHC accelerometer, LSM303AGR accelerometer or LIS3DH"))
  /// The LSM303AGR's accelerometer. Its identity is the LSM303DLHC's: the LIS2MDL beside it
  /// distinguishes it.
  public static let lsm303agrAccelerometer = ChipModel("LSM303AGR-A", .inertia, at: [0x19])
}

/// The accelerometer of ST's LSM303DLHC or LSM303AGR, in its 12-bit high-resolution mode, read
/// through its FIFO. A LIS3DH has the same registers. The AGR's steps are 2 % smaller.
///
/// - Axes: right-handed, as printed on the package.
/// - Source: registers as in ST's own `lsm303dlhc.h` and, bit by bit, in ST's `lis3dh_reg.h`, whose
///   part is the same accelerometer; scales, rates and WHO_AM_I: Linux `st_accel_core.c`, its first
///   sensor. FIFO: ST LIS3DH data sheet DocID17530 revision 2, section 5.1. (The part's own data
///   sheet is ST DocID018771.) LSM303AGR: see `LSM303DLHCRange`; its WHO_AM_I_A, 0x33, is
///   documented.
public struct LSM303DLHCAccelerometer<Bus: RegisterBus>: InertialUnit, SlotFIFO {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case whoAmI = 0x0F
    case control1 = 0x20, control2, control3, control4, control5, control6
    case data = 0x28
    case interrupt1Threshold = 0x32, interrupt1Duration
    case interrupt2Threshold = 0x36, interrupt2Duration, clickConfiguration
  }

  /// The ranges.
  public typealias Range = LSM303DLHCRange

  /// The rates of the high-resolution mode, hertz, by ODR[3:0] less one.
  static var rates: [Double] { [1, 10, 25, 50, 100, 200, 400] }
  /// WHO_AM_I's content, which the data sheet leaves out.
  public static var identity: UInt8 { 0x33 }

  /// The part number.
  public var model: ChipModel { link.model }
  /// The chip's address, 0x19.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// The delay of a first-order low pass at a ninth of the rate, the bandwidth that the LIS3DH's
  /// data sheet gives this mode: 9 / (2π) periods. Neither data sheet gives a delay.
  public var latencySeconds: Double { 9 / (2 * .pi) / rateHertz }

  /// True: the FIFO stores samples until they are read.
  public var keepsSamples: Bool { true }
  /// The look that found the FIFO empty.
  public var emptiedAt: Timestamp? { fifo.emptiedAt }

  let link: ChipLink<Bus>
  private let range: Range
  private let table: [RegisterSetting]
  var fifo = FIFOAccount()

  /// The top bit of the register's number counts it up.
  static var countingUp: UInt8 { 0x80 }
  /// FM 10: stream mode.
  static var fifoControl: UInt8 { 0x80 }

  /// Makes a driver; nothing is transferred before `start`.
  public init(
    bus: Bus, address: UInt8, settings: ChipSettings, model: ChipModel = .lsm303dlhcAccelerometer
  ) {
    link = ChipLink(bus: bus, address: address, model: model)
    range = .least(for: settings.specificForceMetresPerSecondSquared)
    let index = settings.rateIndex(among: Self.rates, default: 200)
    rateHertz = Self.rates[index]
    table = [
      // No high pass.
      RegisterSetting(Register.control2.rawValue, 0x00),
      // I1_DRDY1: INT1 is high while a conversion waits, where it is wired.
      RegisterSetting(Register.control3.rawValue, settings.drivesDataReadyLine ? 0x10 : 0x00),
      // BDU: the two bytes of an axis belong to one conversion; HR: 12 bits.
      RegisterSetting(Register.control4.rawValue, 0x88 | range.rawValue),
      // FIFO_EN.
      RegisterSetting(Register.control5.rawValue, 0x40),
      RegisterSetting(Register.control6.rawValue, 0x00),
      // Last: it starts the conversions, all axes, low power off.
      RegisterSetting(Register.control1.rawValue, UInt8(index + 1) << 4 | 0x07),
    ]
  }

  /// Identity, configuration, and an empty FIFO. The chip has no reset: the table contains every
  /// register that affects the samples.
  public mutating func start() throws(ChipError) {
    try identify()
    try link.apply(table)
    // The high-resolution mode is up after 7 conversions (LIS3DH data sheet, operating modes). At
    // low rates that would block the bus for seconds: the first samples are less accurate instead.
    link.bus.wait(nanoseconds: UInt64(nanosecondsIn: min(7 / rateHertz, 0.1)))
    try startFIFO()
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// All samples in the FIFO.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int { try drain(take) }

  func readSlot() throws(ChipError) -> InertialReading {
    let bytes = try link.readSample(Register.data.rawValue | Self.countingUp, count: 6)
    return InertialReading(
      angularRate: nil, specificForce: Self.decode(bytes, at: 0, range: range, of: link.model))
  }

  /// The specific force that six bytes from OUT_X_L_A on stand for: 12 bits, left-aligned.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: Range,
    of model: ChipModel = .lsm303dlhcAccelerometer
  ) -> Reading<SpecificForce<SensorFrame>> {
    RawAxes(littleEndian: bytes, at: index, unusedBits: 4).specificForce(
      perCount: SIMD3(repeating: range.metresPerSecondSquaredPerCount(of: model)), rails: .bits12)
  }

  /// Real chips report 0x33 in a register that the data sheet does not mention. Another value is
  /// accepted too, unless it belongs to another known part, or an unimplemented bit is set, or the
  /// bus is not driven. An unknown chip that passes must still hold the configuration table.
  private func identify() throws(ChipError) {
    let register = Register.whoAmI.rawValue
    let found = try link.read(register)
    guard found != Self.identity else { return }
    if found == 0x00 || found == 0xFF,
      try link.reads(Register.control1.rawValue, constantly: found)
    {
      throw link.error(.constantBytes(found))
    }
    let isKnown = KnownDevice.name(address: address, register: register, value: found) != nil
    let isExact = model == .lsm303agrAccelerometer
    let isPlausible = isKnown || isExact ? false : try keepsZeroBits()
    guard isPlausible else {
      throw link.error(
        .wrongIdentity(register: register, expected: Self.identity, found: found))
    }
  }

  /// Whether the bits that the chip does not have are zero (ST's `lis3dh_reg.h`).
  private func keepsZeroBits() throws(ChipError) -> Bool {
    let zeroBits: [(Register, UInt8)] = [
      (.control5, 0x30), (.control6, 0x05), (.interrupt1Threshold, 0x80),
      (.interrupt1Duration, 0x80), (.interrupt2Threshold, 0x80), (.interrupt2Duration, 0x80),
      (.clickConfiguration, 0xC0),
    ]
    for (register, mask) in zeroBits where try link.read(register.rawValue) & mask != 0 {
      return false
    }
    return true
  }
}
