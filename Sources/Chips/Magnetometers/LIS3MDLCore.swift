import Quantities

/// The common part of the drivers of ST's LIS3MDL and the magnetometer in the LSM9DS1, which has
/// the same registers; their sensitivities are parameters.
///
/// - Source: ST LIS3MDL data sheet DocID024204: register map, CTRL_REG1 to CTRL_REG5, STATUS_REG
///   and section 5.1.1 (the top bit of the register number counts up); the same registers in Linux,
///   st_magn_core.c, which serves both parts with one table.
struct LIS3MDLCore<Bus: RegisterBus> {
  enum Register: UInt8 {
    case whoAmI = 0x0F, control1 = 0x20, control2, control3, control4, control5
    case status = 0x27, outX
  }

  /// WHO_AM_I's content in both.
  static var identity: UInt8 { 0x3D }
  /// Rates of the ultra-high-performance mode, hertz, by DO[2:0]; the last is FAST_ODR.
  static var rates: [Double] { [0.625, 1.25, 2.5, 5, 10, 20, 40, 80, 155] }
  /// Half the time of a conversion, which in that mode cannot be longer than FAST_ODR's period.
  static var latencySeconds: Double { 0.5 / 155 }
  /// Where the data begin in `readSample`.
  static var dataIndex: Int { Int(Register.outX.rawValue - Register.control1.rawValue) }

  let link: ChipLink<Bus>
  let rateHertz: Double

  private let table: [RegisterSetting]
  /// Set after an interrupted transfer: a half-read axis holds its old value (BDU).
  private var mayHoldOldAxis = false

  /// - Parameters:
  ///   - link: The chip's registers.
  ///   - range: The bits FS in their place in CTRL_REG2.
  ///   - requested: The lowest rate, hertz; nil for 80.
  init(link: ChipLink<Bus>, range: UInt8, rateHertz requested: Double?) {
    self.link = link
    let wanted = requested ?? 80
    let index = Self.rates.firstIndex { $0 >= wanted } ?? Self.rates.count - 1
    rateHertz = Self.rates[index]
    let rateBits = index == 8 ? UInt8(0x02) : UInt8(index) << 2
    table = [
      // Thermometer off, OM 11: x and y in ultra-high-performance mode.
      RegisterSetting(Register.control1.rawValue, 0x60 | rateBits),
      RegisterSetting(Register.control2.rawValue, range),
      // OMZ 11: z in the same mode. BLE 0: low byte first.
      RegisterSetting(Register.control4.rawValue, 0x0C),
      // BDU: the two bytes of an axis belong to one conversion.
      RegisterSetting(Register.control5.rawValue, 0x40),
      // MD 00: continuous; last, so that the first conversion has all of the above.
      RegisterSetting(Register.control3.rawValue, 0x00),
    ]
  }

  func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    // SOFT_RST: every register at its default, whatever was set before.
    try link.write(0x04, to: Register.control2.rawValue)
    // The data sheets give no time for it; PX4's LSM9DS1 driver waits 50 µs.
    link.bus.wait(nanoseconds: 1_000_000)
    try link.apply(table)
  }

  func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The registers from CTRL_REG1 to the last data register, where the conversion is new and was
  /// made with this configuration; nil otherwise.
  mutating func readSample() throws(ChipError) -> RegisterBytes? {
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

  /// Counts on x, y and z.
  static func counts(_ bytes: RegisterBytes, at index: Int) -> SIMD3<Double> {
    bytes.littleEndianAxes(at: index)
  }

  private static func index(of register: Register) -> Int {
    Int(register.rawValue - Register.control1.rawValue)
  }
}
