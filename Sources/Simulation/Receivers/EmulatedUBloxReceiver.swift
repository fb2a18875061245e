/// A u-blox receiver on the bench: takes commands, answers them, and changes its own rate, messages and speed
/// accordingly. It knows nothing of the code that commands it: frames and numbers are written out here anew.
///
/// - Source: ZED-F9P interface description, UBX-18010854 R04, chapters "Receiver Configuration" and 5.9
///   (which keeps the older messages); key numbers from SparkFun's `u-blox_config_keys.h`.
public struct EmulatedUBloxReceiver: Sendable {
  /// How it is configured.
  public enum Generation: Sendable {
    /// By a message for each subject: protocol version 18.
    case m8
    /// By keys and values: protocol version 32.
    case m9
  }

  /// What was sent, and at which speed of the line.
  public struct Burst: Sendable {
    /// The bytes.
    public var bytes: [UInt8]
    /// Bits per second.
    public var baud: Int
  }

  let generation: Generation
  /// The port at which it is commanded, by u-blox' number.
  let port: UInt32
  /// Values in force, kept by the battery and in flash, by key.
  var ram: [UInt32: UInt64]
  var batteryBacked: [UInt32: UInt64] = [:]
  var flash: [UInt32: UInt64] = [:]
  private let makers: [UInt32: UInt64]
  private var buffer: [UInt8] = []
  private var due = 0.0
  private var solutions = 0

  /// False for a receiver that speaks NMEA alone and heeds no command.
  public var knowsUBX = true
  /// Keys that it has not, whatever asks for them.
  public var refusedKeys: Set<UInt32> = []
  /// So many of the next answers get lost on the line.
  public var lostAnswers = 0
  /// True for one that acknowledges a new speed and keeps the old one.
  public var keepsItsSpeed = false
  /// True for one without flash.
  public var hasNoFlash = false
  /// True for one that heeds no command to sleep.
  public var isSleepless = false
  /// True while it sleeps.
  public private(set) var isAsleep = false
  /// How often it fell asleep.
  public private(set) var sleeps = 0
  /// The payloads of the commands to sleep that came in.
  public private(set) var sleepCommands: [[UInt8]] = []
  /// How long it is to sleep, seconds, until an instant is known.
  private var sleepDue: Double?
  private var sleepEnd = Double.infinity
  /// What it gives with every solution beside, such as a base station's corrections.
  public var besides: [UInt8] = []
  /// The RTCM 3 frames that came in, whole.
  public private(set) var corrections: [[UInt8]] = []
  /// Bytes that were part of no frame.
  public private(set) var strayBytes = 0
  /// Commands that came in, class and number, in order.
  public private(set) var commands: [UInt16] = []

  /// Makes a receiver as it leaves the maker: one solution a second, NMEA, portable.
  public init(_ generation: Generation, port: Int = 1, baud: Int = 9600) {
    self.generation = generation
    self.port = UInt32(port)
    var values: [UInt32: UInt64] = [
      0x3021_0001: 1000, 0x3021_0002: 1, 0x2011_0021: 0, 0x4052_0001: UInt64(baud),
      0x4053_0001: UInt64(baud),
    ]
    for port in UInt32(0)..<5 {
      for item in [UInt32(1), 2, 4] {
        values[0x1071_0000 + port << 17 + item] = item == 4 ? 0 : 1
        values[0x1072_0000 + port << 17 + item] = item == 4 ? 0 : 1
      }
      for message in EmulatedUBloxReceiver.messageKeys.values { values[message + port] = 0 }
    }
    makers = values
    ram = values
  }

  /// The first key of each message's rates, by class and number.
  static let messageKeys: [UInt16: UInt32] = [
    0x0107: 0x2091_0006, 0x0135: 0x2091_0015, 0x0104: 0x2091_0038, 0x0136: 0x2091_0083,
    0x0161: 0x2091_015F, 0x0D01: 0x2091_017D,
  ]

  /// The value in force of a key.
  public subscript(key: UInt32) -> UInt64? { ram[key] }

  /// All values in force.
  public var values: [UInt32: UInt64] { ram }

  /// Bits per second of its port.
  public var baud: Int { Int(ram[baudKey] ?? 0) }

  var baudKey: UInt32 { port == 2 ? 0x4053_0001 : 0x4052_0001 }

  /// Takes the power away and gives it back: what is not kept is the maker's again.
  public mutating func powerCycle() {
    ram = makers
    for (key, value) in flash { ram[key] = value }
    for (key, value) in batteryBacked { ram[key] = value }
    buffer = []
  }

  /// Takes bytes in.
  /// - Returns: the answers, each at the speed of the line at which it is sent.
  public mutating func receive(_ bytes: [UInt8]) -> [Burst] {
    if isAsleep {
      // An edge wakes it; what made the edge is lost.
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

  /// The next whole frame; what is none is passed over.
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

  static func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
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

  static func frame(_ messageClass: UInt8, _ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let body =
      [messageClass, number, UInt8(payload.count % 256), UInt8(payload.count / 256)] + payload
    return [0xB5, 0x62] + body + checksum(body[...])
  }

  mutating func note(_ command: UInt16) { commands.append(command) }

  // MARK: Its sleep

  /// Goes to sleep as RXM-PMREQ says: in 8 bytes the duration and flags, in 16 with version and sources of waking.
  mutating func sleep(_ payload: [UInt8]) {
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
    // Its memory goes with its sleep, but for what the battery keeps.
    powerCycle()
  }

  // MARK: What it gives

  /// What it says at an instant, seconds: nothing, or the messages of the solutions that are due.
  public mutating func output(at seconds: Double) -> Burst? {
    let period = Double(ram[0x3021_0001] ?? 1000) * Double(ram[0x3021_0002] ?? 1) / 1000
    if isAsleep {
      if let sleepDue { (self.sleepDue, sleepEnd) = (nil, seconds + sleepDue) }
      guard seconds >= sleepEnd else { return nil }
      wake()
    }
    guard seconds >= due else { return nil }
    due = max(due + period, seconds)
    solutions += 1
    var bytes: [UInt8] = []
    if gives(2) { bytes += sentences(seconds) }
    if gives(1), knowsUBX {
      for (name, key) in Self.messageKeys.sorted(by: { $0.key < $1.key }) {
        guard let rate = ram[key + port], rate > 0, solutions % Int(rate) == 0 else { continue }
        // Zeros of the right length will do for who only counts; NAV-PVT has 92 bytes.
        bytes += Self.frame(
          UInt8(name >> 8), UInt8(name & 0xFF),
          [UInt8](repeating: 0, count: name == 0x0107 ? 92 : 16))
      }
    }
    bytes += besides
    return bytes.isEmpty ? nil : Burst(bytes: bytes, baud: baud)
  }

  private func gives(_ item: UInt32) -> Bool { ram[0x1072_0000 + port << 17 + item] == 1 }

  private func sentences(_ seconds: Double) -> [UInt8] {
    let centiseconds = Int(seconds * 100)
    func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
    let time =
      "12\(digits(centiseconds / 6000 % 60))\(digits(centiseconds / 100 % 60)).\(digits(centiseconds % 100))"
    return Self.sentence("GNRMC,\(time),A,4717.1143,N,00833.9132,E,0.04,77.52,091202,,,A")
      + Self.sentence("GNGGA,\(time),4717.1143,N,00833.9132,E,1,08,1.01,499.6,M,48.0,M,,")
  }

  private static func sentence(_ text: String) -> [UInt8] {
    let sum = text.utf8.reduce(0) { $0 ^ $1 }
    let digits = Array("0123456789ABCDEF".utf8)
    return [0x24] + Array(text.utf8) + [0x2A, digits[Int(sum >> 4)], digits[Int(sum & 15)], 13, 10]
  }
}
