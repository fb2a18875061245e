import Quantities

extension ChipModel {
  /// The LIS3MDL.
  public static let lis3mdl = ChipModel(
    "LIS3MDL", .field, at: [0x1C, 0x1E], Identity(0x0F, 0x3D, "LIS3MDL or LSM9DS1 magnetometer")
  )
  // Source: LIS3MDL data sheet DocID024204 section 5.2: MS bit.
  .over(SPIFraming(fastestHertz: 10_000_000, burstBit: 0x40))

  /// The magnetometer in ST's LSM9DS1, the inertial unit of the Sense HAT. Its registers and its
  /// identity are the LIS3MDL's.
  ///
  /// - Axes: the magnetometer's own, right-handed, z out of the top of the package.
  ///   `LSM9DS1Inertial` gives the same ones: the printed axes of its half are left-handed, with x
  ///   the other way.
  /// - Accuracy: Table 3 cuts the sensitivities to two digits (0.14, 0.29, 0.43 and 0.58
  ///   milligauss a count); the LIS3MDL's, whose registers these are, are taken instead, as Linux
  ///   does (st_magn_core.c: 0.146, 0.292, 0.438, 0.584). A calibration corrects the rest.
  /// - Source: ST LSM9DS1 data sheet DocID025715 revision 3: section 8 (registers). The axes:
  ///   figure 1, as PX4's LSM9DS1_MAG.cpp and RTIMULib's RTIMULSM9DS1.cpp read it.
  public static let lsm9ds1Magnetometer = ChipModel("LSM9DS1-M", .field, at: [0x1C, 0x1E])
    // Source: LSM9DS1 data sheet DocID025715, SPI: M/S bit of the magnetometer.
    .over(SPIFraming(fastestHertz: 10_000_000, burstBit: 0x40))
}

/// ST's magnetometer of many kits and hats, and the one in the LSM9DS1: ±4 to ±16 gauss, up to 155
/// Hz in its best mode. Its data-ready line is always enabled.
///
/// - Axes: right-handed, as printed on the package of a LIS3MDL.
/// - Source: ST LIS3MDL data sheet DocID024204 revision 6: table 3 (sensitivity), tables 16 to 35
///   (registers), section 5.1.1 (the top bit of the register number counts up); the same registers
///   in Linux, st_magn_core.c, which serves both parts with one table.
public struct LIS3MDL<Bus: RegisterBus>: Magnetometer {
  /// The ranges.
  public typealias Range = LIS3MDLRange

  enum Register: UInt8 {
    case whoAmI = 0x0F, control1 = 0x20, control2, control3, control4, control5
    case status = 0x27, outX
  }

  /// WHO_AM_I's content in both.
  static var identity: UInt8 { 0x3D }
  /// Rates of the ultra-high-performance mode, hertz, by DO[2:0]; the last is FAST_ODR.
  static var rates: [Double] { [0.625, 1.25, 2.5, 5, 10, 20, 40, 80, 155] }
  /// Where the data begin in a reading.
  private static var dataIndex: Int {
    Int(Register.outX.rawValue - Register.control1.rawValue)
  }

  /// The part number.
  public let model: ChipModel
  /// The chip's address, 0x1C or 0x1E.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half the time of a conversion, which in the best mode cannot be longer than FAST_ODR's period.
  public var latencySeconds: Double { 0.5 / 155 }

  private let link: ChipLink<Bus>
  private let range: Range
  private let table: [RegisterSetting]
  /// Set after an interrupted transfer: a half-read axis holds its old value (BDU).
  private var mayHoldOldAxis = false

  /// Makes a driver; nothing is transferred before `start`. Without a rate it is 80 Hz.
  public init(
    bus: Bus, address: UInt8, settings: ChipSettings, model: ChipModel = .lis3mdl
  ) {
    self.model = model
    link = ChipLink(bus: bus, address: address, model: model)
    range = .holding(settings.fieldMicrotesla)
    let index = settings.rateIndex(among: Self.rates, default: 80)
    rateHertz = Self.rates[index]
    let rateBits = index == 8 ? UInt8(0x02) : UInt8(index) << 2
    table = [
      // Thermometer off, OM 11: x and y in ultra-high-performance mode.
      RegisterSetting(Register.control1.rawValue, 0x60 | rateBits),
      RegisterSetting(Register.control2.rawValue, range.rawValue),
      // OMZ 11: z in the same mode. BLE 0: low byte first.
      RegisterSetting(Register.control4.rawValue, 0x0C),
      // BDU: the two bytes of an axis belong to one conversion.
      RegisterSetting(Register.control5.rawValue, 0x40),
      // MD 00: continuous; last, so that the first conversion has all of the above.
      RegisterSetting(Register.control3.rawValue, 0x00),
    ]
  }

  /// Identity, reset, configuration.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    // SOFT_RST: every register at its default, whatever was set before.
    try link.write(0x04, to: Register.control2.rawValue)
    // The data sheets give no time for it; PX4's LSM9DS1 driver waits 50 µs.
    link.bus.wait(nanoseconds: 1_000_000)
    try link.apply(table)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The conversion that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    guard let bytes = try readSample() else { return nil }
    let field = Self.decode(bytes, at: Self.dataIndex, range: range)
    return field.components.isWithin(range.microtesla) ? .value(field) : .saturated
  }

  /// The field that six bytes from OUT_X_L on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: Range
  ) -> MagneticField<SensorFrame> {
    MagneticField(microtesla: bytes.littleEndianAxes(at: index) * (100 / range.countsPerGauss))
  }

  /// The registers from CTRL_REG1 to the last data register, where the conversion is new and was
  /// made with this configuration; nil otherwise.
  private mutating func readSample() throws(ChipError) -> RegisterBytes? {
    let isComplete = !mayHoldOldAxis
    mayHoldOldAxis = true
    // Configuration, status and data in one transfer; the top bit counts the register up.
    let bytes = try link.readSample(Register.control1.rawValue | 0x80, count: Self.dataIndex + 6)
    mayHoldOldAxis = false
    guard isComplete else { return nil }
    // ZYXDA: all three axes are new since the last reading.
    guard bytes[Self.index(of: .status)] & 0x08 != 0 else { return nil }
    for setting in table {
      let index = Int(setting.register - Register.control1.rawValue)
      guard setting.matches(bytes[index]) else { return nil }
    }
    return bytes
  }

  private static func index(of register: Register) -> Int {
    Int(register.rawValue - Register.control1.rawValue)
  }
}
