import Quantities

/// Quectel's PAIR and PQTM sentences: PAIR of LC29H, LC76G and LC86G for what both have, PQTM of
/// LG290P and LG580P, and of all for the base station.
///
/// `PAIR001,command,result` acknowledges: 0 sent, 1 in progress, 2 failed, 3 unsupported, 4 invalid
/// parameter, 5 busy. PQTM answers with its own name and OK, or ERROR and 1 invalid parameter, 2
/// failed, 3 unsupported.
/// - Source: Quectel LC29H GNSS protocol specification 1.3, sections 2.3 and 2.4; LG290P protocol
///   specification 1.1; field lists of pynmeagps 1.1.8; behaviour of LC29H(AA) and LG290P from
///   satpulse's notes on the hardware (github.com/jclark/satpulse, plan/quectel-config.md): an
///   LG290P changes its baud rate 2 ms after the command, without an answer at the old one; fix
///   rate, systems, base station and navigation mode only after saving and a restart of 15 s.
struct QuectelDialect: MakerDialect {
  private(set) var values = SetupValues()
  /// True for LG290P and its relatives, which have no PAIR commands.
  private let isPQTM: Bool
  private let savesByPQTM: Bool
  private var sent: [OutputSentence] = []
  private var isBase: Bool?

  init(model: String?) {
    isPQTM = model?.hasPrefix("LG") ?? false
    savesByPQTM = isPQTM || (model?.hasPrefix("LC29H") ?? false)
  }

  /// The number of each sentence in PAIR062; nil where there is none.
  private static func number(_ sentence: OutputSentence) -> Int? {
    switch sentence {
    case .gga: 0
    case .gll: 1
    case .gsa: 2
    case .gsv: 3
    case .rmc: 4
    case .vtg: 5
    case .zda: 6
    case .gst: 8
    case .gns: nil
    }
  }

  private var sentences: [OutputSentence] {
    // LC76G has no GST.
    isPQTM ? OutputSentence.allCases : [.gga, .gll, .gsa, .gsv, .rmc, .vtg, .zda]
  }

  private static func number(_ model: UBXDynamicModel) -> Int? {
    switch model {
    case .portable, .automotive: 0
    case .pedestrian: 1
    case .stationary: 4
    case .airborne1g, .airborne2g, .airborne4g: 5
    case .sea, .wrist: nil
    }
  }

  private static let order: [Constellation] = [.gps, .glonass, .galileo, .beidou, .qzss, .navic]

  /// A PAIR command; its key is its three digits.
  private static func pair(
    _ text: String, _ answer: DialectCommand.Answer = .acknowledgement
  ) -> DialectCommand {
    DialectCommand(sentence: "PAIR" + text, key: String(text.prefix(3)), answer)
  }

  /// A PQTM command; its key is its name.
  private static func qtm(
    _ text: String, _ answer: DialectCommand.Answer = .acknowledgement
  ) -> DialectCommand {
    let name = text.prefix { $0 != "," }
    return DialectCommand(sentence: "PQTM" + text, key: "PQTM" + name, answer)
  }

  var question: DialectCommand { MakerQuestions.command(.quectel) }

  func obstacle(to value: ReceiverValue, isSaved: Bool) -> String? {
    if !isSaved, needsRestart(value.property) { return Self.unsaved }
    switch value {
    case .rate(let hertz):
      let fastest = isPQTM ? 20.0 : 10
      return (1...fastest).contains(hertz) ? nil : "1 to \(isPQTM ? 20 : 10) Hz are possible"
    case .model(let model):
      // PQTMCFGNAVMODE of an LG290P: each change needs saving and a restart.
      if isPQTM { return "its navigation mode follows no activity" }
      return Self.number(model) == nil ? lacking(value) : nil
    case .messages(let messages): return messages == .nmea ? nil : "the receiver sends NMEA only"
    case .sentences(let wanted):
      return wanted.allSatisfy(sentences.contains) ? nil : lacking(value)
    case .systems(let systems): return systems.contains(.sbas) ? lacking(value) : nil
    case .base(.moving): return "no source states that it can be a moving base"
    case .base(.survey(_, nil)): return BaseStation.needsAccuracy
    case .mask, .base: return nil
    case .heading: return isPQTM ? nil : "only modules with two antennas, such as LG580P, have it"
    case .baud: return changesBaudAtRestart && !isSaved ? Self.unsaved : nil
    }
  }

  private static let unsaved = "the receiver changes it only at a restart, so it has to be saved"

  var changesBaudAtRestart: Bool { !isPQTM }

  func needsRestart(_ property: ReceiverProperty) -> Bool {
    isPQTM && (property == .rate || property == .systems || property == .base)
  }

  func queries(for property: ReceiverProperty) -> [DialectCommand] {
    switch property {
    case .rate: [isPQTM ? Self.qtm("CFGFIXRATE,R", .value) : Self.pair("051", .value)]
    case .model: isPQTM ? [] : [Self.pair("081", .value)]
    case .sentences:
      sentences.map {
        isPQTM
          ? Self.qtm("CFGMSGRATE,R,\($0.rawValue)", .value).optional
          : Self.pair("063,\(Self.number($0) ?? 0)", .value).optional
      }
    case .systems: [isPQTM ? Self.qtm("CFGCNST,R", .value) : Self.pair("067", .value)]
    case .mask: [isPQTM ? Self.qtm("CFGELETHD,R", .value) : Self.pair("073", .value)]
    case .base: [Self.qtm("CFGRCVRMODE,R", .value).optional, Self.qtm("CFGSVIN,R", .value)]
    case .heading: isPQTM ? [Self.qtm("CFGMSGRATE,R,PQTMTAR,1", .value)] : []
    case .messages, .baud: []
    }
  }

  func commands(for value: ReceiverValue, _ output: OutputObservation) -> [DialectCommand] {
    switch value {
    case .rate(let hertz):
      let period = Int(bounded: (1000 / hertz).rounded())
      return [isPQTM ? Self.qtm("CFGFIXRATE,W,\(period)") : Self.pair("050,\(period)")]
    case .model(let model):
      return Self.number(model).map { [Self.pair("080,\($0)")] } ?? []
    case .sentences(let wanted):
      return sentences.map { sentence in
        let isOn = wanted.contains(sentence)
        let rate = isOn ? 1 : 0
        let command =
          isPQTM
          ? Self.qtm("CFGMSGRATE,W,\(sentence.rawValue),\(rate)")
          : Self.pair("062,\(Self.number(sentence) ?? 0),\(rate)")
        return isOn ? command : command.optional
      }
    case .systems(let systems):
      var flags = ""
      for system in Self.order { flags += systems.contains(system) ? ",1" : ",0" }
      return [isPQTM ? Self.qtm("CFGCNST,W\(flags)") : Self.pair("066\(flags)")]
    case .mask(let degrees):
      return [
        isPQTM
          ? Self.qtm("CFGELETHD,W,\(String(degrees, decimals: 1))")
          : Self.pair("072,\(Int(bounded: degrees.rounded()))")
      ]
    case .base(let base): return commands(for: base)
    case .heading(let isSent): return [Self.qtm("CFGMSGRATE,W,PQTMTAR,\(isSent ? 1 : 0),1")]
    case .baud(let baud):
      return [isPQTM ? Self.qtm("CFGUART,W,\(baud)") : Self.pair("864,0,0,\(baud)")]
    case .messages: return []
    }
  }

  private func commands(for base: BaseStation) -> [DialectCommand] {
    switch base {
    case .rover, .moving:
      // The corrections of an LC29H are output messages of their own: off.
      return [Self.qtm("CFGRCVRMODE,W,1").optional, Self.qtm("CFGSVIN,W,0,0,0,0,0,0")]
        + (isPQTM ? [] : [Self.pair("432,-1").optional, Self.pair("434,0").optional])
    case .survey(let seconds, let metres):
      return [
        Self.qtm("CFGRCVRMODE,W,2").optional,
        Self.qtm(
          "CFGSVIN,W,1,\(seconds),\(String(metres ?? BaseStation.anyAccuracy, decimals: 1)),0,0,0"),
      ] + corrections
    case .fixed(let latitude, let longitude, let height):
      let place = EarthCentredPosition(
        GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude),
        heightMetres: height)
      func text(_ metres: Double) -> String { String(metres, decimals: 4) }
      return [
        Self.qtm("CFGRCVRMODE,W,2").optional,
        Self.qtm(
          "CFGSVIN,W,2,0,0,\(text(place.xMetres)),\(text(place.yMetres)),\(text(place.zMetres))"),
      ] + corrections
    }
  }

  /// LG290P sends RTCM 3 as a base station by itself.
  private var corrections: [DialectCommand] {
    isPQTM ? [] : [Self.pair("432,1").optional, Self.pair("434,1").optional]
  }

  mutating func receive(_ frame: SetupFrameReader.Frame) -> SetupReply? {
    guard case .line(let line) = frame, line.isSentence else { return nil }
    let fields = line.fields
    if fields[0].starts(with: "PAIR") { return receivePAIR(fields) }
    guard fields[0].starts(with: "PQTM"), fields.count >= 2 else { return nil }
    let key = Array(fields[0].bytes)
    if fields[0].matches("PQTMVERNO") { return .answered(key) }
    guard fields[1].matches("OK") else {
      guard fields[1].matches("ERROR") else { return nil }
      switch fields.count > 2 ? fields[2].integer : nil {
      case 1: return .refused(key, "invalid parameter")
      case 3: return .refused(key, "unsupported command")
      default: return .refused(key, "the action failed")
      }
    }
    guard fields.count > 2 else { return .acknowledged(key) }
    return read(fields[0], Array(fields.dropFirst(2))) ? .answered(key) : nil
  }

  private mutating func receivePAIR(_ fields: [SetupField]) -> SetupReply? {
    let key = Array(fields[0].bytes.dropFirst(4))
    guard fields[0].matches("PAIR001") else {
      guard fields.count >= 2 else { return nil }
      return readPAIR(fields) ? .answered(key) : nil
    }
    guard fields.count >= 3 else { return nil }
    let command = Array(fields[1].bytes)
    switch fields[2].integer {
    case 0: return .acknowledged(command)
    // The result follows.
    case 1: return nil
    case 3: return .refused(command, "unsupported command")
    case 4: return .refused(command, "invalid parameter")
    case 5: return .refused(command, "busy")
    default: return .refused(command, "the action failed")
    }
  }

  private mutating func readPAIR(_ fields: [SetupField]) -> Bool {
    guard let first = fields[1].number else { return false }
    if fields[0].matches("PAIR051"), first > 0 {
      values.set(.rate(1000 / first))
    } else if fields[0].matches("PAIR063"), fields.count >= 3, let rate = fields[2].integer {
      guard let sentence = sentences.first(where: { Self.number($0) == fields[1].integer }) else {
        return false
      }
      record(sentence, isSent: rate > 0)
    } else if fields[0].matches("PAIR067") {
      readSystems(Array(fields.dropFirst()))
    } else if fields[0].matches("PAIR073") {
      values.set(.mask(first))
    } else if fields[0].matches("PAIR081") {
      guard
        let model = UBXDynamicModel.allCases.first(where: { Double(Self.number($0) ?? -1) == first }
        )
      else { return true }
      values.set(.model(model))
    } else {
      return false
    }
    return true
  }

  private mutating func record(_ sentence: OutputSentence, isSent: Bool) {
    sent.removeAll { $0 == sentence }
    if isSent { sent.append(sentence) }
    values.set(.sentences(sent))
  }

  private mutating func readSystems(_ flags: [SetupField]) {
    let pairs = zip(Self.order, flags)
    values.set(.systems(pairs.filter { $0.1.integer == 1 }.map { $0.0 }))
  }

  /// Reads the answer to a query of PQTM; false where it has no value.
  private mutating func read(_ name: SetupField, _ fields: [SetupField]) -> Bool {
    if name.matches("PQTMCFGFIXRATE"), let period = fields[0].number, period > 0 {
      values.set(.rate(1000 / period))
    } else if name.matches("PQTMCFGMSGRATE"), fields.count >= 2, let rate = fields[1].integer {
      if fields[0].matches("PQTMTAR") {
        values.set(.heading(rate > 0))
      } else if let sentence = OutputSentence.allCases.first(where: {
        fields[0].bytes.elementsEqual($0.rawValue.utf8)
      }) {
        record(sentence, isSent: rate > 0)
      } else {
        return false
      }
    } else if name.matches("PQTMCFGCNST") {
      readSystems(fields)
    } else if name.matches("PQTMCFGELETHD"), let degrees = fields[0].number {
      values.set(.mask(degrees))
    } else if name.matches("PQTMCFGRCVRMODE"), let mode = fields[0].integer {
      isBase = mode == 2
    } else if name.matches("PQTMCFGSVIN"), fields.count >= 6 {
      return readBase(fields)
    } else {
      return false
    }
    return true
  }

  private mutating func readBase(_ fields: [SetupField]) -> Bool {
    let numbers = fields.compactMap { $0.number }
    guard numbers.count >= 6 else { return false }
    switch numbers[0] {
    case 1 where isBase != false:
      values.set(.base(.survey(seconds: Int(bounded: numbers[1]), metres: numbers[2])))
    case 2 where isBase != false:
      let place = EarthCentredPosition(
        xMetres: numbers[3], yMetres: numbers[4], zMetres: numbers[5])
      guard let base = BaseStation(place) else { return false }
      values.set(.base(base))
    default: values.set(.base(.rover))
    }
    return true
  }

  /// LC76G and LC86G that solve faster than once a second are to save while positioning is stopped:
  /// the sleep is locked, positioning stopped and started again.
  /// - Source: Quectel LC26G, LC76G and LC86G GNSS protocol specification, PAIR513; published
  ///   programs for the LC86G save at 1 Hz alone.
  var saving: [DialectCommand] {
    if savesByPQTM { return [Self.qtm("SAVEPAR")] }
    guard case .rate(let hertz)? = values[.rate], hertz > 1 else { return [Self.pair("513")] }
    return [Self.pair("382,1"), Self.pair("003"), Self.pair("513"), Self.pair("002")]
  }
  var restart: [DialectCommand] {
    let answer = DialectCommand.Answer.none(wait: isPQTM ? Self.longBootTime : Self.bootTime)
    return [isPQTM ? Self.qtm("SRR", answer) : Self.pair("023", answer)]
  }
  var factoryDefaults: [DialectCommand] {
    (savesByPQTM ? [Self.qtm("RESTOREPAR")] : [Self.pair("514")]) + restart
  }

  /// From a restart to the first answer, ns.
  private static let bootTime: UInt64 = 3_000_000_000
  /// That of an LG290P.
  private static let longBootTime: UInt64 = 15_000_000_000
}
