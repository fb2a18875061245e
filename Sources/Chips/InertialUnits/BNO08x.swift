import Quantities

extension ChipModel {
  /// The BNO085, and the BNO080 and BNO086, which answer alike.
  public static let bno085 = ChipModel("BNO085", .inertia, at: [0x4A, 0x4B]).module(
    baud: 3_000_000)
}

/// CEVA's (Hillcrest's) BNO08x: gyroscope, accelerometer and magnetometer behind a sensor hub that
/// sends packets (SHTP).
///
/// It delivers samples without the hub's calibration of rate and field, or with `usesOwnAttitude`
/// the hub's attitude. Over I2C, or over a serial port by `SHTPSerialBus`. The acceleration has the
/// hub's stored calibration: no report is without. The time base of reports is not used, as it
/// counts from an edge of the INTN line.
///
/// - Axes: right-handed, as in the data sheet's figure 4-1, the same for all quantities. The
///   rotation vector is the identity with x east, y north and z up.
///
/// It does not acknowledge while it boots, for at least 90 ms after its power or a reset; a start
/// waits for it.
///
/// - Source: BNO08X data sheet 1000-3927 (revision 1.17), the sections of its interfaces and
///   "Establishing Contact" (channels, reset), whose numbers differ between revisions; SHTP
///   reference manual 1000-3535 (header, continuation). Reports as in `BNO08xReport`. CEVA's
///   `sh2.c` and Adafruit's `Adafruit_CircuitPython_BNO08x` for the order of a start.
public struct BNO08x<Bus: RegisterBus>: InertialUnit, RecognisedChip {
  /// The channels of SHTP in use.
  enum Channel {
    static var executable: UInt8 { 1 }
    static var control: UInt8 { 2 }
    static var wakeReports: UInt8 { 4 }
    static var last: UInt8 { 5 }
    static func isOfReports(_ channel: UInt8) -> Bool { channel == 3 || channel == wakeReports }
  }

  private static var headerBytes: Int { 4 }
  /// The longest packet, an advertisement, with room for others.
  private static var longestPacket: Int { 1024 }
  /// The most packets of one call.
  private static var mostPackets: Int { 64 }
  /// Time limits of a reset and of an answer, ns, and the interval of the questions.
  private static var resetTimeout: UInt64 { 700_000_000 }
  private static var answerTimeout: UInt64 { 300_000_000 }
  private static var pollInterval: UInt64 { 2_000_000 }
  /// The longest time from power-on on in which the hub does not acknowledge, ns: the data sheet's
  /// section 6.5.3 has at least 90 ms and then 4 ms, Adafruit_BNO08x waits 300 ms.
  private static var bootTimeout: UInt64 { 300_000_000 }

  /// The part number.
  public var model: ChipModel { .bno085 }
  /// The chip's address, 0x4A or 0x4B.
  public var address: UInt8 { link.address }
  /// Samples a second.
  public private(set) var rateHertz: Double
  /// A period: the hub's filters are not documented.
  public var latencySeconds: Double { 1 / rateHertz }
  /// True: the hub stores reports until they are read.
  public var keepsSamples: Bool { true }

  let link: ChipLink<Bus>
  private let isFused: Bool
  private let intervalMicroseconds: UInt32
  /// The sequence number of the next packet of each channel.
  private var sequence = SIMD8<UInt8>()
  /// True after a reset that the driver did not ask for: no report is switched on.
  private var wasReset = true
  /// The answer that a start waits for, and the answer.
  private var awaited: UInt8 = 0
  private var answer: RegisterBytes?
  private var force: Reading<SpecificForce<SensorFrame>>?
  private var field: Reading<MagneticField<SensorFrame>>?
  private var lost = 0
  /// The number of the last report that completed a sample: each report has its own sequence.
  private var lastNumber: UInt8?

  /// Makes a driver; nothing is transferred before `start`.
  public init(bus: Bus, address: UInt8, settings: ChipSettings) {
    link = ChipLink(bus: bus, address: address, model: .bno085)
    isFused = settings.usesOwnAttitude
    // 400 Hz is the fastest of the gyroscope.
    let wanted = min(max(settings.rateHertz ?? 100, 1), 400)
    intervalMicroseconds = UInt32(bounded: 1e6 / wanted)
    rateHertz = wanted
  }

  /// The reports in use, with the one that completes a sample first.
  private var reports: [UInt8] {
    typealias Identifier = BNO08xReport.Identifier
    return isFused
      ? [Identifier.rotationVector]
      : [
        Identifier.uncalibratedGyroscope, Identifier.accelerometer, Identifier.uncalibratedField,
      ]
  }

  /// Whether the header of a packet waits, as after a start of the hub: it has no register that
  /// could be read.
  public func recognise() throws(ChipError) {
    let first = try link.receive(count: Self.headerBytes)
    let second = try link.receive(count: Self.headerBytes)
    let length = Self.length(first)
    guard length > Self.headerBytes, length <= Self.longestPacket,
      first[2] <= Channel.last, Self.length(second) == length, second[2] == first[2]
    else {
      throw link.error(.notMeasuring("no packet of a sensor hub waits"))
    }
  }

  // MARK: Start

  /// Resets the hub, asks which product it is, and switches its reports on.
  public mutating func start() throws(ChipError) {
    (force, field, lost, lastNumber) = (nil, nil, 0, nil)
    sequence = SIMD8()
    try awaitAnswer()
    // What waits, such as the advertisement: the hub accepts no command before.
    try drop()
    wasReset = false
    try send((Channel.executable), [0x01])
    try wait(Self.resetTimeout, "its reset") { $0.wasReset }
    wasReset = false
    try drop()
    let product = try ask(
      [BNO08xReport.Identifier.productRequest, 0],
      for: BNO08xReport.Identifier.productAnswer, "its answer to the product request")
    // Version 0.0 of part 0 is no product.
    guard product[2] != 0 || product[3] != 0 || product[4] != 0 else {
      throw link.error(.badFactoryData("no software version"))
    }
    for report in reports { try enable(report) }
  }

  private mutating func enable(_ report: UInt8) throws(ChipError) {
    var command = [UInt8](repeating: 0, count: 17)
    (command[0], command[1]) = (BNO08xReport.Identifier.featureCommand, report)
    for place in 0..<4 {
      command[5 + place] = UInt8(truncatingIfNeeded: intervalMicroseconds >> (8 * UInt32(place)))
    }
    try send(Channel.control, command)
    let answer = try ask(
      [BNO08xReport.Identifier.featureRequest, report],
      for: BNO08xReport.Identifier.featureAnswer, "its answer on a report", about: report)
    var interval: UInt32 = 0
    for offset in (5..<9).reversed() { interval = interval << 8 | UInt32(answer[offset]) }
    guard interval > 0 else {
      throw link.error(.configurationRefused(register: report, wrote: 1, found: 0))
    }
    if report == reports[0] { rateHertz = 1e6 / Double(interval) }
  }

  /// False after a reset that the driver did not ask for.
  public mutating func holdsConfiguration() throws(ChipError) -> Bool { !wasReset }

  // MARK: Samples

  /// All reports that wait.
  public mutating func readInertia(
    _ take: (InertialReading) -> Void
  ) throws(ChipError) -> Int {
    for _ in 0..<Self.mostPackets where !wasReset {
      guard try readPacket(take) else { break }
    }
    defer { lost = 0 }
    return lost
  }

  /// Reads a packet, in transfers that each begin with a header.
  /// - Returns: False where none waits.
  private mutating func readPacket(_ take: (InertialReading) -> Void) throws(ChipError) -> Bool {
    let header = try link.receive(count: Self.headerBytes)
    if header.isConstant(0xFF) { throw link.error(.constantBytes(0xFF)) }
    let length = Self.length(header)
    guard length > 0 else { return false }
    guard length >= Self.headerBytes, length <= Self.longestPacket, header[2] <= Channel.last else {
      throw link.error(.impossibleValue("a packet of \(length) bytes on channel \(header[2])"))
    }
    let channel = header[2]
    // The rest of a packet whose beginning was lost.
    let isWhole = header[1] & 0x80 == 0
    var report = RegisterBytes(count: 0)
    var (filled, wanted) = (0, 0)
    var isReadable = isWhole
    var left = length - Self.headerBytes
    while left > 0 {
      let count = min(left, RegisterBytes.capacity - Self.headerBytes)
      let bytes = try link.receive(count: count + Self.headerBytes)
      guard bytes[2] == channel else {
        throw link.error(.impossibleValue("a packet that changes its channel"))
      }
      left -= count
      if channel == Channel.executable, isReadable, bytes[Self.headerBytes] == 0x01 {
        wasReset = true
      }
      guard Channel.isOfReports(channel) || channel == Channel.control else { continue }
      for place in Self.headerBytes..<Self.headerBytes + count where isReadable {
        if filled == 0 {
          // The length of an unknown report is unknown, so that the rest of the packet cannot be
          // read.
          guard let length = BNO08xReport.length(of: bytes[place]) else {
            isReadable = false
            break
          }
          (report, wanted) = (RegisterBytes(count: length), length)
        }
        report[filled] = bytes[place]
        filled += 1
        if filled == wanted {
          filled = 0
          self.decode(report, take)
        }
      }
    }
    return true
  }

  private mutating func decode(_ report: RegisterBytes, _ take: (InertialReading) -> Void) {
    typealias Identifier = BNO08xReport.Identifier
    switch report[0] {
    case Identifier.accelerometer: force = BNO08xReport.force(report)
    case Identifier.uncalibratedField: field = BNO08xReport.field(report)
    case Identifier.uncalibratedGyroscope:
      countLosses(report)
      take(
        InertialReading(
          angularRate: BNO08xReport.rate(report), specificForce: force, field: field))
      (force, field) = (nil, nil)
    case Identifier.rotationVector where isFused:
      take(
        InertialReading(
          angularRate: nil, specificForce: nil, attitude: BNO08xReport.attitude(report)))
    case awaited where awaited != 0: answer = report
    default: break
    }
  }

  private mutating func countLosses(_ report: RegisterBytes) {
    if let lastNumber { lost += Int(report[1] &- lastNumber &- 1) }
    lastNumber = report[1]
  }

  // MARK: Packets

  private static func length(_ header: RegisterBytes) -> Int {
    Int(header[0]) | Int(header[1] & 0x7F) << 8
  }

  private mutating func send(_ channel: UInt8, _ payload: [UInt8]) throws(ChipError) {
    var packet = [UInt8(truncatingIfNeeded: payload.count + Self.headerBytes), 0, channel]
    packet.append(sequence[Int(channel)])
    sequence[Int(channel)] &+= 1
    packet += payload
    var failure: BusError?
    packet.withUnsafeBytes {
      do throws(BusError) {
        // The first byte is where other chips have a register's number.
        try link.bus.write(UnsafeRawBufferPointer(rebasing: $0[1...]), to: $0[0], of: address)
      } catch { failure = error }
    }
    if let failure { throw link.error(.bus(failure)) }
  }

  /// Sends a command and waits for an answer, about a report if it is given.
  private mutating func ask(
    _ command: [UInt8], for identifier: UInt8, _ what: String, about report: UInt8? = nil
  ) throws(ChipError) -> RegisterBytes {
    (awaited, answer) = (identifier, nil)
    defer { awaited = 0 }
    try send(Channel.control, command)
    try wait(Self.answerTimeout, what) { driver in
      guard let answer = driver.answer else { return false }
      return report == nil || answer[1] == report
    }
    guard let answer else { throw link.error(.unfinished(what)) }
    return answer
  }

  private mutating func wait(
    _ nanoseconds: UInt64, _ what: String, until isDone: (borrowing Self) -> Bool
  ) throws(ChipError) {
    let end = link.bus.now.advanced(byNanoseconds: nanoseconds)
    while !isDone(self) {
      guard link.bus.now < end else { throw link.error(.unfinished(what)) }
      if try !readPacketIfAnswered() { link.bus.wait(nanoseconds: Self.pollInterval) }
    }
  }

  /// Waits until the hub acknowledges, and reads what it then has first.
  private mutating func awaitAnswer() throws(ChipError) {
    let end = link.bus.now.advanced(byNanoseconds: Self.bootTimeout)
    while true {
      do throws(ChipError) {
        _ = try readPacket { _ in }
        return
      } catch {
        guard error.isRefusal, link.bus.now < end else { throw error }
        link.bus.wait(nanoseconds: Self.pollInterval)
      }
    }
  }

  /// Reads a packet; false where none waits, or the hub boots and does not acknowledge.
  private mutating func readPacketIfAnswered() throws(ChipError) -> Bool {
    do throws(ChipError) { return try readPacket { _ in } } catch {
      guard error.isRefusal else { throw error }
      return false
    }
  }

  /// Reads and drops what waits.
  private mutating func drop() throws(ChipError) {
    for _ in 0..<Self.mostPackets {
      guard try readPacket({ _ in }) else { return }
    }
  }
}
