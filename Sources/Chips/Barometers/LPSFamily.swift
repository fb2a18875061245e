import Quantities

/// ST's barometers LPS25HB, LPS22HB, LPS22HH and LPS22DF: 260 to 1260 hPa, up to 25, 75 or 200 Hz,
/// compensated inside. Their variants have the sources.
public struct LPSFamily<Bus: RegisterBus>: Barometer {
  /// The registers that all have; the others are in the variant's table.
  public enum Register: UInt8, Sendable {
    case whoAmI = 0x0F, status = 0x27, pressure
  }

  /// What is delivered, hectopascal. The sheet's range is 260 to 1260; below it see `ThinAir`.
  public static var measurable: ClosedRange<Double> { ThinAir.hectopascal...1260 }
  /// The polls before a restart times out: ten times the 2 ms that ST's drivers and the kernel
  /// allow.
  static var restartPolls: Int { 20 }

  /// The part number.
  public var model: ChipModel { variant.model }
  /// The chip's address, 0x5C or 0x5D.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of a conversion.
  public let latencySeconds: Double

  private let link: ChipLink<Bus>
  private let variant: LPSVariant
  private let table: [RegisterSetting]

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings, variant: LPSVariant) {
    link = ChipLink(bus: bus, address: address, model: variant.model)
    self.variant = variant
    let rate = settings.rate(among: variant.rates, default: LPSVariant.usualHertz) { $0.hertz }
    rateHertz = rate.hertz
    latencySeconds = rate.latencySeconds
    table = variant.table(rate, settings.drivesDataReadyLine)
  }

  /// Identity, restart, configuration.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.whoAmI.rawValue, as: variant.identity)
    let (register, bits) = variant.restart
    try link.write(bits, to: register)
    for poll in 1...Self.restartPolls {
      link.bus.wait(nanoseconds: 1_000_000)
      if try link.read(register) & bits == 0 { break }
      if poll == Self.restartPolls { throw link.error(.unfinished("its reset")) }
    }
    try link.apply(table)
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The conversion that ended since the last call.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    // The status and the five bytes behind it in one transfer.
    let bytes = try link.readSample(Register.status.rawValue | variant.countUp, count: 6)
    // P_DA and T_DA: both are new since the last reading. After a loss of power neither comes.
    guard bytes[0] & 0x03 == 0x03 else { return nil }
    return try link.measurable(variant.decode(bytes, at: 1), within: Self.measurable)
  }
}
