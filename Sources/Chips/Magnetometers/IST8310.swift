import Quantities

extension ChipModel {
  /// The IST8310.
  public static let ist8310 = ChipModel(
    "IST8310", .field, at: [0x0E, 0x0C, 0x0D, 0x0F], Identity(0x00, 0x10))
}

/// iSentek's magnetometer of many receiver pucks: ±1600 µT on x and y, ±2500 µT on z, up to 150 Hz.
/// It has no continuous mode: the driver starts each measurement.
///
/// Poll several times a period: a measurement is read at the next poll, and the next one starts
/// then.
///
/// - Axes: x and y as printed on the package, z into it: the chip's own z completes a left-handed
///   system, and is inverted here, as PX4 and ArduPilot do.
/// - Source: iSentek IST8310 data sheet: STAT1, CNTL1 to CNTL3, AVGCNTL, PDCNTL. Registers, bits,
///   1320 counts a gauss with 16 bits and 6 ms with 16 measurements averaged were read from PX4's
///   iSentek_IST8310_registers.hpp and IST8310.cpp; registers, averaging, pulses, ranges and the
///   sign of z agree with ArduPilot's AP_Compass_IST8310.cpp, which leaves the chip at 330 counts a
///   gauss.
public struct IST8310<Bus: RegisterBus>: Magnetometer {
  /// The registers in use.
  public enum Register: UInt8, Sendable {
    case identity = 0x00, status1 = 0x02, outX, control1 = 0x0A, control2, control3 = 0x0D
    case average = 0x41, pulseDuration
  }

  /// Counts a microtesla with 16 bits.
  static var countsPerMicrotesla: Double { 13.2 }
  /// The range on x and y, microtesla; z's ends at the 16 bits, 2482.
  static var fullScale: Double { 1600 }
  /// The time of a measurement with 16 measurements averaged.
  static var measurementNanoseconds: UInt64 { 6_000_000 }
  /// A measurement that takes longer than this was lost with the power.
  static var lostNanoseconds: UInt64 { 30_000_000 }

  /// The part number.
  public var model: ChipModel { .ist8310 }
  /// The chip's address, 0x0C to 0x0F.
  public var address: UInt8 { link.address }
  /// Samples a second, at most 150.
  public let rateHertz: Double
  /// Half of a measurement.
  public var latencySeconds: Double { 0.5e-9 * Double(Self.measurementNanoseconds) }

  private let link: ChipLink<Bus>
  private let table: [RegisterSetting]
  private let drivesDataReadyLine: Bool
  private var pace: Pace
  private var begun: Timestamp?

  /// Makes a driver; nothing is transferred before `start`. The chip has one range.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .ist8310)
    drivesDataReadyLine = settings.drivesDataReadyLine
    pace = Pace(hertz: min(settings.rateHertz ?? 50, 150))
    rateHertz = 1 / pace.seconds
    table = [
      // 16 bits on the three axes.
      RegisterSetting(Register.control3.rawValue, 0x70, kept: 0x70),
      // Sixteen measurements averaged on y, and on x and z.
      RegisterSetting(Register.average.rawValue, 0x24, kept: 0x3F),
      // The pulses' duration: normal, which the sheet asks for.
      RegisterSetting(Register.pulseDuration.rawValue, 0xC0, kept: 0xC0),
    ]
  }

  /// Identity, reset, configuration.
  public mutating func start() throws(ChipError) {
    begun = nil
    pace.reset()
    try link.identify(Register.identity.rawValue, as: 0x10)
    // SRST; at most 50 ms, as after power-on.
    try link.reset(
      by: 0x01, to: Register.control2.rawValue, bit: 0x01, nanoseconds: 50_000_000)
    try link.apply(table)
    // DREN and DRP: the pin rises with DRDY. No source reads these bits back.
    if drivesDataReadyLine { try link.write(0x0C, to: Register.control2.rawValue) }
  }

  /// Whether the registers still hold the configuration table.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { try link.holds(table) }

  /// The measurement that ended since the last call; starts the next one when it is due.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    guard let begun else {
      try beginIfDue()
      return nil
    }
    let age = link.bus.now.nanoseconds &- begun.nanoseconds
    guard age >= Self.measurementNanoseconds else { return nil }
    self.begun = nil
    // STAT1, the data, STAT2 and CNTL1 to CNTL3 in one transfer.
    let bytes = try link.readSample(Register.status1.rawValue, count: 12)
    for setting in table where setting.register <= Register.control3.rawValue {
      guard setting.matches(bytes[Int(setting.register - Register.status1.rawValue)]) else {
        return nil
      }
    }
    // DRDY.
    guard bytes[0] & 0x01 != 0 else {
      if age < Self.lostNanoseconds { self.begun = begun }
      return nil
    }
    try beginIfDue()
    return Self.decode(bytes, at: 1)
  }

  private mutating func beginIfDue() throws(ChipError) {
    guard pace.isDue(at: link.bus.now) else { return }
    // MODE 0001: one measurement, then standby.
    try link.write(0x01, to: Register.control1.rawValue)
    let now = link.bus.now
    begun = now
    pace.began(at: now)
  }

  /// The field that six bytes from DATAXL on stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int
  ) -> Reading<MagneticField<SensorFrame>> {
    let counts = bytes.littleEndianAxes(at: index)
    let field = counts * SIMD3(1, 1, -1) / countsPerMicrotesla
    guard abs(field.x) <= fullScale, abs(field.y) <= fullScale, abs(counts.z) < 32_767 else {
      return .saturated
    }
    return .value(MagneticField(microtesla: field))
  }
}
