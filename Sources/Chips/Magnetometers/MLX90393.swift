import Quantities

extension ChipModel {
  /// The MLX90393, which has no identity: see `RecognisedChip`.
  public static let mlx90393 = ChipModel(
    "MLX90393", .field, at: [0x0C, 0x0D, 0x0E, 0x0F, 0x18, 0x19, 0x1A, 0x1B])
}

/// Melexis's magnetometer MLX90393 of Adafruit's and SparkFun's boards, with Hall elements: ±6000
/// µT in steps of 0.3 µT on x and y and 0.484 µT on z, up to about 100 Hz. It has commands in place
/// of registers, each answered by a status byte; those that change something need more bytes than a
/// register's number.
///
/// The converter has 19 bits, of which 16 are read, and what is beyond them wraps round. Bits 16 to
/// 1 (RES 1) are the finest in which a field that wraps is still distinguished from one that does
/// not: the converter ends at ±44,000 of these counts, which read as ∓21,536, and what reads beyond
/// ±20,000 is reported as saturated.
///
/// The driver starts each measurement, of x, y and z one after the other. Poll several times a
/// period.
///
/// - Axes: x, y and z as the data sheet has them, right-handed. The print on Adafruit's first
///   boards has x and y exchanged (`ChipFact`).
/// - Source: Melexis 3901090393 (commands, status byte; its revision 002, pages 13 and 16, was
///   read), Adafruit_MLX90393.h and .cpp (commands, sensitivities with HALLCONF 0xC, conversion
///   times), functionpointer's arduino-MLX90393 (the same sensitivities, 2 ms for a reset), RIOT's
///   `mlx90393.c` by M. Ristau (conversion times, settings that do not work), INAV's
///   `compass_mlx90393.c` (reset bit).
public struct MLX90393<Bus: RegisterBus>: Magnetometer, RecognisedChip {
  /// The commands in use; the low four bits of those that measure choose z, y, x and temperature.
  public enum Command: UInt8, Sendable {
    case nothing = 0x00, measure = 0x3E, readTemperature = 0x41, readMeasurement = 0x4E
    case readRegister = 0x50, writeRegister = 0x60, exitMode = 0x80, reset = 0xF0
  }

  /// Bits of the status byte.
  enum Status {
    static var modes: UInt8 { 0xE0 }
    static var error: UInt8 { 0x10 }
    static var corrected: UInt8 { 0x08 }
    static var reset: UInt8 { 0x04 }
  }

  /// A register of 16 bits with the bits that the driver sets; the others, among them the factory's
  /// trim, stay as they are.
  struct Setting: Sendable {
    let register: UInt8
    let value: UInt16
    let bits: UInt16
  }

  /// Microtesla a count of x, y and z with HALLCONF 0xC, GAIN_SEL 7 and RES 1.
  static var microteslaPerCount: SIMD3<Double> { SIMD3(0.3004, 0.3004, 0.484) }
  /// The greatest count that is not wrapped: the converter's 88,000 of the finest counts are
  /// 44,000, which read as -21,536.
  static var greatestCount: Double { 20_000 }
  /// The share of a period that a measurement may take; the rest is the delay of a caller that
  /// polls five times a period.
  static var share: Double { 0.8 }
  /// How much longer a measurement may take than the data sheet's typical time, by
  /// arduino-MLX90393.
  static var tolerance: Double { 1.3 }
  /// After so many times its longest time a measurement is lost.
  static var lostTimes: UInt64 { 3 }
  /// The default rate, hertz.
  static var usualHertz: Double { 25 }

  /// The typical time of a measurement of three axes with OSR 3 and a digital filter, nanoseconds.
  static func nanoseconds(filter: UInt8) -> UInt64 {
    816_000 + 3 * (67_000 + 64_000 * 8 * (2 + UInt64(1) << UInt64(filter)))
  }
  /// The greatest rate with a digital filter.
  static func greatestHertz(filter: UInt8) -> Double {
    share / (1e-9 * tolerance * Double(nanoseconds(filter: filter)))
  }

  /// The part number.
  public var model: ChipModel { .mlx90393 }
  /// The chip's address, 0x0C to 0x0F, or 0x18 to 0x1B by its order code.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half of a measurement.
  public var latencySeconds: Double { 0.5e-9 * Double(Self.nanoseconds(filter: filter)) }

  private let link: ChipLink<Bus>
  private let filter: UInt8
  private let longest: UInt64
  private let table: [Setting]
  private var pace: Pace
  private var begun: Timestamp?
  /// True before a start, and after the chip lost its configuration.
  private var isLost = true
  /// After a fault, the instant from which on the chip is not busy: then it is checked.
  private var doubtfulUntil: Timestamp?

  /// Makes a driver; nothing is transferred before `start`. The chip is used with one range.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .mlx90393)
    let wanted = 1 / Pace(hertz: settings.rateHertz ?? Self.usualHertz).seconds
    var filter: UInt8 = 5
    while filter > 0, Self.greatestHertz(filter: filter) < wanted { filter -= 1 }
    self.filter = filter
    rateHertz = min(wanted, Self.greatestHertz(filter: filter))
    pace = Pace(hertz: rateHertz)
    longest = UInt64(bounded: Self.tolerance * Double(Self.nanoseconds(filter: filter)))
    table = [
      // No self-test, z not by its series, GAIN_SEL 7: the finest, HALLCONF 0xC: the factory's.
      Setting(register: 0, value: 0x007C, bits: 0x01FF),
      // No trigger by a pin, no compensation; with a line, it is the one of the trigger too.
      Setting(register: 1, value: settings.drivesDataReadyLine ? 0x8000 : 0x0000, bits: 0x8C00),
      // RES 1 on three axes, the filter, OSR 3.
      Setting(register: 2, value: 0x02A0 | UInt16(filter) << 2 | 0x03, bits: 0x1FFF),
    ]
  }

  /// Checks by commands that change nothing that this is the chip; only reads. A second reading of
  /// a measurement that does not exist is an error, and the answer counts the bytes that were asked
  /// for. The first one after power-on is none (a bug that a user of the chip reported).
  public func recognise() throws(ChipError) {
    let modes = try idleStatus() & Status.modes
    _ = try status(.readMeasurement)
    _ = try status(.readTemperature)
    let three = try status(.readMeasurement) & ~Status.corrected
    let one = try status(.readTemperature) & ~Status.corrected
    guard modes & (modes &- 1) == 0, three == modes | Status.error | 0x02,
      one == modes | Status.error
    else { throw wrong(.readMeasurement, Status.error | 0x02, three) }
    _ = try idleStatus()
  }

  /// Recognition, its reset with the status bit of that, configuration. Nothing is written before.
  public mutating func start() throws(ChipError) {
    isLost = true
    begun = nil
    pace.reset()
    let first = try idleStatus()
    _ = try status(.exitMode)
    link.bus.wait(nanoseconds: 1_000_000)
    // Power-on takes at most 1.6 ms. The bit is in the first status after the reset, which may be
    // the command's own.
    let resetting = try status(.reset)
    link.bus.wait(nanoseconds: 2_000_000)
    let after = try status(.nothing)
    guard (resetting | after) & Status.reset != 0, resetting != 0xFF, after != 0xFF else {
      if first == 0, resetting == 0, after == 0 { throw link.error(.constantBytes(0x00)) }
      throw wrong(.reset, Status.reset, resetting)
    }
    let cleared = try idleStatus()
    guard cleared & Status.reset == 0 else { throw wrong(.nothing, 0x00, cleared) }
    for setting in table {
      let old = try read(setting.register)
      try write(old & ~setting.bits | setting.value, to: setting.register)
      let found = try read(setting.register)
      guard found & setting.bits == setting.value else {
        throw refused(setting, found & setting.bits)
      }
    }
    // The first reading of all would pass without a measurement.
    _ = try status(.readMeasurement)
    isLost = false
    doubtfulUntil = nil
  }

  /// Whether the registers still hold the configuration. Not asked in a measurement, whose status
  /// shows a loss of power.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard !isLost else { return false }
    guard begun == nil, doubtfulUntil == nil else { return true }
    isLost = try !holds()
    return !isLost
  }

  /// The measurement that ended since the last call; starts the next one when it is due.
  public mutating func readField() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    guard !isLost else { return nil }
    do throws(ChipError) {
      return try step()
    } catch {
      // The chip may be measuring, and the status with the bit of a reset may be lost.
      begun = nil
      doubtfulUntil = link.bus.now.advanced(byNanoseconds: longest)
      throw error
    }
  }

  private mutating func step() throws(ChipError) -> Reading<MagneticField<SensorFrame>>? {
    if let end = doubtfulUntil {
      guard link.bus.now >= end else { return nil }
      guard try holds() else {
        isLost = true
        return nil
      }
      _ = try status(.readMeasurement)
      doubtfulUntil = nil
    }
    guard let begun else {
      try beginIfDue()
      return nil
    }
    let age = link.bus.now.nanoseconds &- begun.nanoseconds
    guard age >= longest else { return nil }
    let bytes = try link.readSample(Command.readMeasurement.rawValue, count: 7)
    if bytes.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    guard bytes[0] & Status.reset == 0 else {
      isLost = true
      return nil
    }
    // Not ready.
    guard bytes[0] & Status.error == 0 else {
      if age > Self.lostTimes * longest { throw link.error(.unfinished("its measurement")) }
      return nil
    }
    self.begun = nil
    try beginIfDue()
    return isLost ? nil : Self.decode(bytes, at: 1)
  }

  private mutating func beginIfDue() throws(ChipError) {
    guard pace.isDue(at: link.bus.now) else { return }
    let answer = try status(.measure)
    guard answer & Status.reset == 0 else {
      isLost = true
      return
    }
    guard answer != 0xFF else { throw link.error(.constantBytes(0xFF)) }
    guard answer & Status.error == 0 else {
      throw link.error(.unfinished("its measurement"))
    }
    let now = link.bus.now
    begun = now
    pace.began(at: now)
  }

  /// The field that six bytes behind the status stand for.
  public static func decode(
    _ bytes: RegisterBytes, at index: Int
  ) -> Reading<MagneticField<SensorFrame>> {
    let counts = SIMD3(
      Double(bytes.bigEndian(at: index)), Double(bytes.bigEndian(at: index + 2)),
      Double(bytes.bigEndian(at: index + 4)))
    guard counts.isWithin(greatestCount) else { return .saturated }
    return .value(MagneticField(microtesla: counts * microteslaPerCount))
  }

  // MARK: Commands

  /// The status that answers a command of one byte.
  private func status(_ command: Command) throws(ChipError) -> UInt8 {
    try link.read(command.rawValue, count: 1)[0]
  }

  /// The status that answers no command.
  private func idleStatus() throws(ChipError) -> UInt8 {
    let found = try status(.nothing)
    guard found != 0xFF else { throw link.error(.constantBytes(0xFF)) }
    guard found & Status.error == 0 else {
      throw wrong(.nothing, found & ~Status.error, found)
    }
    return found
  }

  private func holds() throws(ChipError) -> Bool {
    for setting in table where try read(setting.register) & setting.bits != setting.value {
      return false
    }
    return true
  }

  private func read(_ register: UInt8) throws(ChipError) -> UInt16 {
    try send(.readRegister, RegisterBytes([register << 2]))
    let bytes = try answer(count: 3)
    return UInt16(bitPattern: bytes.bigEndian(at: 1))
  }

  private func write(_ value: UInt16, to register: UInt8) throws(ChipError) {
    try send(
      .writeRegister, RegisterBytes([UInt8(value >> 8), UInt8(value & 0xFF), register << 2]))
    _ = try answer(count: 1)
  }

  private func send(_ command: Command, _ bytes: RegisterBytes) throws(ChipError) {
    var bytes = bytes
    // A typed error does not pass through the standard library's closures.
    var failure: BusError?
    bytes.fill {
      do throws(BusError) {
        try link.bus.write(UnsafeRawBufferPointer($0), to: command.rawValue, of: link.address)
      } catch { failure = error }
    }
    if let failure { throw link.error(.bus(failure)) }
  }

  /// The status and what is behind it.
  private func answer(count: Int) throws(ChipError) -> RegisterBytes {
    let bytes = try link.receive(count: count)
    if bytes.isConstant(0xFF) { throw link.error(.constantBytes(0xFF)) }
    guard bytes[0] & Status.error == 0 else {
      throw link.error(.unfinished("a command that reads or writes a register"))
    }
    return bytes
  }

  private func wrong(_ command: Command, _ expected: UInt8, _ found: UInt8) -> ChipError {
    link.error(.wrongIdentity(register: command.rawValue, expected: expected, found: found))
  }

  /// The byte that was refused.
  private func refused(_ setting: Setting, _ found: UInt16) -> ChipError {
    let shift: UInt16 = (found ^ setting.value) & 0xFF == 0 ? 8 : 0
    return link.error(
      .configurationRefused(
        register: setting.register, wrote: UInt8(setting.value >> shift & 0xFF),
        found: UInt8(found >> shift & 0xFF)))
  }
}
