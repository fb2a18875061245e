internal import Quantities

/// Emulated receivers of the makers other than u-blox: they identify themselves, answer queries,
/// take, refuse or ignore settings, and send NMEA 0183 at the rate that is set.
///
/// They share no code with the library's dialects: frames and numbers are defined here
/// independently, from the transcripts of receivers that are named at each maker. An emulator
/// proves that command and answer fit together, not that a receiver behaves like this.
public struct EmulatedMakerReceiver: EmulatedReceiver {
  /// The receiver.
  public enum Kind: String, CaseIterable, Sendable {
    /// Quectel L86: PMTK.
    case l86
    /// Quectel LC29H: PAIR and PQTM.
    case lc29h
    /// Quectel LG290P: PQTM alone.
    case lg290p
    /// Unicore UM982.
    case um982
    /// AT6558 with firmware URANUS5.
    case uranus5
    /// ATGM332D with firmware URANUS6.
    case uranus6
    /// SkyTraq PX1122R.
    case skyTraq
    /// A receiver of an unknown maker, which sends NMEA 0183 alone.
    case other
  }

  /// The settings.
  public struct State: Equatable, Sendable {
    /// Milliseconds between solutions.
    public var period = 1000
    /// Formatters of the sentences that are sent.
    public var sentences: Set<String> = ["GGA", "RMC", "GSA", "GSV", "VTG"]
    /// The systems in use.
    public var systems: Set<String> = ["GPS", "GLO"]
    /// Degrees.
    public var mask = 5
    /// The number or the text of the motion model.
    public var model = "0"
    /// The text of the base's mode.
    public var base = "0,0,0,0,0,0"
    /// SkyTraq's mode and function of RTK with their parameters, without the limit of the baseline.
    public var rtk: [UInt8] = [0, 0, 0, 0, 7, 0xD0, 0, 0, 0, 30] + [UInt8](repeating: 0, count: 20)
    /// True while a heading is sent.
    public var hasHeading = false
    /// Bits per second.
    public var baud: Int
  }

  private let kind: Kind
  /// The settings in use.
  public private(set) var state: State
  /// The settings in flash.
  public private(set) var flash: State
  /// What an LG290P reads back and saves: some of it is in use only after a restart.
  private var stored: State
  /// The baud rate that applies after a restart.
  private var nextBaud: Int?
  /// Unicore's mode, as MODE reports it.
  public var mode = "ROVER SURVEY"
  /// The values of an LC29H's PAIR432 and PAIR434, which send corrections.
  public private(set) var corrections: [String: String] = [:]
  private var buffer: [UInt8] = []
  private var due = 0.0
  /// Milliseconds of the next solution since 12:00:00.
  private var solutionTime = 0

  /// Commands that are refused: the names, or in hexadecimal the numbers.
  public var refused: Set<String> = []
  /// True to answer nothing.
  public var isSilent = false
  /// True to acknowledge a new baud rate but not to change to it.
  public var keepsItsSpeed = false
  /// The number of next answers to drop.
  public var lostAnswers = 0
  /// Bytes that are sent before each answer and each sentence.
  public var noise: [UInt8] = []
  /// The texts or numbers of the received commands.
  public private(set) var commands: [String] = []

  /// Makes a receiver with factory settings.
  public init(_ kind: Kind, baud: Int = 9600) {
    self.kind = kind
    state = State(baud: baud)
    (flash, stored) = (state, state)
  }

  /// The present speed, bits per second.
  public var baud: Int { state.baud }

  /// Loses the settings that are not in flash.
  public mutating func powerCycle() {
    (state, stored) = (flash, flash)
    buffer = []
  }

  // MARK: The line

  /// The sentences of the solution that is due at an instant, seconds.
  public mutating func output(at seconds: Double) -> (bytes: [UInt8], baud: Int)? {
    guard seconds >= due else { return nil }
    // What a busy machine delays comes at once, so that the rate is kept; a longer pause is over.
    let next = due + Double(state.period) / 1000
    due = next < seconds - 1 ? seconds : next
    let time = Self.timeOfDay(solutionTime)
    solutionTime += state.period
    var bytes: [UInt8] = []
    for (name, rest) in [
      ("GGA", "\(time),4717.1143,N,00833.9132,E,1,08,1.01,499.6,M,48.0,M,,"),
      ("RMC", "\(time),A,4717.1143,N,00833.9132,E,0.04,77.52,091202,,,A"),
      ("VTG", "77.52,T,,M,0.004,N,0.008,K,A"), ("GSA", "A,3,01,02,03,04,,,,,,,,,1.9,1.0,1.6"),
      ("GSV", "1,1,01,01,45,120,40"), ("GLL", "4717.1143,N,00833.9132,E,\(time),A,A"),
      ("ZDA", "\(time),09,12,2002,00,00"),
      ("GST", "\(time),1,1,1,0,1,1,1"),
    ] where state.sentences.contains(name) {
      bytes += noise + Self.sentence("GN\(name),\(rest)")
    }
    if state.hasHeading, kind == .um982 { bytes += Self.log("UNIHEADINGA,80,GPS;SOL_COMPUTED") }
    return bytes.isEmpty ? nil : (bytes, baud)
  }

  /// `hhmmss.ss` of milliseconds since 12:00:00, until midnight.
  private static func timeOfDay(_ milliseconds: Int) -> String {
    let seconds = milliseconds / 1000
    return [12 + seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
      + ".\(milliseconds % 1000 / 100)\(milliseconds % 100 / 10)"
  }

  /// Receives bytes; the answers to the commands that they complete.
  public mutating func answers(to bytes: [UInt8]) -> [(bytes: [UInt8], baud: Int)] {
    guard !isSilent, kind != .other else { return [] }
    buffer += bytes
    var bursts: [(bytes: [UInt8], baud: Int)] = []
    while let command = nextCommand() {
      for answer in act(command) {
        guard lostAnswers == 0 else {
          lostAnswers -= 1
          continue
        }
        bursts.append((noise + answer, baud))
      }
      if let new = nextBaud, appliesBaudAtOnce {
        if !keepsItsSpeed { state.baud = new }
        nextBaud = nil
      }
    }
    return bursts
  }

  private var appliesBaudAtOnce: Bool { kind != .lc29h }

  private enum Command {
    case text(String)
    case binary([UInt8])
  }

  /// The next whole line or frame.
  private mutating func nextCommand() -> Command? {
    while let first = buffer.first {
      if first == 0xBA || first == 0xA0 || first == 0xB5 {
        guard buffer.count >= 6 else { return nil }
        let isCASIC = first == 0xBA
        let payload =
          first == 0xA0
          ? Int(buffer[2]) << 8 | Int(buffer[3])
          : first == 0xB5
            ? Int(buffer[4]) | Int(buffer[5]) << 8 : Int(buffer[2]) | Int(buffer[3]) << 8
        let whole = payload + (isCASIC ? 10 : first == 0xA0 ? 7 : 8)
        guard whole < 600 else {
          buffer.removeFirst()
          continue
        }
        guard buffer.count >= whole else { return nil }
        let frame = Array(buffer[..<whole])
        buffer.removeFirst(whole)
        if isValid(frame) { return .binary(frame) }
        continue
      }
      guard let end = buffer.firstIndex(of: 10) else {
        return nil
      }
      let line = buffer[..<end].filter { $0 >= 0x20 && $0 < 0x7F }
      buffer.removeFirst(end + 1)
      return .text(String(decoding: line, as: UTF8.self))
    }
    return nil
  }

  private func isValid(_ frame: [UInt8]) -> Bool {
    switch frame[0] {
    case 0xBA: return frame == Self.casic(frame[4], frame[5], Array(frame[6..<frame.count - 4]))
    case 0xA0: return frame == Self.skyTraq(Array(frame[4..<frame.count - 3]))
    default: return false
    }
  }

  static func sentence(_ text: String) -> [UInt8] {
    let sum = Array(text.utf8).reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return Array("$\(text)*".utf8) + [digits[Int(sum) / 16], digits[Int(sum) % 16], 13, 10]
  }

  /// An answer of Unicore, whose first character counts into its checksum.
  private static func unicore(_ text: String) -> [UInt8] {
    let sum = Array(text.utf8).reduce(0, ^)
    let digits = Array("0123456789ABCDEF".utf8)
    return Array("\(text)*".utf8) + [digits[Int(sum) / 16], digits[Int(sum) % 16], 13, 10]
  }

  /// A log with the CRC of eight digits, bit by bit.
  private static func log(_ text: String) -> [UInt8] {
    var crc: UInt32 = 0
    for byte in text.utf8 {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    let digits = String(crc, radix: 16)
    let zeros = String(repeating: "0", count: 8 - digits.count)
    return Array("#\(text)*\(zeros)\(digits)\r\n".utf8)
  }

  private static func casic(_ group: UInt8, _ number: UInt8, _ payload: [UInt8]) -> [UInt8] {
    var sum = UInt64(number) * 16_777_216 + UInt64(group) * 65_536 + UInt64(payload.count)
    for (index, byte) in payload.enumerated() { sum += UInt64(byte) << UInt64(8 * (index % 4)) }
    let check = (0..<4).map { UInt8(sum >> UInt64(8 * $0) & 0xFF) }
    return [0xBA, 0xCE, UInt8(payload.count % 256), UInt8(payload.count / 256), group, number]
      + payload + check
  }

  private static func skyTraq(_ payload: [UInt8]) -> [UInt8] {
    [0xA0, 0xA1, UInt8(payload.count / 256), UInt8(payload.count % 256)] + payload
      + [payload.reduce(0, ^), 13, 10]
  }

  // MARK: Commands

  private mutating func act(_ command: Command) -> [[UInt8]] {
    switch (command, kind) {
    case (.text(let line), .um982): return unicore(line)
    case (.text(let line), _):
      guard let text = Self.checked(line) else { return [] }
      commands.append(text)
      let fields = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      switch kind {
      case .l86: return mediaTek(fields)
      case .lc29h, .lg290p: return quectel(fields)
      case .uranus5, .uranus6:
        guard text == "PCAS06,0" else { return [] }
        return [
          Self.sentence(
            "GPTXT,01,01,02,SW=" + (kind == .uranus5 ? "URANUS5,V5.3.0.0" : "URANUS6,V6.3.2.0"))
        ]
      default: return []
      }
    case (.binary(let frame), .uranus5), (.binary(let frame), .uranus6):
      guard frame[0] == 0xBA else { return [] }
      return zhongke(frame[4], frame[5], Array(frame[6..<frame.count - 4]))
    case (.binary(let frame), .skyTraq):
      guard frame[0] == 0xA0 else { return [] }
      return venus(Array(frame[4..<frame.count - 3]))
    default: return []
    }
  }

  private static func checked(_ line: String) -> String? {
    guard line.hasPrefix("$"), let star = line.lastIndex(of: "*") else { return nil }
    let text = String(line[line.index(after: line.startIndex)..<star])
    let sum = Array(text.utf8).reduce(0, ^)
    guard Int(line[line.index(after: star)...], radix: 16) == Int(sum) else { return nil }
    return text
  }

  /// PMTK, as Quectel's L76 specification and Zephyr's driver of the L86 have it.
  private mutating func mediaTek(_ fields: [String]) -> [[UInt8]] {
    guard fields[0].hasPrefix("PMTK") else { return [] }
    let number = String(fields[0].dropFirst(4))
    func acknowledge(_ flag: Int) -> [[UInt8]] { [Self.sentence("PMTK001,\(number),\(flag)")] }
    guard !refused.contains(fields[0]) else { return acknowledge(2) }
    let order = ["GLL", "RMC", "VTG", "GGA", "GSA", "GSV"]
    switch number {
    case "605":
      return [Self.sentence("PMTK705,AXN_5.1.9_3333_19020118,0002,Quectel-L86,1.0")]
    case "220": state.period = Int(fields[1]) ?? state.period
    case "400": return [Self.sentence("PMTK500,\(state.period),0,0,0,0")]
    case "314":
      guard fields.count == 20 else { return acknowledge(0) }
      state.sentences = Set(order.indices.filter { fields[1 + $0] != "0" }.map { order[$0] })
      if fields[18] != "0" { state.sentences.insert("ZDA") }
    case "414":
      var flags = order.map { state.sentences.contains($0) ? "1" : "0" }
      flags += [String](repeating: "0", count: 13)
      flags[17] = state.sentences.contains("ZDA") ? "1" : "0"
      return [Self.sentence("PMTK514," + flags.joined(separator: ","))]
    case "353":
      guard fields.count == 6 else { return acknowledge(0) }
      let names = ["GPS", "GLO", "GAL", "full", "BDS"]
      state.systems = Set(names.indices.filter { fields[1 + $0] == "1" }.map { names[$0] })
      return [Self.sentence("PMTK001,353,3,\(fields[1...].joined(separator: ","))")]
    case "355":
      let flags = ["GPS", "GLO", "BDS", "GAL"].map { state.systems.contains($0) ? "1" : "0" }
      return [Self.sentence("PMTK001,355,3,\(flags.joined(separator: ",")),0,0")]
    case "886": state.model = fields[1]
    case "251":
      nextBaud = Int(fields[1])
      return []
    case "104": state = flash
    default: return acknowledge(1)
    }
    return acknowledge(3)
  }

  /// PAIR and PQTM, as the LC29H's and LG290P's specifications have them, and satpulse's measurements
  /// of an LG290P: when a setting is in use, and no answer to a new baud rate.
  private mutating func quectel(_ fields: [String]) -> [[UInt8]] {
    let name = fields[0]
    if name == "PQTMVERNO" {
      let version = kind == .lc29h ? "LC29HAANR11A05S" : "LG290P03AANR02A01S"
      return [Self.sentence("PQTMVERNO,\(version),2025/09/12,10:00:00")]
    }
    if name.hasPrefix("PAIR") {
      guard kind == .lc29h else { return [] }
      return pair(String(name.dropFirst(4)), Array(fields.dropFirst()))
    }
    guard name.hasPrefix("PQTM") else { return [] }
    func answer(_ rest: String) -> [[UInt8]] { [Self.sentence("\(name),\(rest)")] }
    guard !refused.contains(name) else { return answer("ERROR,3") }
    if name == "PQTMSAVEPAR" {
      flash = kind == .lg290p ? stored : state
      flash.baud = nextBaud ?? state.baud
      return answer("OK")
    }
    if name == "PQTMSRR" {
      restart()
      return []
    }
    guard fields.count >= 2 else { return answer("ERROR,1") }
    let isRead = fields[1] == "R"
    let values = Array(fields.dropFirst(2))
    switch name {
    case "PQTMCFGFIXRATE" where kind == .lg290p:
      if isRead { return answer("OK,\(stored.period)") }
      stored.period = Int(values[0]) ?? stored.period
    case "PQTMCFGCNST" where kind == .lg290p:
      if isRead { return answer("OK,\(Self.flags(stored.systems))") }
      stored.systems = Self.systems(values)
    case "PQTMCFGELETHD" where kind == .lg290p:
      if isRead { return answer("OK,\(state.mask).0") }
      state.mask = Int(bounded: Double(values[0]) ?? 0)
      stored.mask = state.mask
    case "PQTMCFGMSGRATE" where kind == .lg290p:
      if values[0] == "PQTMTAR" { return answer("ERROR,1") }
      if isRead {
        return answer("OK,\(values[0]),\(state.sentences.contains(values[0]) ? 1 : 0)")
      }
      toggle(values[0], values[1] != "0")
      stored.sentences = state.sentences
    case "PQTMCFGSVIN":
      if isRead { return answer("OK,\(kind == .lg290p ? stored.base : state.base)") }
      stored.base = values.joined(separator: ",")
      if kind == .lc29h { state.base = stored.base }
    case "PQTMCFGRCVRMODE" where kind == .lg290p:
      if isRead { return answer("OK,\(stored.model)") }
      stored.model = values[0]
    case "PQTMCFGUART" where kind == .lg290p:
      nextBaud = Int(values[0])
      return []
    default: return answer("ERROR,3")
    }
    return answer("OK")
  }

  private static func flags(_ systems: Set<String>) -> String {
    ["GPS", "GLO", "GAL", "BDS", "QZSS", "NavIC"]
      .map { systems.contains($0) ? "1" : "0" }.joined(separator: ",")
  }

  private static func systems(_ flags: [String]) -> Set<String> {
    let names = ["GPS", "GLO", "GAL", "BDS", "QZSS", "NavIC"]
    return Set(zip(names, flags).filter { $0.1 == "1" }.map { $0.0 })
  }

  private mutating func toggle(_ sentence: String, _ isSent: Bool) {
    if isSent { state.sentences.insert(sentence) } else { state.sentences.remove(sentence) }
  }

  private mutating func restart() {
    (state, stored) = (flash, flash)
    if keepsItsSpeed { return }
    state.baud = nextBaud ?? flash.baud
    nextBaud = nil
  }

  private mutating func pair(_ number: String, _ values: [String]) -> [[UInt8]] {
    func acknowledge(_ result: Int) -> [UInt8] { Self.sentence("PAIR001,\(number),\(result)") }
    guard !refused.contains("PAIR\(number)") else { return [acknowledge(3)] }
    let names = ["GGA", "GLL", "GSA", "GSV", "RMC", "VTG", "ZDA"]
    func answer(_ rest: String) -> [[UInt8]] {
      [acknowledge(0), Self.sentence("PAIR\(number),\(rest)")]
    }
    switch number {
    case "050": state.period = Int(values[0]) ?? state.period
    case "051": return answer("\(state.period)")
    case "062":
      guard let index = Int(values[0]), names.indices.contains(index) else {
        return [acknowledge(4)]
      }
      toggle(names[index], values[1] != "0")
    case "063":
      guard let index = Int(values[0]), names.indices.contains(index) else {
        return [acknowledge(4)]
      }
      return answer("\(index),\(state.sentences.contains(names[index]) ? 1 : 0)")
    case "066": state.systems = Self.systems(values)
    case "067": return answer(Self.flags(state.systems))
    case "072": state.mask = Int(values[0]) ?? 0
    case "073": return answer("\(state.mask)")
    case "080": state.model = values[0]
    case "081": return answer(state.model)
    case "432", "434": corrections[number] = values[0]
    case "864": nextBaud = Int(values[2])
    case "023":
      restart()
      return []
    default: return [acknowledge(3)]
    }
    return [acknowledge(0)]
  }

  /// Unicore, as UM980's answers in SparkFun's library have them.
  private mutating func unicore(_ line: String) -> [[UInt8]] {
    commands.append(line)
    let words = line.uppercased().split(separator: " ").map(String.init)
    guard let first = words.first else { return [] }
    let ok = Self.unicore("$command,\(line),response: OK")
    guard !refused.contains(first) else {
      return [Self.unicore("$command,\(line),response: PARSING FAILD NO MATCHING FUNC \(first)")]
    }
    switch first {
    case "VERSIONA":
      return [
        ok,
        Self.log(
          "VERSIONA,79,GPS,FINE,2326,378237000,15434,0,18,889;\"UM982\",\"R4.10Build15434\","
            + "\"HRPT00-S10C-P\",\"2310415000012\",\"ff2740966a10124c\",\"2024/08/08\""),
      ]
    case "MODE" where words.count == 1:
      return [
        ok, Self.unicore("#MODE,97,GPS,FINE,2406,465982000,17548,0,18,962;MODE \(mode),"),
      ]
    case "MODE": mode = words.dropFirst().joined(separator: " ")
    case "MASK" where words.count == 1:
      var lines = [ok, Self.unicore("$CONFIG,MASK,MASK \(state.mask).000000")]
      for name in ["GPS", "BDS", "GLO", "GAL", "QZSS"] where !state.systems.contains(name) {
        lines.append(Self.unicore("$CONFIG,MASK,MASK \(name)"))
      }
      return lines
    case "MASK":
      if let degrees = Double(words[1]) {
        state.mask = Int(bounded: degrees)
      } else {
        state.systems.remove(words[1])
      }
    case "UNMASK": state.systems.insert(words[1])
    case "LOGLIST": return [ok, Array("<LOGLIST COM2 0 0.0 UNKNOWN\r\n".utf8)]
    case "CONFIG":
      guard words.count == 3, words[1] == "COM2" else {
        return [Self.unicore("$command,\(line),response: PARSING FAILED MISSING FIELD,")]
      }
      nextBaud = Int(words[2])
    case "UNLOG": toggle(String(words[1].dropFirst(2)), false)
    case "SAVECONFIG": flash = state
    case "UNIHEADINGA": state.hasHeading = true
    case _ where first.hasPrefix("GP") && words.count == 2:
      toggle(String(first.dropFirst(2)), true)
      state.period = Int(bounded: ((Double(words[1]) ?? 1) * 1000).rounded())
    case _ where first.hasPrefix("RTCM"): state.base += " \(first)"
    default:
      return [Self.unicore("$command,\(line),response: PARSING FAILD NO MATCHING FUNC \(first)")]
    }
    return [ok]
  }

  /// CASIC binary, as satpulse's transcripts of ATGM332D have it.
  private mutating func zhongke(
    _ group: UInt8, _ number: UInt8, _ payload: [UInt8]
  ) -> [[UInt8]] {
    let name = "\(String(group, radix: 16)) \(String(number, radix: 16))"
    commands.append(name)
    func acknowledge(_ isTaken: Bool) -> [UInt8] {
      Self.casic(5, isTaken ? 1 : 0, [group, number, 0, 0])
    }
    guard !refused.contains(name), group == 6 else { return [acknowledge(false)] }
    func answer(_ payload: [UInt8]) -> [[UInt8]] {
      [Self.casic(group, number, payload), acknowledge(true)]
    }
    func little(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) }
    }
    func value(_ at: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(payload[at + $1]) << (8 * $1) }
    }
    let names = ["GGA", "GLL", "GSA", "GSV", "RMC", "VTG"]
    switch (number, payload.count) {
    case (4, 0): return answer(little(state.period, 2) + [0, 0])
    case (4, 4): state.period = value(0, 2)
    case (1, 4):
      guard payload[0] == 0x4E else { return [acknowledge(false)] }
      let zda = kind == .uranus5 ? 8 : 6
      let sentence = Int(payload[1]) == zda ? "ZDA" : names[Int(payload[1])]
      toggle(sentence, payload[2] > 0)
    case (7, 0) where kind == .uranus5:
      var image = [UInt8](repeating: 0, count: 44)
      image[4] = UInt8(state.model) ?? 0
      image[11] = UInt8(state.mask)
      image[13] = navSystem
      return answer(image)
    case (7, 44) where kind == .uranus5:
      let mask = value(0, 4)
      if mask & 0x01 != 0 { state.model = "\(payload[4])" }
      if mask & 0x40 != 0 { state.mask = Int(payload[11]) }
      if mask & 0x100 != 0 {
        let bits: [(String, UInt8)] = [("GPS", 1), ("BDS", 2), ("GLO", 4)]
        state.systems = Set(bits.filter { payload[13] & $0.1 != 0 }.map(\.0))
      }
    case (0x0F, 0) where kind == .uranus6:
      var mask = 0
      for (name, bits) in Self.bands where state.systems.contains(name) { mask |= bits }
      return answer([1, 0, 0, 0] + little(mask, 4) + little(mask, 4))
    case (0x0F, 12) where kind == .uranus6:
      state.systems = Set(Self.bands.filter { value(4, 4) & $0.1 != 0 }.map(\.0))
    case (0x0A, 0) where kind == .uranus6:
      return answer([4, 80, 8, UInt8(state.mask), 0, 0, 0, 0])
    case (0x0A, 8) where kind == .uranus6:
      guard payload[..<3] == [4, 80, 8] else { return [acknowledge(false)] }
      state.mask = Int(payload[3])
    case (0, 8):
      guard payload[..<4] == [0xFF, 0x33, 0xC0, 0x08] else { return [acknowledge(false)] }
      nextBaud = value(4, 4)
    case (5, 4): if payload == [0xFF, 0xFF, 1, 0] { flash = state }
    default: return [acknowledge(false)]
    }
    return [acknowledge(true)]
  }

  private static let bands = [
    ("GPS", 0b101), ("GLO", 0x20), ("GAL", 0x180), ("BDS", 0xCC00), ("QZSS", 0x28_0000),
  ]

  private var navSystem: UInt8 {
    (state.systems.contains("GPS") ? 1 : 0) | (state.systems.contains("BDS") ? 2 : 0)
      | (state.systems.contains("GLO") ? 4 : 0)
  }

  /// SkyTraq, as its application notes AN0003 and AN0037 have it.
  private mutating func venus(_ payload: [UInt8]) -> [[UInt8]] {
    let hasTwo = payload[0] == 0x64 || payload[0] == 0x6A
    let key = Array(payload.prefix(hasTwo ? 2 : 1))
    let name = key.map { String($0, radix: 16) }.joined(separator: " ")
    commands.append(name)
    func acknowledge(_ isTaken: Bool) -> [UInt8] { Self.skyTraq([isTaken ? 0x83 : 0x84] + key) }
    guard !refused.contains(name) else { return [acknowledge(false)] }
    func answer(_ payload: [UInt8]) -> [[UInt8]] { [acknowledge(true), Self.skyTraq(payload)] }
    let order = [
      "GGA", "GSA", "GSV", "GLL", "RMC", "VTG", "ZDA", "GNS", "GBS", "GRS", "DTM", "GST",
    ]
    let bits: [(String, UInt8)] = [("GPS", 1), ("GLO", 2), ("GAL", 4), ("BDS", 8)]
    var isFlash = false
    switch (payload[0], hasTwo ? payload[1] : 0) {
    case (0x02, _): return answer([0x80, 1, 0, 2, 1, 9, 0, 1, 7, 27, 0, 23, 11, 30])
    case (0x10, _): return answer([0x86, UInt8(1000 / state.period)])
    case (0x0E, _):
      guard [1, 2, 4, 5, 8, 10, 20, 25, 40, 50].contains(payload[1]) else {
        return [acknowledge(false)]
      }
      (state.period, isFlash) = (1000 / Int(payload[1]), payload[2] == 1)
    case (0x64, 0x03):
      return answer([0x64, 0x81] + order.map { state.sentences.contains($0) ? 1 : 0 })
    case (0x64, 0x02):
      guard payload.count == 15 else { return [acknowledge(false)] }
      state.sentences = Set(order.indices.filter { payload[2 + $0] > 0 }.map { order[$0] })
      isFlash = payload[14] == 1
    case (0x64, 0x18): return answer([0x64, 0x8B, UInt8(state.model) ?? 0])
    case (0x64, 0x17): (state.model, isFlash) = ("\(payload[2])", payload[3] == 1)
    case (0x64, 0x1A):
      let mask = bits.reduce(UInt8(0)) { state.systems.contains($1.0) ? $0 | $1.1 : $0 }
      return answer([0x64, 0x8C, 0, mask, 0, mask])
    case (0x64, 0x19):
      state.systems = Set(bits.filter { payload[3] & $0.1 != 0 }.map(\.0))
      isFlash = payload[4] == 1
    case (0x6A, 0x07):
      // The position of the runtime's values follows.
      return answer([0x6A, 0x83] + state.rtk + [0, 0, 0, 0, 0])
    case (0x6A, 0x06):
      guard payload.count == 37, payload[2] < 3, payload[3] < 3 else { return [acknowledge(false)] }
      (state.rtk, isFlash) = (Array(payload[2..<32]), payload[36] == 1)
    case (0x2F, _): return answer([0xB0, 1, UInt8(state.mask), 10])
    case (0x2B, _):
      guard payload[1] == 2 else { return [acknowledge(false)] }
      (state.mask, isFlash) = (Int(payload[2]), payload[4] == 1)
    case (0x05, _):
      let speeds = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]
      (nextBaud, isFlash) = (speeds[Int(payload[2])], payload[3] == 1)
    default: return [acknowledge(false)]
    }
    if isFlash { flash = state }
    return [acknowledge(true)]
  }
}
