import Quantities

/// An emulated u-blox receiver: accepts and answers commands, and changes its rate, messages and
/// speed. It shares no code with the library's UBX commands: frames and numbers are defined here
/// independently.
///
/// - Source: ZED-F9P interface description, UBX-18010854 R04, chapters "Receiver Configuration" and
///   5.9 (which keeps the older messages); key numbers from SparkFun's `u-blox_config_keys.h`.
public struct EmulatedUBloxReceiver: Sendable {
  /// The configuration interface.
  public enum Generation: Sendable {
    /// By a message for each subject: protocol version 18.
    case m8
    /// By keys and values: protocol version 32.
    case m9
  }

  /// Sent bytes with the line's speed.
  public struct Burst: Sendable {
    /// The bytes.
    public var bytes: [UInt8]
    /// Bits per second.
    public var baud: Int
  }

  private let generation: Generation
  /// The port of the commands, by u-blox's number.
  private let port: UInt32
  /// The active values, those in battery-backed RAM and those in flash, by key.
  private var ram: [UInt32: UInt64]
  private var batteryBacked: [UInt32: UInt64] = [:]
  private var flash: [UInt32: UInt64] = [:]
  private let makers: [UInt32: UInt64]
  private var buffer: [UInt8] = []
  private var due = 0.0
  private var solutions = 0

  /// False for a receiver with NMEA only, which ignores commands.
  public var knowsUBX = true
  /// Unsupported keys.
  public var refusedKeys: Set<UInt32> = []
  /// The number of next answers to drop.
  public var lostAnswers = 0
  /// True to acknowledge a new speed but not change to it.
  public var keepsItsSpeed = false
  /// The name of its module; nil for a usual one of its generation.
  public var module: String?
  /// The time mode of a NEO-M8P (40 bytes, CFG-TMODE3) or M8T (28 bytes, CFG-TMODE2).
  public private(set) var olderTimeMode: [UInt8] = []
  /// True for a receiver without flash.
  public var hasNoFlash = false
  /// True to ignore sleep commands.
  public var isSleepless = false
  /// True while it sleeps.
  public private(set) var isAsleep = false
  /// The number of sleeps.
  public private(set) var sleeps = 0
  /// The payloads of received sleep commands.
  public private(set) var sleepCommands: [[UInt8]] = []
  /// The requested duration of the sleep, seconds, until its start is known.
  private var sleepDue: Double?
  private var sleepEnd = Double.infinity
  /// Further bytes sent with every solution, such as a base station's corrections.
  public var besides: [UInt8] = []
  /// The received RTCM 3 frames.
  public private(set) var corrections: [[UInt8]] = []
  /// The number of bytes outside frames.
  public private(set) var strayBytes = 0
  /// The received commands, class and number, in order.
  public private(set) var commands: [UInt16] = []

  /// The number of its chip, five bytes.
  public var chipNumber: [UInt8] = [1, 2, 3, 4, 5]
  /// The entries of its navigation database.
  public var database: [[UInt8]] = []
  /// The assistance messages that it has accepted: number within class 0x13, and payload.
  public private(set) var aid: [(number: UInt8, payload: [UInt8])] = []
  /// Seconds from its start to its first fix, without aid and with it; nil: it has a fix at once.
  public var start: (cold: Double, aided: Double)?
  /// True to leave out the first entry of its database when it is polled.
  public var losesAnEntry = false
  private var begin: Double?

  /// Makes a receiver with factory settings: one solution a second, NMEA, portable.
  public init(_ generation: Generation, port: Int = 1, baud: Int = 9600) {
    self.generation = generation
    self.port = UInt32(port)
    var values: [UInt32: UInt64] = [
      0x3021_0001: 1000, 0x3021_0002: 1, 0x2011_0021: 0, 0x4052_0001: UInt64(baud),
      0x4053_0001: UInt64(baud), 0x1011_0025: 0, 0x1023_0001: 0,
    ]
    for port in UInt32(0)..<5 {
      for item in [UInt32(1), 2, 4] {
        values[0x1071_0000 + port << 17 + item] = item == 4 ? 0 : 1
        values[0x1072_0000 + port << 17 + item] = item == 4 ? 0 : 1
      }
      for message in EmulatedUBloxReceiver.messageKeys.values { values[message + port] = 0 }
      // GGA, GLL, GSA, GSV, RMC and VTG are on.
      for number in UInt16(0)...5 {
        if let key = EmulatedUBloxReceiver.messageKeys[0xF000 + number] { values[key + port] = 1 }
      }
      for message in EmulatedUBloxReceiver.corrections { values[message + port] = 0 }
    }
    for (_, key, isOn) in EmulatedUBloxReceiver.systems { values[key] = isOn ? 1 : 0 }
    values[0x2011_00A4] = 5
    for key in EmulatedUBloxReceiver.timeMode { values[key] = 0 }
    makers = values
    ram = values
  }

  /// The first key of each message's rates, by class and number.
  private static let messageKeys: [UInt16: UInt32] = [
    0x0107: 0x2091_0006, 0x0135: 0x2091_0015, 0x0104: 0x2091_0038, 0x0136: 0x2091_0083,
    0x0161: 0x2091_015F, 0x0D01: 0x2091_017D, 0x013C: 0x2091_008D,
    0xF000: 0x2091_00BA, 0xF001: 0x2091_00C9, 0xF002: 0x2091_00BF, 0xF003: 0x2091_00C4,
    0xF004: 0x2091_00AB, 0xF005: 0x2091_00B0, 0xF007: 0x2091_00D3, 0xF008: 0x2091_00D8,
    0xF00D: 0x2091_00B5,
    0xF505: 0x2091_02BD, 0xF54D: 0x2091_02CC, 0xF557: 0x2091_02D1, 0xF57F: 0x2091_02D6,
    0xF5E6: 0x2091_0303, 0xF5FE: 0x2091_02FE,
  ]

  /// The systems by u-blox' number, with the key and whether the factory enables them.
  private static let systems: [(id: UInt8, key: UInt32, isOn: Bool)] = [
    (0, 0x1031_001F, true), (1, 0x1031_0020, true), (2, 0x1031_0021, true),
    (3, 0x1031_0022, true), (5, 0x1031_0024, true), (6, 0x1031_0025, true),
  ]
  /// The keys of CFG-TMODE, and of the rates of a base station's messages.
  private static let timeMode: [UInt32] = [
    0x2003_0001, 0x2003_0002, 0x4003_0009, 0x4003_000A, 0x4003_000B, 0x2003_000C, 0x2003_000D,
    0x2003_000E, 0x4003_0010, 0x4003_0011,
  ]
  private static let corrections: [UInt32] = [
    0x2091_02BD, 0x2091_02CC, 0x2091_02D1, 0x2091_0318, 0x2091_02D6, 0x2091_0303,
  ]

  /// The active value of a key.
  public subscript(key: UInt32) -> UInt64? { ram[key] }

  /// All active values.
  public var values: [UInt32: UInt64] { ram }

  /// The present speed of its port, bits per second.
  public var baud: Int { Int(ram[baudKey] ?? 0) }

  private var baudKey: UInt32 { port == 2 ? 0x4053_0001 : 0x4052_0001 }

  /// Power cycle: unsaved settings return to the factory's.
  public mutating func powerCycle() {
    ram = makers
    (aid, begin) = ([], nil)
    for (key, value) in flash { ram[key] = value }
    for (key, value) in batteryBacked { ram[key] = value }
    buffer = []
  }

  /// Receives bytes.
  /// - Returns: The answers, each with the line's speed at which it is sent.
  public mutating func receive(_ bytes: [UInt8]) -> [Burst] {
    if isAsleep {
      // An edge wakes it; the bytes of the edge are lost.
      wake()
      return []
    }
    buffer += bytes
    var bursts: [Burst] = []
    while let frame = nextFrame() {
      if frame[0] == 0xD3 {
        corrections.append(frame)
        continue
      }
      guard knowsUBX else { continue }
      for answer in answers(to: frame) {
        guard lostAnswers == 0 else {
          lostAnswers -= 1
          continue
        }
        bursts.append(Burst(bytes: answer, baud: baud))
      }
    }
    return bursts
  }

  /// The next whole frame; other bytes are skipped.
  private mutating func nextFrame() -> [UInt8]? {
    while let first = buffer.first {
      let header = first == 0xB5 ? 6 : 3
      if first == 0xB5 || first == 0xD3 {
        guard buffer.count >= header else { return nil }
        let payload =
          first == 0xB5
          ? Int(buffer[4]) + 256 * Int(buffer[5]) : Int(buffer[1] & 3) * 256 + Int(buffer[2])
        let whole = header + payload + (first == 0xB5 ? 2 : 3)
        if buffer.count < whole, payload < 1100 { return nil }
        if buffer.count >= whole {
          let frame = Array(buffer[..<whole])
          if first == 0xB5
            ? Self.checksum(frame[2..<whole - 2]) == Array(frame[(whole - 2)...])
            : Self.hasGoodCRC(frame)
          {
            buffer.removeFirst(whole)
            return frame
          }
        }
      }
      buffer.removeFirst()
      strayBytes += 1
    }
    return nil
  }

  private static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var sums = (0, 0)
    for byte in bytes {
      sums.0 = (sums.0 + Int(byte)) % 256
      sums.1 = (sums.1 + sums.0) % 256
    }
    return [UInt8(sums.0), UInt8(sums.1)]
  }

  /// CRC-24Q, bit by bit.
  private static func hasGoodCRC(_ frame: [UInt8]) -> Bool {
    var remainder: UInt32 = 0
    for byte in frame {
      for bit in stride(from: 7, through: 0, by: -1) {
        let top = remainder >> 23 & 1
        remainder = (remainder << 1 | UInt32(byte >> UInt8(bit) & 1)) & 0xFF_FFFF
        if top == 1 { remainder ^= 0x86_4CFB }
      }
    }
    return remainder == 0
  }

  private static func frame(_ messageClass: UInt8, _ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let body =
      [messageClass, number, UInt8(payload.count % 256), UInt8(payload.count / 256)] + payload
    return [0xB5, 0x62] + body + checksum(body[...])
  }

  private mutating func record(_ command: UInt16) { commands.append(command) }

  // MARK: Sleep

  /// Sleeps by RXM-PMREQ: 8 bytes with duration and flags, or 16 with version and wake-up sources.
  private mutating func sleep(_ payload: [UInt8]) {
    sleepCommands.append(payload)
    guard payload.count == 8 || payload.count == 16, !isSleepless else { return }
    let start = payload.count == 16 ? 4 : 0
    guard payload[start + 4] & 2 != 0 else { return }
    let milliseconds = (0..<4).reduce(0) { $0 + Int(payload[start + $1]) << (8 * $1) }
    sleepDue = milliseconds == 0 ? .infinity : Double(milliseconds) / 1000
    isAsleep = true
    sleeps += 1
  }

  private mutating func wake() {
    (isAsleep, sleepDue, sleepEnd) = (false, nil, .infinity)
    // The sleep clears its RAM, except the battery-backed part.
    powerCycle()
  }

  // MARK: Output

  /// The messages of the solutions due at an instant, seconds.
  public mutating func output(at seconds: Double) -> Burst? {
    let period = Double(ram[0x3021_0001] ?? 1000) * Double(ram[0x3021_0002] ?? 1) / 1000
    if isAsleep {
      if let sleepDue { (self.sleepDue, sleepEnd) = (nil, seconds + sleepDue) }
      guard seconds >= sleepEnd else { return nil }
      wake()
    }
    if begin == nil { begin = seconds }
    guard seconds >= due else { return nil }
    due = max(due + period, seconds)
    solutions += 1
    var bytes: [UInt8] = []
    if gives(2) { bytes += sentences(seconds) }
    if gives(1), knowsUBX {
      for (name, key) in Self.messageKeys.sorted(by: { $0.key < $1.key }) where name < 0xF000 {
        guard let rate = ram[key + port], rate > 0, solutions % Int(rate) == 0 else { continue }
        // Zeros with the right length are enough for tests that count; NAV-PVT has 92 bytes.
        bytes += Self.frame(
          UInt8(name >> 8), UInt8(name & 0xFF),
          [UInt8](repeating: 0, count: name == 0x0107 ? 92 : 16))
      }
    }
    bytes += besides
    return bytes.isEmpty ? nil : Burst(bytes: bytes, baud: baud)
  }

  private func gives(_ item: UInt32) -> Bool { ram[0x1072_0000 + port << 17 + item] == 1 }

  /// Whether it knows the time and its orbits from outside.
  private var isAided: Bool {
    aid.contains { $0.number == 0x40 && $0.payload.first == 0x10 }
      && aid.contains { $0.number == 0x80 }
  }

  private func sentences(_ seconds: Double) -> [UInt8] {
    if let start, let begin, seconds - begin < (isAided ? start.aided : start.cold) {
      return Self.sentence("GNRMC,,V,,,,,,,,,,N") + Self.sentence("GNGGA,,,,,,0,00,99.99,,,,,,")
        + Self.sentence("GPGSV,1,1,02,05,40,083,30,13,20,201,")
    }
    let centiseconds = Int(bounded: seconds * 100)
    func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let time =
      "12\(digits(centiseconds / 6000 % 60))\(digits(centiseconds / 100 % 60)).\(digits(centiseconds % 100))"
    var bytes: [UInt8] = []
    if ram[0x2091_00AB + port] ?? 0 > 0 {
      bytes += Self.sentence("GNRMC,\(time),A,4717.1143,N,00833.9132,E,0.04,77.52,091202,,,A")
    }
    if ram[0x2091_00BA + port] ?? 0 > 0 {
      bytes += Self.sentence("GNGGA,\(time),4717.1143,N,00833.9132,E,1,08,1.01,499.6,M,48.0,M,,")
    }
    return bytes
  }

  private static func sentence(_ text: String) -> [UInt8] {
    let sum = text.utf8.reduce(0) { $0 ^ $1 }
    let digits = Array("0123456789ABCDEF".utf8)
    return [0x24] + Array(text.utf8) + [0x2A, digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
  }
}

/// The receiver's commands.
extension EmulatedUBloxReceiver {
  private static let known: Set<UInt16> = [
    0x0600, 0x0601, 0x0604, 0x0608, 0x0609, 0x0624, 0x063D, 0x063E, 0x0671, 0x068A, 0x068B, 0x068C,
  ]

  /// The answer to a frame.
  private mutating func answers(to frame: [UInt8]) -> [[UInt8]] {
    let name = UInt16(frame[2]) << 8 | UInt16(frame[3])
    let payload = Array(frame[6..<frame.count - 2])
    record(name)
    switch name {
    case 0x0A04: return [version()]
    case 0x2703: return [Self.frame(0x27, 0x03, [1, 0, 0, 0] + chipNumber)]
    case 0x1340: return assist(0x40, payload)
    case 0x1380: return payload.isEmpty ? dump() : assist(0x80, payload)
    case 0x0623 where generation == .m8:
      // The bits of the mask: acknowledgements and the prediction of orbits.
      if payload.count == 40, payload[3] & 0x04 != 0 { ram[0x1011_0025] = UInt64(payload[17]) }
      if payload.count == 40, payload[3] & 0x40 != 0 { ram[0x1023_0001] = UInt64(payload[27]) }
      return [acknowledgement(name, payload.count == 40)]
    case 0x0241:
      // Not acknowledged either.
      sleep(payload)
      return []
    case _ where !Self.known.contains(name): return []
    case 0x0604:
      // Not acknowledged, by the description.
      powerCycle()
      return []
    case 0x068A...0x068C where generation == .m8: return [acknowledgement(name, false)]
    // The newest receivers support only these two of the older messages.
    case _ where generation == .m9 && [0x0601, 0x0608, 0x0624, 0x063E].contains(name):
      return [acknowledgement(name, false)]
    default: break
    }
    let before = baud
    guard let answer = act(name, payload) else { return [acknowledgement(name, false)] }
    if keepsItsSpeed { ram[baudKey] = UInt64(before) }
    return (answer.isEmpty ? [] : [answer]) + [acknowledgement(name, true)]
  }

  /// Takes an assistance message; orbits only after the time, and acknowledged only where that is
  /// switched on.
  /// - Source: UBX-18010854 R04, 5.12.1.
  private mutating func assist(_ number: UInt8, _ payload: [UInt8]) -> [[UInt8]] {
    let knowsTime = aid.contains { $0.number == 0x40 && $0.payload.first == 0x10 }
    let isAccepted = number == 0x40 || knowsTime
    if isAccepted { aid.append((number, payload)) }
    guard ram[0x1011_0025] == 1 else { return [] }
    return [
      Self.frame(
        0x13, 0x60, [isAccepted ? 1 : 0, 0, isAccepted ? 0 : 1, number] + Array(payload.prefix(4)))
    ]
  }

  private func dump() -> [[UInt8]] {
    let sent = losesAnEntry ? Array(database.dropFirst()) : database
    return sent.map { Self.frame(0x13, 0x80, $0) }
      + [
        Self.frame(
          0x13, 0x60,
          [1, 0, 0, 0x80, UInt8(database.count % 256), UInt8(database.count / 256), 0, 0])
      ]
  }

  private func acknowledgement(_ name: UInt16, _ isTaken: Bool) -> [UInt8] {
    Self.frame(0x05, isTaken ? 1 : 0, [UInt8(name >> 8), UInt8(name & 0xFF)])
  }

  private func version() -> [UInt8] {
    func text(_ words: String, _ count: Int) -> [UInt8] {
      Array((Array(words.utf8) + [UInt8](repeating: 0, count: count)).prefix(count))
    }
    let isOld = generation == .m8
    return Self.frame(
      0x0A, 0x04,
      text(isOld ? "ROM CORE 3.01 (107888)" : "EXT CORE 4.04 (7f89f7)", 30)
        + text(isOld ? "00080000" : "00190000", 10)
        + text(isOld ? "FWVER=SPG 3.01" : "FWVER=SPG 4.04", 30)
        + text(isOld ? "PROTVER=18.00" : "PROTVER=32.01", 30)
        + text("MOD=" + (module ?? (isOld ? "NEO-M8N-0" : "NEO-M9N")), 30)
        + text("GPS;GLO;GAL;BDS", 30))
  }

  /// Executes a command.
  /// - Returns: The answer to a poll, empty for a setting, nil for a refusal.
  private mutating func act(_ name: UInt16, _ payload: [UInt8]) -> [UInt8]? {
    switch name {
    case 0x068A: setValues(payload) ? [] : nil
    case 0x068B: getValues(payload)
    case 0x068C: []
    case 0x0609: save(payload) ? [] : nil
    case 0x0608: rate(payload)
    case 0x0624: navigation(payload)
    case 0x0601: message(payload)
    case 0x063E: satelliteSystems(payload)
    case 0x0671, 0x063D: timeMode(name, payload)
    default: settings(ofPort: payload)
    }
  }

  private static func bytes(of key: UInt32) -> Int? {
    [1: 1, 2: 1, 3: 2, 4: 4, 5: 8][key >> 28 & 7]
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> (8 * UInt64($0)) & 0xFF) }
  }

  private mutating func setValues(_ payload: [UInt8]) -> Bool {
    guard payload.count > 4, payload[0] == 0, payload[1] & 7 != 0 else { return false }
    if payload[1] & 4 != 0, hasNoFlash { return false }
    var pairs: [(UInt32, UInt64)] = []
    var rest = payload[4...]
    while rest.count > 4 {
      let key = UInt32(Self.number(rest.prefix(4)))
      guard let count = Self.bytes(of: key), rest.count >= 4 + count, ram[key] != nil,
        !refusedKeys.contains(key)
      else { return false }
      pairs.append((key, Self.number(rest.dropFirst(4).prefix(count))))
      rest = rest.dropFirst(4 + count)
    }
    for (key, value) in pairs {
      if payload[1] & 1 != 0 { ram[key] = value }
      if payload[1] & 2 != 0 { batteryBacked[key] = value }
      if payload[1] & 4 != 0 { flash[key] = value }
    }
    return rest.isEmpty
  }

  private func getValues(_ payload: [UInt8]) -> [UInt8]? {
    guard payload.count >= 8, payload[0] == 0, payload[1] == 0 else { return nil }
    var answer: [UInt8] = [1, 0, 0, 0]
    // In the order of the keys, not of the request: the description defines no order.
    var keys: [UInt32] = []
    for start in stride(from: 4, to: payload.count - 3, by: 4) {
      let key = UInt32(Self.number(payload[start..<start + 4]))
      // The item 0xFFFF stands for all of its group.
      let isGroup = key & 0xFFFF == 0xFFFF
      keys += isGroup ? ram.keys.filter { $0 >> 16 == key >> 16 } : [key]
    }
    for key in keys.sorted(by: >) {
      guard let value = ram[key], let count = Self.bytes(of: key), !refusedKeys.contains(key)
      else { return nil }
      answer += Self.little(UInt64(key), 4) + Self.little(value, count)
    }
    return Self.frame(0x06, 0x8B, answer)
  }

  private mutating func save(_ payload: [UInt8]) -> Bool {
    guard payload.count == 13 else { return false }
    if payload[12] & 2 != 0, hasNoFlash { return false }
    if payload[12] & 1 != 0 { batteryBacked = ram }
    if payload[12] & 2 != 0 { flash = ram }
    return true
  }

  /// The timing receivers have CFG-TMODE2, NEO-M8P has CFG-TMODE3.
  private mutating func timeMode(_ name: UInt16, _ payload: [UInt8]) -> [UInt8]? {
    let count = name == 0x0671 ? 40 : 28
    guard let module, module.contains(name == 0x0671 ? "M8P" : "M8T") else { return nil }
    if payload.count == count {
      olderTimeMode = payload
      return []
    }
    guard payload.isEmpty else { return nil }
    let image = olderTimeMode.isEmpty ? [UInt8](repeating: 0, count: count) : olderTimeMode
    return Self.frame(0x06, UInt8(name & 0xFF), image)
  }

  private mutating func rate(_ payload: [UInt8]) -> [UInt8]? {
    guard payload.count == 6 else {
      guard payload.isEmpty else { return nil }
      return Self.frame(
        0x06, 0x08,
        Self.little(ram[0x3021_0001] ?? 0, 2) + Self.little(ram[0x3021_0002] ?? 0, 2) + [1, 0])
    }
    ram[0x3021_0001] = Self.number(payload[0..<2])
    ram[0x3021_0002] = Self.number(payload[2..<4])
    return []
  }

  private mutating func navigation(_ payload: [UInt8]) -> [UInt8]? {
    guard payload.count == 36 else {
      guard payload.isEmpty else { return nil }
      var answer: [UInt8] = [0xFF, 0xFF, UInt8(ram[0x2011_0021] ?? 0), 3]
      answer += [UInt8](repeating: 0x11, count: 32)
      answer[12] = UInt8(ram[0x2011_00A4] ?? 0)
      return Self.frame(0x06, 0x24, answer)
    }
    guard !refusedKeys.contains(0x2011_0021) else { return nil }
    if payload[0] & 1 == 1 { ram[0x2011_0021] = UInt64(payload[2]) }
    if payload[0] & 2 == 2 { ram[0x2011_00A4] = UInt64(payload[12]) }
    return []
  }

  /// CFG-GNSS: blocks of eight bytes, with the system's number first and its switch in the fifth.
  private mutating func satelliteSystems(_ payload: [UInt8]) -> [UInt8]? {
    guard !payload.isEmpty else {
      var answer: [UInt8] = [0, 32, 32, UInt8(Self.systems.count)]
      for (id, key, _) in Self.systems {
        answer += [id, 8, 16, 0, UInt8(ram[key] ?? 0), 0, 1, 1]
      }
      return Self.frame(0x06, 0x3E, answer)
    }
    guard payload.count > 4, payload.count == 4 + 8 * Int(payload[3]) else { return nil }
    for start in stride(from: 4, to: payload.count, by: 8) {
      guard let system = Self.systems.first(where: { $0.id == payload[start] }) else { return nil }
      ram[system.key] = UInt64(payload[start + 4] & 1)
    }
    return []
  }

  private mutating func message(_ payload: [UInt8]) -> [UInt8]? {
    guard payload.count >= 2,
      let key = Self.messageKeys[UInt16(payload[0]) << 8 | UInt16(payload[1])],
      !refusedKeys.contains(key + port)
    else { return nil }
    switch payload.count {
    case 2:
      return Self.frame(
        0x06, 0x01,
        payload + (UInt32(0)..<5).map { UInt8(ram[key + $0] ?? 0) } + [0])
    case 3: ram[key + port] = UInt64(payload[2])
    case 8: for place in UInt32(0)..<5 { ram[key + place] = UInt64(payload[2 + Int(place)]) }
    default: return nil
    }
    return []
  }

  private static let protocolBits: [(item: UInt32, bit: UInt64)] = [(1, 0), (2, 1), (4, 5)]

  private mutating func settings(ofPort payload: [UInt8]) -> [UInt8]? {
    let isPort = payload.isEmpty || payload.count == 1 && UInt32(payload[0]) == port
    guard payload.count == 20 else {
      guard isPort else { return nil }
      var masks: (takes: UInt64, gives: UInt64) = (0, 0)
      for (item, bit) in Self.protocolBits {
        masks.takes |= (ram[0x1071_0000 + port << 17 + item] ?? 0) << bit
        masks.gives |= (ram[0x1072_0000 + port << 17 + item] ?? 0) << bit
      }
      var answer: [UInt8] = [UInt8(port), 0, 0, 0, 0xD0, 0x08, 0, 0]
      answer += Self.little(UInt64(baud), 4)
      answer += Self.little(masks.takes, 2)
      answer += Self.little(masks.gives, 2)
      answer += [0, 0, 0, 0]
      return Self.frame(0x06, 0x00, answer)
    }
    guard UInt32(payload[0]) == port else { return nil }
    ram[baudKey] = Self.number(payload[8..<12])
    for (item, bit) in Self.protocolBits {
      ram[0x1071_0000 + port << 17 + item] = Self.number(payload[12..<14]) >> bit & 1
      ram[0x1072_0000 + port << 17 + item] = Self.number(payload[14..<16]) >> bit & 1
    }
    return []
  }
}
