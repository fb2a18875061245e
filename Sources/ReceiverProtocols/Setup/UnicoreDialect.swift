import Quantities

/// Unicore's commands in ASCII, of UM980, UM982 and their relatives.
///
/// Each command is answered by `$command,COMMAND,response: OK*hh`, or by a reason for its refusal.
/// `MASK` and `MODE` alone query. The rate is that of each message: `GPGGA 0.2` is sent each 0.2 s.
/// Which sentences are sent, and how often, is read from the output. Nothing is saved before
/// `SAVECONFIG`.
/// - Source: Unicore N4 high precision products reference commands 1.13, and its Chinese edition for
///   MODE BASE: sections CONFIG, MASK, MODE, SAVECONFIG, FRESET; answers of a UM980 as published
///   with SparkFun's and other libraries; `LOGLIST` for the port from satpulse's notes on the hardware; `MODE MOVINGBASE` also from
///   ArduPilot's driver (AP_GPS_NMEA.cpp).
struct UnicoreDialect: MakerDialect {
  private(set) var values = SetupValues()
  private let hasTwoAntennas: Bool
  /// The name of the port of the line, such as COM1; nil before it is known.
  private var port: String?
  private var masked: [Constellation] = []
  /// The number of the base station that was read, which new modes keep.
  private var baseID: String?
  /// True in MODE HEADING2, which none of the values describes.
  private var isHeading2 = false

  init(model: String?) {
    hasTwoAntennas = model.map { SetupField(Array($0.utf8)[...]).has("982") } ?? false
  }

  /// A command line; its key is the command without its end.
  static func line(
    _ text: String, _ answer: DialectCommand.Answer = .acknowledgement
  ) -> DialectCommand {
    DialectCommand(bytes: Array(text.utf8) + [13, 10], key: Array(text.utf8), answer)
  }

  private static func name(_ system: Constellation) -> String? {
    switch system {
    case .gps: "GPS"
    case .glonass: "GLO"
    case .galileo: "GAL"
    case .beidou: "BDS"
    case .qzss: "QZSS"
    case .sbas, .navic: nil
    }
  }

  private static let systems: [Constellation] = [.gps, .glonass, .galileo, .beidou, .qzss]
  /// The corrections of a base station, with their periods, seconds: its place, its antenna and
  /// the measurements.
  private static let corrections = [
    ("RTCM1006", 10), ("RTCM1033", 10), ("RTCM1074", 1), ("RTCM1084", 1), ("RTCM1094", 1),
    ("RTCM1124", 1),
  ]

  private static func mode(_ model: UBXDynamicModel) -> String? {
    switch model {
    case .portable, .pedestrian: "MODE ROVER SURVEY"
    case .automotive: "MODE ROVER AUTOMOTIVE"
    case .airborne1g, .airborne2g, .airborne4g: "MODE ROVER UAV"
    case .stationary, .sea, .wrist: nil
    }
  }

  var question: DialectCommand { MakerQuestions.command(.unicore) }

  func obstacle(to value: ReceiverValue, isSaved: Bool) -> String? {
    if isHeading2, value.property == .base || value.property == .model {
      return "it is in MODE HEADING2, which could not be restored: set MODE ROVER first"
    }
    switch value {
    case .rate(let hertz): return (1...50).contains(hertz) ? nil : "1 to 50 Hz are possible"
    case .model(let model): return Self.mode(model) == nil ? lacking(value) : nil
    case .base(.survey(let seconds, let metres)):
      if metres != nil { return "its survey lasts a time, without 'accuracy': leave it out" }
      return seconds > Self.longestSurvey
        ? "its survey lasts at most \(Self.longestSurvey) s" : nil
    case .messages(let messages):
      return messages == .nmea ? nil : "its position is read from NMEA; choose 'sentences'"
    case .sentences, .mask, .base: return nil
    case .systems(let systems):
      return systems.contains { Self.name($0) == nil }
        ? "gps, glonass, galileo, beidou and qzss can be chosen" : nil
    case .heading:
      return hasTwoAntennas ? nil : "only a UM982 has two antennas"
    case .baud(let baud):
      if port == nil { return "the receiver does not report the port of this line" }
      return (9600...921_600).contains(baud) ? nil : "9600 to 921600 baud are possible"
    }
  }

  func observes(_ property: ReceiverProperty) -> Bool {
    property == .rate || property == .sentences || property == .heading
  }

  func queries(for property: ReceiverProperty) -> [DialectCommand] {
    switch property {
    case .systems, .mask: [Self.line("MASK", .lines)]
    case .model, .base: [Self.line("MODE", .lines)]
    case .baud: [Self.line("LOGLIST", .lines).optional]
    case .rate, .sentences, .heading, .messages: []
    }
  }

  func commands(for value: ReceiverValue, _ output: OutputObservation) -> [DialectCommand] {
    switch value {
    case .rate(let hertz):
      return output.sentences.map { Self.line("GP\($0.rawValue) \(Self.period(hertz))") }
    case .sentences(let wanted):
      let period = Self.period(output.rateHertz ?? 1)
      var commands: [DialectCommand] = []
      for sentence in OutputSentence.allCases {
        // The same sentence is a log of its own with the other talker.
        commands.append(Self.line("UNLOG GN\(sentence.rawValue)").optional)
        commands.append(
          wanted.contains(sentence)
            ? Self.line("GP\(sentence.rawValue) \(period)")
            : Self.line("UNLOG GP\(sentence.rawValue)").optional)
      }
      return commands
    case .systems(let wanted):
      // First those to use, so that one always remains.
      let on = Self.systems.filter(wanted.contains)
      let off = Self.systems.filter { !wanted.contains($0) }
      return on.compactMap(Self.name).map { Self.line("UNMASK \($0)") }
        + off.compactMap(Self.name).map { Self.line("MASK \($0)") }
    case .mask(let degrees):
      return [Self.line("MASK \(ReceiverValue.number(degrees, decimals: 1))")]
    case .model(let model): return Self.mode(model).map { [Self.line($0)] } ?? []
    case .base(let base): return commands(for: base)
    case .heading(let isSent):
      let period = Self.period(output.rateHertz ?? 1)
      return [Self.line(isSent ? "UNIHEADINGA \(period)" : "UNLOG UNIHEADINGA")]
    case .baud(let baud): return port.map { [Self.line("CONFIG \($0) \(baud)")] } ?? []
    case .messages: return []
    }
  }

  /// An observed rate is about a whole one.
  private static func period(_ hertz: Double) -> String {
    ReceiverValue.number(1 / max(hertz.rounded(), 1), decimals: 3)
  }

  /// Seconds.
  private static let longestSurvey = 3600

  private func commands(for base: BaseStation) -> [DialectCommand] {
    let sent = Self.corrections.map { Self.line("\($0.0) \($0.1)") }
    let mode = "MODE BASE " + (baseID.map { $0 + " " } ?? "")
    switch base {
    case .rover:
      return [Self.line("MODE ROVER SURVEY")]
        + Self.corrections.map { Self.line("UNLOG \($0.0)").optional }
    case .moving: return [Self.line("MODE MOVINGBASE")] + sent
    case .survey(let seconds, _):
      // The second number is no accuracy: within this distance of the place in flash, that place is
      // used instead. 0: never.
      return [Self.line("\(mode)TIME \(seconds) 0")] + sent
    case .fixed(let latitude, let longitude, let height):
      return [Self.line(mode + Self.place(latitude, longitude, height))] + sent
    }
  }

  /// A place as MODE BASE has it: earth-centred where its numbers cannot be meant as degrees and a
  /// height, since the manual has the height above the sea, and users have it above the ellipsoid.
  private static func place(_ latitude: Double, _ longitude: Double, _ height: Double) -> String {
    let place = EarthCentredPosition(
      GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude),
      heightMetres: height)
    guard abs(place.xMetres) > 90, abs(place.yMetres) > 180, abs(place.zMetres) > 30_000 else {
      return "\(String(latitude, decimals: 9)) \(String(longitude, decimals: 9)) "
        + String(height, decimals: 4)
    }
    return "\(String(place.xMetres, decimals: 4)) \(String(place.yMetres, decimals: 4)) "
      + String(place.zMetres, decimals: 4)
  }

  mutating func receive(_ frame: SetupFrameReader.Frame) -> SetupReply? {
    guard case .line(let line) = frame else { return nil }
    let fields = line.fields
    guard line.isSentence else {
      if fields[0].starts(with: "VERSION") { return .answered(Array("VERSIONA".utf8)) }
      if fields[0].starts(with: "LOGLIST ") { readPort(fields[0]) }
      if fields[0].matches("MODE") { readMode(line) }
      return nil
    }
    if fields[0].matches("command"), fields.count >= 3 { return Self.reply(line, fields) }
    guard fields[0].matches("CONFIG"), fields.count >= 3 else { return nil }
    if fields[1].matches("MASK") { readMask(fields[2]) }
    return nil
  }

  /// `$command,THE COMMAND,response: OK`; the command may contain commas.
  private static func reply(_ line: SetupLine, _ fields: [SetupField]) -> SetupReply? {
    guard let response = fields.lastIndex(where: { $0.starts(with: "response: ") }), response > 1
    else { return nil }
    let (start, end) = (fields[1].bytes.startIndex, fields[response - 1].bytes.endIndex)
    let command = line.body[start..<end].map { byte in
      byte >= UInt8(ascii: "a") && byte <= UInt8(ascii: "z") ? byte - 32 : byte
    }
    let answer = SetupField(line.body[fields[response].bytes.startIndex...].dropFirst(10))
    return answer.matches("OK") ? .acknowledged(command) : .refused(command, answer.text)
  }

  private mutating func readPort(_ field: SetupField) {
    let words = field.bytes.fields(by: UInt8(ascii: " "))
    guard words.count >= 2, words[1].starts(with: "COM"), words[1].bytes.count == 4 else { return }
    port = words[1].text
  }

  private mutating func readMask(_ field: SetupField) {
    let words = field.bytes.fields(by: UInt8(ascii: " "))
    guard words.count == 2, words[0].matches("MASK") else { return }
    if let degrees = words[1].number {
      values.set(.mask(degrees))
      // The list begins with the elevation.
      masked = []
    } else if let system = Self.systems.first(where: {
      Self.name($0).map { Array($0.utf8) } == Array(words[1].bytes)
    }) {
      masked.append(system)
    }
    values.set(.systems(Self.systems.filter { !masked.contains($0) }))
  }

  private mutating func readMode(_ line: SetupLine) {
    let parts = line.body.fields(by: UInt8(ascii: ";"))
    guard parts.count == 2 else { return }
    let words = parts[1].bytes.fields()[0].bytes.fields(by: UInt8(ascii: " "))
      .filter { !$0.bytes.isEmpty }
    guard words.count >= 2, words[0].matches("MODE") else { return }
    isHeading2 = words[1].matches("HEADING2")
    values.remove(.model)
    values.remove(.base)
    if words[1].matches("MOVINGBASE") {
      values.set(.base(.moving))
    } else if words[1].matches("ROVER") {
      values.set(.base(.rover))
      let word = words.count > 2 ? words[2] : words[1]
      values.set(
        .model(
          word.matches("AUTOMOTIVE") ? .automotive : word.matches("UAV") ? .airborne2g : .portable))
    } else if words[1].matches("BASE") {
      readBase(words.dropFirst(2))
    }
  }

  /// `[ID] TIME SECONDS [DISTANCE]`, or `[ID]` and three numbers.
  private mutating func readBase(_ words: ArraySlice<SetupField>) {
    var words = words
    if let first = words.first, first.integer != nil,
      words.count == 1 || words.count == 4 || words.dropFirst().first?.matches("TIME") == true
    {
      baseID = first.text
      words = words.dropFirst()
    }
    let numbers = words.compactMap { $0.number }
    if words.first?.matches("TIME") == true, let seconds = numbers.first {
      values.set(.base(.survey(seconds: Int(bounded: seconds), metres: nil)))
    } else if numbers.count == 3 {
      let place = EarthCentredPosition(
        xMetres: numbers[0], yMetres: numbers[1], zMetres: numbers[2])
      if abs(numbers[0]) <= 90 {
        values.set(
          .base(.fixed(latitude: numbers[0], longitude: numbers[1], height: numbers[2])))
      } else if let base = BaseStation(place) {
        values.set(.base(base))
      }
    }
  }

  var saving: [DialectCommand] { [Self.line("SAVECONFIG")] }
  var factoryDefaults: [DialectCommand] { [Self.line("FRESET", .none(wait: 5_000_000_000))] }
}

extension SetupField {
  /// True where the field contains this text.
  func has(_ text: StaticString) -> Bool {
    var rest = SetupField(bytes)
    while rest.bytes.count >= text.utf8CodeUnitCount {
      if rest.starts(with: text) { return true }
      rest = SetupField(rest.bytes.dropFirst())
    }
    return false
  }
}
