import Quantities

extension ChipModel {
  /// The LPS25HB and its forerunner.
  public static let lps25hb = ChipModel(
    "LPS25HB", .pressure, at: [0x5C, 0x5D], Identity(0x0F, 0xBD, "LPS25H or LPS25HB")
  )
  // Source: LPS25HB data sheet, SPI: MS bit.
  .over(SPIFraming(fastestHertz: 10_000_000, burstBit: 0x40))
}

/// ST's barometer of the Sense HAT and many kits: 260 to 1260 hPa, up to 25 Hz, compensated inside. An
/// LPS25H answers with the same identity and the same registers.
///
/// - Source: ST LPS25HB data sheet DocID027112: register map and sections on WHO_AM_I to TEMP_OUT_H, as
///   ST's own drivers give them (STMicroelectronics/lps25hb-pid, lps25hb_reg.h and .c; LPS25HB_Driver.h
///   1.2.5, which names defaults, averages and what clears the flags); Linux
///   drivers/iio/pressure/st_pressure_core.c for identity, rates, scales and flags; AN4450 section 6.2
///   for the time of a conversion.
public struct LPS25HB<Bus: RegisterBus>: Barometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case whoAmI = 0x0F, resolution = 0x10, control1 = 0x20, control2, control3, control4
    case status = 0x27, pressure, fifoControl = 0x2E
  }

  /// WHO_AM_I's content.
  public static var identity: UInt8 { 0xBD }
  /// The chip's range, hectopascal.
  public static var measurable: ClosedRange<Double> { 260...1260 }
  /// Rates, hertz; one more than its index is ODR[2:0].
  static var rates: [Double] { [1, 7, 12.5, 25] }
  /// Averages of the best resolution, which is possible at every rate: AVGP 11 and AVGT 11.
  static var averages: (pressure: Double, temperature: Double) { (512, 64) }
  /// The polls before a restart times out: ten times the 2 ms that ST's drivers and the kernel
  /// allow.
  static var restartPolls: Int { 20 }

  /// The part number.
  public var model: ChipModel { .lps25hb }
  /// The chip's address, 0x5C or 0x5D.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of a conversion, which takes 62 µs for each value averaged and 975 µs (AN4450, section 6.2).
  public var latencySeconds: Double {
    0.5 * (62e-6 * (Self.averages.pressure + Self.averages.temperature) + 975e-6)
  }

  private let link: ChipLink<Bus>
  private let table: [RegisterSetting]

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .lps25hb)
    let wanted = settings.rateHertz ?? Self.rates[Self.rates.count - 1]
    let index = Self.rates.firstIndex { $0 >= wanted } ?? Self.rates.count - 1
    rateHertz = Self.rates[index]
    table = [
      RegisterSetting(Register.resolution.rawValue, 0x0F, kept: 0x0F),
      // No FIFO, no autozero: the outputs are the pressure itself.
      RegisterSetting(Register.control2.rawValue, 0x00),
      RegisterSetting(Register.fifoControl.rawValue, 0x00),
      // Data signal on INT_DRDY, active high, push-pull.
      RegisterSetting(Register.control3.rawValue, 0x00),
      // DRDY where the line is wired.
      RegisterSetting(Register.control4.rawValue, settings.drivesDataReadyLine ? 0x01 : 0x00),
      // PD: active; BDU: the bytes of a value belong to one conversion. Last, so that the first
      // conversion has all of the above.
      RegisterSetting(Register.control1.rawValue, 0x84 | UInt8(index + 1) << 4),
    ]
  }

  /// Identity, reset, configuration.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: Self.identity)
    // BOOT and SWRESET: factory trimming and registers as after power-on; both clear when done.
    let restart: UInt8 = 0x84
    try link.write(restart, to: Register.control2.rawValue)
    for poll in 1...Self.restartPolls {
      link.bus.wait(nanoseconds: 1_000_000)
      if try link.read(Register.control2.rawValue) & restart == 0 { break }
      if poll == Self.restartPolls { throw link.error(.unfinished("its reset")) }
    }
    try link.apply(table)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The conversion that ended since the last call.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    // STATUS_REG and the five bytes behind it in one transfer; the top bit counts the register up.
    let bytes = try link.readSample(Register.status.rawValue | 0x80, count: 6)
    // P_DA and T_DA: both are new since the last reading. After a loss of power neither comes.
    guard bytes[0] & 0x03 == 0x03 else { return nil }
    return try link.measurable(Self.decode(bytes, at: 1), within: Self.measurable)
  }

  /// The sample that five bytes from PRESS_OUT_XL on stand for.
  public static func decode(_ bytes: RegisterBytes, at index: Int) -> PressureReading {
    // 24 bits of two's complement at the top of 32, brought down with their sign.
    let top =
      UInt32(bytes[index]) << 8 | UInt32(bytes[index + 1]) << 16 | UInt32(bytes[index + 2]) << 24
    return PressureReading(
      // 4096 counts a hectopascal; 480 counts a degree from 42.5 °C on.
      hectopascal: Double(Int32(bitPattern: top) >> 8) / 4096,
      celsius: 42.5 + Double(bytes.littleEndian(at: index + 3)) / 480)
  }
}
