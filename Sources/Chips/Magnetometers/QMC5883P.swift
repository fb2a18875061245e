import Quantities

/// QST's magnetometer of the newest GY-271 boards and its relatives by `QMCVariant`, up to 200 Hz.
///
/// - Axes: right-handed, as printed on the package. They lie otherwise than a QMC5883L's: where one
///   is soldered in the place of the other, this chip's x points along the QMC5883L's -y, its y
///   along -x and its z along -z (`ChipFact`). A board's file has that.
/// - Source: QST QMC5883P data sheet: register map, status 09H, control 0AH and 0BH, sensitivity,
///   and its set-up example, which writes 06H to the sign register 29H. Read here as
///   Adafruit_QMC5883P.h has it (addresses, bits, counts a gauss, 50 ms after a reset); the
///   identity, the rates and the reading by DRDY agree with ArduPilot's AP_Compass_QMC5883P.cpp,
///   and 29H with INAV's compass_qmc5883p.c and Betaflight's compass_qmc5883.c. ArduPilot means 29H
///   too, but writes 29H to the data register 06H, which does nothing, and its 0x10 << 2 for ±8
///   gauss does not fit the field.
public struct QMC5883P<Bus: RegisterBus>: Magnetometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case identity = 0x00, outX, status = 0x09, control1, control2, sign = 0x29
  }

  /// The ranges.
  public typealias Range = QMCRange

  /// The part number.
  public var model: ChipModel { link.model }
  /// The chip's address.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of the longest conversion that 200 Hz leaves room for; no source gives its time.
  public var latencySeconds: Double { 0.5 / 200 }

  private let link: ChipLink<Bus>
  private let variant: QMCVariant
  private let range: Range
  private let table: [RegisterSetting]

  /// Makes a driver; nothing is transferred before `start`. The default range is ±8 gauss, whose
  /// steps are 0.027 µT or finer.
  public init(
    bus: Bus, address: UInt8, settings: ChipSettings, variant: QMCVariant = .qmc5883p
  ) {
    link = ChipLink(bus: bus, address: address, model: variant.model)
    self.variant = variant
    let greatest = settings.fieldMicrotesla ?? 800
    range = variant.range(holding: greatest)
    let index = settings.rateIndex(among: variant.rates, default: 100)
    rateHertz = variant.rates[index]
    let rate = UInt8(index) << variant.rateShift
    // The data sheet's example and INAV write it; ArduPilot and PX4 do not. No source reads it
    // back.
    let sign = RegisterSetting(Register.sign.rawValue, 0x06, kept: 0x00)
    table =
      (variant.hasSign ? [sign] : []) + [
        // SET/RESET MODE 00: set and reset before each measurement, which removes the bridge's
        // offset.
        RegisterSetting(
          Register.control2.rawValue, range.bits | (variant.isRateInControl2 ? rate : 0)),
        // OSR2 00: no filter after the converter. OSR1 00: eight samples. MODE 01: normal; last.
        RegisterSetting(
          Register.control1.rawValue, (variant.isRateInControl2 ? 0 : rate) | 0x01),
      ]
  }

  /// Identity, reset, configuration.
  public mutating func start() throws(ChipError) {
    try link.identify(Register.identity.rawValue, as: variant.identity)
    // SOFT_RST, which the table takes back; Adafruit's driver waits as long.
    try link.write(0x80, to: Register.control2.rawValue)
    link.bus.wait(nanoseconds: 50_000_000)
    if variant.loadsMemory { try awaitMemory() }
    try link.apply(table)
  }

  /// Ends the reset, after which the chip loads its trim: ArduPilot's AP_Compass_QMC6309.cpp waits
  /// for NVM_READY and NVM_LOAD_DONE, at most 20 ms.
  private func awaitMemory() throws(ChipError) {
    try link.write(0x00, to: Register.control2.rawValue)
    for _ in 0..<20 {
      link.bus.wait(nanoseconds: 1_000_000)
      if try link.read(Register.status.rawValue) & 0x18 == 0x18 { return }
    }
    throw link.error(.unfinished("its reset"))
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The conversion that ended since the last call.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    // Status and control first, because reading the status or the data clears the ready bit.
    let state = try link.readSample(Register.status.rawValue, count: 3)
    // DRDY.
    guard state[0] & 0x01 != 0 else { return nil }
    for setting in table where setting.register != Register.sign.rawValue {
      let index = Int(setting.register - Register.status.rawValue)
      guard setting.matches(state[index]) else { return nil }
    }
    let bytes = try link.readSample(Register.outX.rawValue, count: 6)
    // OVFL: an axis is beyond its range.
    guard state[0] & 0x02 == 0 else { return .saturated }
    let field = Self.decode(bytes, at: 0, range: range)
    return field.components.isWithin(range.microtesla) ? .value(field) : .saturated
  }

  /// The field that six bytes from the x register's low byte on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int, range: Range
  ) -> MagneticField<SensorFrame> {
    MagneticField(microtesla: bytes.littleEndianAxes(at: index) * (100 / range.countsPerGauss))
  }
}
