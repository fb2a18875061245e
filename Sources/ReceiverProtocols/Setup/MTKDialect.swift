import Quantities

/// MediaTek's PMTK sentences, of Quectel L76, L80 and L86 and of many other modules.
///
/// `PMTK001,command,flag` acknowledges: 0 invalid, 1 unsupported, 2 failed, 3 taken. The settings
/// are in RAM, which a backup battery keeps; there is no command that saves.
/// - Source: Quectel L76 series GNSS protocol specification 3.3, PMTK001, 104, 220, 251, 314, 353,
///   400, 414, 605, 886; the order of PMTK355's answer from Zephyr's driver of the L86
///   (gnss_quectel_l86.c), Quectel's example of an L76 and GlobalTop's three flags, which have BeiDou
///   before Galileo too.
struct MTKDialect: MakerDialect {
  private(set) var values = SetupValues()

  /// The field of each sentence in PMTK314 and PMTK514; nil where there is none.
  private static func place(_ sentence: OutputSentence) -> Int? {
    switch sentence {
    case .gll: 0
    case .rmc: 1
    case .vtg: 2
    case .gga: 3
    case .gsa: 4
    case .gsv: 5
    case .zda: 17
    case .gns, .gst: nil
    }
  }

  private static let fieldCount = 19
  private static let periods = 100.0...10_000.0
  private static let speeds = [4800, 9600, 14_400, 19_200, 38_400, 57_600, 115_200]

  private static func number(_ model: UBXDynamicModel) -> Int? {
    switch model {
    case .portable, .automotive: 0
    case .pedestrian, .wrist: 1
    case .airborne1g, .airborne2g, .airborne4g: 2
    case .stationary: 4
    case .sea: nil
    }
  }

  private static func command(_ text: String, _ number: String) -> DialectCommand {
    DialectCommand(sentence: text, key: number)
  }

  var question: DialectCommand { MakerQuestions.command(.mediaTek) }

  func obstacle(to value: ReceiverValue, isSaved: Bool) -> String? {
    switch value {
    case .rate(let hertz): Self.periods.contains(1000 / hertz) ? nil : "0.1 to 10 Hz are possible"
    case .model(let model): Self.number(model) == nil ? lacking(value) : nil
    case .messages(let messages): messages == .nmea ? nil : "the receiver sends NMEA only"
    case .sentences(let sentences):
      sentences.contains { Self.place($0) == nil } ? "GNS and GST do not exist" : nil
    case .systems(let systems):
      systems.contains { [.sbas, .qzss, .navic].contains($0) }
        ? "gps, glonass, galileo and beidou can be chosen" : nil
    case .mask, .base, .heading: "PMTK has no command for it"
    case .baud(let baud): Self.speeds.contains(baud) ? nil : "4800 to 115200 baud are possible"
    }
  }

  func queries(for property: ReceiverProperty) -> [DialectCommand] {
    switch property {
    case .rate: [DialectCommand(sentence: "PMTK400", key: "400", .value)]
    case .sentences: [DialectCommand(sentence: "PMTK414", key: "414", .value)]
    case .systems: [DialectCommand(sentence: "PMTK355", key: "355", .value)]
    default: []
    }
  }

  func commands(for value: ReceiverValue, _ output: OutputObservation) -> [DialectCommand] {
    switch value {
    case .rate(let hertz):
      return [Self.command("PMTK220,\(Int(bounded: (1000 / hertz).rounded()))", "220")]
    case .model(let model):
      guard let number = Self.number(model) else { return [] }
      return [Self.command("PMTK886,\(number)", "886")]
    case .sentences(let sentences):
      var text = "PMTK314"
      for place in 0..<Self.fieldCount {
        text += sentences.contains { Self.place($0) == place } ? ",1" : ",0"
      }
      return [Self.command(text, "314")]
    case .systems(let systems):
      func flag(_ system: Constellation) -> String { systems.contains(system) ? ",1" : ",0" }
      let text = "PMTK353" + flag(.gps) + flag(.glonass) + flag(.galileo) + ",0" + flag(.beidou)
      return [Self.command(text, "353")]
    case .baud(let baud):
      return [DialectCommand(sentence: "PMTK251,\(baud)", key: "251", .none(wait: 0))]
    case .messages, .mask, .base, .heading: return []
    }
  }

  mutating func receive(_ frame: SetupFrameReader.Frame) -> SetupReply? {
    guard case .line(let line) = frame, line.isSentence else { return nil }
    let fields = line.fields
    if fields[0].matches("PMTK001"), fields.count >= 3 {
      let key = Array(fields[1].bytes)
      switch fields[2].integer {
      case 3:
        guard fields[1].matches("355"), fields.count >= 6 else { return .acknowledged(key) }
        let order: [Constellation] = [.gps, .glonass, .beidou, .galileo]
        // Older firmware leaves out GPS, which it always uses.
        let missing = fields.count == 6 ? 1 : 0
        let systems = order.indices.filter {
          $0 < missing || fields[3 + $0 - missing].integer == 1
        }.map { order[$0] }
        values.set(.systems(systems))
        return .answered(key)
      case 0: return .refused(key, "invalid command")
      case 1: return .refused(key, "unsupported command")
      default: return .refused(key, "the action failed")
      }
    }
    if fields[0].matches("PMTK500"), fields.count >= 2, let period = fields[1].number, period > 0 {
      values.set(.rate(1000 / period))
      return .answered(Array("400".utf8))
    }
    if fields[0].matches("PMTK514"), fields.count > Self.fieldCount {
      let sentences = OutputSentence.allCases.filter { sentence in
        Self.place(sentence).map { (fields[1 + $0].integer ?? 0) > 0 } ?? false
      }
      values.set(.sentences(sentences))
      return .answered(Array("414".utf8))
    }
    return fields[0].matches("PMTK705") ? .answered(Array("605".utf8)) : nil
  }

  var saving: [DialectCommand] { [] }
  var factoryDefaults: [DialectCommand] {
    [DialectCommand(sentence: "PMTK104", key: "104", .none(wait: 1_000_000_000))]
  }
}
