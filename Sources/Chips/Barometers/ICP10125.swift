import Quantities

extension ChipModel {
  /// The ICP-10125 and its sisters; their identity is asked for by a command, see `WakeCommand`.
  public static let icp10125 = ChipModel("ICP-10125", .pressure, at: [0x63])
    .inFamily("ICP-10100, ICP-10101, ICP-10110, ICP-10111 or ICP-10125")
}

/// TDK InvenSense's barometers ICP-10100, 10101, 10110, 10111 and 10125: 250 to 1150 hPa. They have
/// no registers: commands of 16 bits, which a bus sends as a register's number with one byte, and
/// answers of words with a checksum each, which are read without a register's number. A controller
/// that only knows SMBus cannot do that.
///
/// Each sample is measured on demand. The chip has no configuration; a loss of power loses only the
/// measurement in progress, which is then not answered. The second such measurement in a row is an
/// error.
///
/// Poll several times a period: a measurement is read at the next poll, and is older by the wait.
///
/// - Source: TDK InvenSense DS-000177 revision 1.3 (ICP-10111): sections 5.2 (table 12, commands),
///   5.3 to 5.8 (reset, identity, checksum), 5.9 to 5.11 (coefficients and formulas); DS-000186
///   revision 1.2 (ICP-101xx). Linux drivers/iio/pressure/icp10100.c for the longest times,
///   commands and formulas; Pimoroni's icp10125-python.
public struct ICP10125<Bus: RegisterBus>: Barometer, RecognisedChip {
  /// The commands in use, besides those of a measurement.
  public enum Command: UInt16, Sendable {
    case reset = 0x805D, moveAddress = 0xC595, readCoefficient = 0xC7F7, readIdentity = 0xEFC8
  }

  /// A measurement with the pressure first.
  struct Mode: Sendable {
    let command: UInt16
    /// The longest time that it takes.
    let nanoseconds: UInt64
  }

  /// What is delivered, hectopascal. The sheet's range is 300 to 1100. The word of the pressure is
  /// 0 where the curve through 450 hPa at 3.5 · 2²⁰ ends, near 210 hPa, so that nothing can be
  /// shown below.
  public static var measurable: ClosedRange<Double> { 250...1150 }
  /// The identity, bits 5 to 0 of its word.
  static var identity: UInt8 { 0x08 }
  /// The default rate, hertz.
  static var usualHertz: Double { 25 }
  /// The quietest first: ultra-low noise, low noise, normal, low power.
  static var modes: [Mode] {
    [
      Mode(command: 0x58E0, nanoseconds: 94_500_000),
      Mode(command: 0x5059, nanoseconds: 23_800_000),
      Mode(command: 0x48A3, nanoseconds: 6_300_000),
      Mode(command: 0x401A, nanoseconds: 1_800_000),
    ]
  }
  /// The share of a period that a measurement may take; the rest is the delay of a caller that
  /// polls five times a period.
  static var share: Double { 0.8 }
  /// The time of a reset, nanoseconds.
  static var resetNanoseconds: UInt64 { 170_000 }

  /// The part number.
  public var model: ChipModel { .icp10125 }
  /// The chip's address, 0x63.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public let rateHertz: Double
  /// Half a measurement.
  public var latencySeconds: Double { 0.5e-9 * Double(mode.nanoseconds) }

  /// What the chip is doing.
  private enum Step {
    case idle
    /// Perhaps measuring until then.
    case unknown(until: Timestamp)
    case measuring(begun: Timestamp)
  }

  private let link: ChipLink<Bus>
  private let mode: Mode
  private var pace: Pace
  private var calibration: ICP10125Calibration?
  private var step = Step.idle
  /// Whether the last measurement was not answered.
  private var isLost = false

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .icp10125)
    let wanted = 1 / Pace(hertz: settings.rateHertz ?? Self.usualHertz).seconds
    func greatestHertz(_ mode: Mode) -> Double { Self.share / (1e-9 * Double(mode.nanoseconds)) }
    mode =
      Self.modes.first { greatestHertz($0) >= wanted } ?? Self.modes[Self.modes.count - 1]
    rateHertz = min(wanted, greatestHertz(mode))
    pace = Pace(hertz: rateHertz)
  }

  /// Identity, reset, factory coefficients.
  public mutating func start() throws(ChipError) {
    calibration = nil
    step = .idle
    isLost = false
    pace.reset()
    try send(.readIdentity)
    try recognise()
    try send(.reset)
    link.bus.wait(nanoseconds: Self.resetNanoseconds)
    // The place of the coefficients with its checksum; each read moves on.
    try send(.moveAddress, RegisterBytes([0x00, 0x66, 0x9C]))
    var words = SIMD4<Int16>()
    for index in 0..<4 {
      try send(.readCoefficient)
      words[index] = try receive(words: 1).bigEndian(at: 0)
    }
    let coefficients = ICP10125Calibration(words)
    if let fault = coefficients.fault { throw link.error(.badFactoryData(fault)) }
    calibration = coefficients
  }

  /// Checks the answer to the identity command; only reads.
  public func recognise() throws(ChipError) {
    let found = try receive(words: 1)[1] & 0x3F
    guard found == Self.identity else {
      throw link.error(
        .wrongIdentity(
          register: UInt8(Command.readIdentity.rawValue >> 8), expected: Self.identity,
          found: found))
    }
  }

  /// Whether the chip that was started still answers: it has no configuration. Not asked in a
  /// measurement.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool {
    guard calibration != nil else { return false }
    guard case .idle = step else { return true }
    try send(.readIdentity)
    try recognise()
    return true
  }

  /// The measurement that ended since the last call; begins the next one when it is due.
  public mutating func readPressure() throws(ChipError) -> PressureReading? {
    guard let calibration else { return nil }
    switch step {
    case .idle:
      try beginIfDue()
    case .unknown(let until):
      guard link.bus.now >= until else { return nil }
      step = .idle
      try beginIfDue()
    case .measuring(let begun):
      // Not before the longest time has passed: until its end the chip does not answer.
      guard link.bus.now.nanoseconds &- begun.nanoseconds >= mode.nanoseconds else { return nil }
      step = .idle
      guard let bytes = try measured() else { return nil }
      try beginIfDue()
      return try link.measurable(Self.decode(bytes, calibration), within: Self.measurable)
    }
    return nil
  }

  /// The answer to a measurement; nil for one that was lost with the chip's power.
  private mutating func measured() throws(ChipError) -> RegisterBytes? {
    let wasLost = isLost
    isLost = false
    do throws(ChipError) { return try receive(words: 3) } catch {
      guard case .bus(let cause) = error.kind, cause.kind == .noAnswer, !wasLost else {
        throw error
      }
      isLost = true
      return nil
    }
  }

  private mutating func beginIfDue() throws(ChipError) {
    guard pace.isDue(at: link.bus.now) else { return }
    do throws(ChipError) {
      try send(mode.command)
    } catch {
      // The command may have arrived.
      step = .unknown(until: link.bus.now.advanced(byNanoseconds: mode.nanoseconds))
      throw error
    }
    let now = link.bus.now
    step = .measuring(begun: now)
    pace.began(at: now)
  }

  private func send(
    _ command: Command, _ bytes: RegisterBytes = RegisterBytes(count: 0)
  ) throws(ChipError) {
    try send(command.rawValue, bytes)
  }

  private func send(
    _ command: UInt16, _ bytes: RegisterBytes = RegisterBytes(count: 0)
  ) throws(ChipError) {
    var all = RegisterBytes(count: 1 + bytes.count)
    all[0] = UInt8(truncatingIfNeeded: command)
    for index in 0..<bytes.count { all[index + 1] = bytes[index] }
    // A typed error does not pass through the standard library's closures.
    var failure: BusError?
    all.fill {
      do throws(BusError) {
        try link.bus.write(
          UnsafeRawBufferPointer($0), to: UInt8(command >> 8), of: link.address)
      } catch { failure = error }
    }
    if let failure { throw link.error(.bus(failure)) }
  }

  /// Reads words of two bytes, each with its checksum, and leaves the checksums out.
  private func receive(words: Int) throws(ChipError) -> RegisterBytes {
    var all = RegisterBytes(count: 3 * words)
    var failure: BusError?
    all.fill {
      do throws(BusError) { try link.bus.receive(into: $0, from: link.address) } catch {
        failure = error
      }
    }
    if let failure { throw link.error(.bus(failure)) }
    // Neither would fit its checksums.
    if all.isConstant(0x00) { throw link.error(.constantBytes(0x00)) }
    if all.isConstant(0xFF) { throw link.error(.constantBytes(0xFF)) }
    var bytes = RegisterBytes(count: 2 * words)
    for index in 0..<words {
      var word = RegisterBytes(count: 2)
      (word[0], word[1]) = (all[3 * index], all[3 * index + 1])
      guard ICP10125Calibration.check(word) == all[3 * index + 2] else {
        throw link.error(.impossibleValue("a word does not fit its checksum"))
      }
      (bytes[2 * index], bytes[2 * index + 1]) = (word[0], word[1])
    }
    return bytes
  }

  /// The sample that six bytes of an answer stand for: three of the pressure, one unused, two of
  /// the temperature.
  package static func decode(
    _ bytes: RegisterBytes, _ calibration: ICP10125Calibration
  ) -> PressureReading {
    let temperature = Double(UInt16(bitPattern: bytes.bigEndian(at: 4)))
    let pascal = calibration.pressure(
      raw: Double(bytes.bigEndian24(at: 0) & 0xFF_FFFF), temperature: temperature)
    return PressureReading(
      hectopascal: pascal / 100, celsius: -45 + 175 * temperature / 65_536)
  }
}
