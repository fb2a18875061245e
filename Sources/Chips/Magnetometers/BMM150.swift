import Quantities

extension ChipModel {
  /// The BMM150. Its identity can be read only while it is awake: see `WakeCommand`.
  public static let bmm150 = ChipModel(
    "BMM150", .field, at: [0x10, 0x11, 0x12, 0x13], Identity(0x40, 0x32)
  )
  // Source: BST-BMM150-DS001, SPI: RW# and 7 bits, PS low.
  .over(SPIFraming(fastestHertz: 10_000_000))
}

/// Bosch's magnetometer BMM150: ±1300 µT on x and y, ±2500 µT on z, to 30 Hz, with the factory's
/// trim.
///
/// - Axes: right-handed, as printed on the package.
/// - Source: Bosch BMM150 data sheet BST-BMM150-DS001: memory map (0x40 to 0x52), power modes,
///   repetitions and their recommended presets, longest rate. Registers, trim, formulas, rates and
///   the time of a measurement were read from Linux bmc150_magn.c; registers, overflow values and
///   the high-accuracy preset agree with PX4's Bosch_BMM150_registers.hpp.
public struct BMM150<Bus: RegisterBus>: Magnetometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case identity = 0x40, outX = 0x42, resistance = 0x48, power = 0x4B, mode, interrupts, dataReady
    case repetitionsXY = 0x51, repetitionsZ, trim = 0x5D
  }

  /// Rates with their bits in the mode register, hertz.
  static var rates: [(hertz: Double, bits: UInt8)] {
    [(2, 1), (6, 2), (8, 3), (10, 0), (15, 4), (20, 5), (25, 6), (30, 7)]
  }
  /// The fastest rate of the preset of high accuracy: 47 repetitions on x and y, 83 on z.
  static var accurateHertz: Double { 20 }
  /// From suspend to sleep mode, nanoseconds.
  static var wakeNanoseconds: UInt64 { 3_000_000 }

  /// The part number.
  public var model: ChipModel { .bmm150 }
  /// The chip's address, 0x10 to 0x13.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of a measurement: 145 µs for each repetition on x and y, 500 µs on z, and 980 µs.
  public let latencySeconds: Double

  private let link: ChipLink<Bus>
  private let table: [RegisterSetting]
  private var trim: BMM150Trim?

  /// Makes a driver; nothing is transferred before `start`. The chip has one range. The default
  /// rate is the fastest with the preset of high accuracy.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .bmm150)
    let rate = settings.rate(among: Self.rates, default: Self.accurateHertz) { $0.hertz }
    rateHertz = rate.hertz
    // Above 20 Hz the preset of enhanced regular accuracy.
    let isAccurate = rate.hertz <= Self.accurateHertz
    let (repetitionsXY, repetitionsZ) = isAccurate ? (47, 83) : (15, 27)
    let microseconds = Double(145 * repetitionsXY + 500 * repetitionsZ + 980)
    latencySeconds = 0.5e-6 * microseconds
    table = [
      RegisterSetting(Register.repetitionsXY.rawValue, UInt8((repetitionsXY - 1) / 2)),
      RegisterSetting(Register.repetitionsZ.rawValue, UInt8(repetitionsZ - 1)),
      // Data-ready pin, active high, and the three axes on.
      RegisterSetting(
        Register.dataReady.rawValue, settings.drivesDataReadyLine ? 0x84 : 0x04, kept: 0xBC),
      // Opmode 00: normal; last.
      RegisterSetting(Register.mode.rawValue, rate.bits << 3, kept: 0x3E),
    ]
  }

  /// Wakes the chip, identity, reset, trim, configuration.
  public mutating func start() throws(ChipError) {
    trim = nil
    try wake()
    try link.identify(Register.identity.rawValue, as: 0x32)
    // Soft reset: into suspend mode, whatever was set before.
    try link.write(0x82, to: Register.power.rawValue)
    link.bus.wait(nanoseconds: Self.wakeNanoseconds)
    try link.write(0x01, to: Register.power.rawValue)
    link.bus.wait(nanoseconds: Self.wakeNanoseconds)
    let bytes = try link.readSample(Register.trim.rawValue, count: BMM150Trim.count)
    let trim = BMM150Trim(bytes)
    if let fault = trim.fault { throw link.error(.badFactoryData(fault)) }
    try link.apply(table)
    self.trim = trim
  }

  /// In suspend mode every register but one reads as zero: only then the chip is written to before
  /// its identity is known.
  private func wake() throws(ChipError) {
    guard try link.read(Register.identity.rawValue) == 0x00 else { return }
    guard try link.read(Register.power.rawValue) == 0x00 else { return }
    try link.write(0x01, to: Register.power.rawValue)
    link.bus.wait(nanoseconds: Self.wakeNanoseconds)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The measurement that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    guard let trim else { return nil }
    // Data, Hall resistance with the ready bit, status and configuration in one transfer.
    let first = Register.outX.rawValue
    let bytes = try link.readSample(first, count: Int(Register.repetitionsZ.rawValue - first) + 1)
    // DRDY status.
    guard bytes[Int(Register.resistance.rawValue - first)] & 0x01 != 0 else { return nil }
    for setting in table where !setting.matches(bytes[Int(setting.register - first)]) {
      return nil
    }
    return Self.decode(bytes, at: 0, trim)
  }

  /// The field that eight bytes from DATAX on stand for.
  package static func decode(
    _ bytes: RegisterBytes, at index: Int, _ trim: BMM150Trim
  ) -> Reading<MagneticField<SensorFrame>> {
    // 13, 13, 15 and 14 bits, left-aligned.
    let raw = SIMD3(
      Int(bytes.littleEndian(at: index)) >> 3, Int(bytes.littleEndian(at: index + 2)) >> 3,
      Int(bytes.littleEndian(at: index + 4)) >> 1)
    let resistance = Int(UInt16(bitPattern: bytes.littleEndian(at: index + 6)) >> 2)
    guard let field = trim.sixteenths(raw, resistance: resistance) else { return .saturated }
    return .value(
      MagneticField(
        microtesla: SIMD3(Double(field.x), Double(field.y), Double(field.z)) / 16))
  }
}
