/// A maker whose receivers can be set up.
public enum ReceiverMaker: String, CaseIterable, Sendable {
  /// u-blox: UBX.
  case ublox = "u-blox"
  /// MediaTek and its modules, such as Quectel L76, L80 and L86: PMTK.
  case mediaTek = "MediaTek"
  /// Quectel's modules with PAIR and PQTM commands: LC29H, LC76G, LC86G, LG290P.
  case quectel = "Quectel"
  /// Unicore UM980, UM982 and their relatives.
  case unicore = "Unicore"
  /// Zhongke (CASIC): AT6558, ATGM336H, Quectel L76K.
  case casic = "CASIC"
  /// SkyTraq: Venus, PX1122R and others.
  case skyTraq = "SkyTraq"
}

/// What a receiver says that it is.
public struct ReceiverIdentity: Equatable, Sendable {
  /// The maker.
  public var maker: ReceiverMaker
  /// The module or chip; nil where it is not reported.
  public var model: String?
  /// The firmware.
  public var firmware: String

  /// Names a receiver.
  public init(maker: ReceiverMaker, model: String?, firmware: String) {
    (self.maker, self.model, self.firmware) = (maker, model, firmware)
  }

  /// One line to display.
  public var text: String {
    "\(model ?? "\(maker.rawValue) receiver") (\(firmware))"
  }

  /// Reads an answer to one of the makers' questions; nil for any other frame.
  /// - Source: Quectel L76 and L86 protocol specification, PMTK705; Quectel LC29H and LG290P
  ///   protocol specifications, PQTMVERNO; Unicore N4 reference commands, VERSION; CASIC protocol,
  ///   PCAS06; SkyTraq AN0037, message 0x80.
  init?(_ frame: SetupFrameReader.Frame) {
    switch frame {
    case .line(let line):
      guard let identity = Self.identity(line) else { return nil }
      self = identity
    case .binary(.ubx, let bytes):
      guard bytes.count > 8, bytes[2] == 0x0A, bytes[3] == 0x04,
        let version = UBXVersion(payload: Array(bytes[6..<bytes.count - 2]))
      else { return nil }
      let language = version.protocolMajor.map { ", protocol \($0)" } ?? ""
      self.init(maker: .ublox, model: version.module, firmware: version.software + language)
    case .binary(.skyTraq, let bytes):
      guard bytes.count >= 21, bytes[4] == 0x80 else { return nil }
      func version(_ at: Int) -> String { "\(bytes[at + 1]).\(bytes[at + 2]).\(bytes[at + 3])" }
      self.init(
        maker: .skyTraq, model: nil,
        firmware: "kernel \(version(6)), ODM \(version(10)), revision \(version(14))")
    default: return nil
    }
  }

  private static func identity(_ line: SetupLine) -> ReceiverIdentity? {
    let fields = line.fields
    if !line.isSentence {
      // #VERSIONA,…header…;"UM982","R4.10Build15434",…
      guard fields[0].starts(with: "VERSION") else { return nil }
      let parts = line.body.fields(by: UInt8(ascii: ";"))
      guard parts.count == 2 else { return nil }
      let body = parts[1].bytes.fields()
      guard body.count >= 2 else { return nil }
      return ReceiverIdentity(maker: .unicore, model: body[0].text, firmware: body[1].text)
    }
    if fields[0].matches("PMTK705"), fields.count >= 2 {
      let model = fields.count > 3 && !fields[3].bytes.isEmpty ? fields[3].text : nil
      return ReceiverIdentity(maker: .mediaTek, model: model, firmware: fields[1].text)
    }
    if fields[0].matches("PQTMVERNO"), fields.count >= 2, !fields[1].matches("ERROR") {
      // LC29HAANR11A05S, LG290P03AANR02A01S: the module's name is before its variant.
      return ReceiverIdentity(
        maker: .quectel, model: module(fields[1].text), firmware: fields[1].text)
    }
    if fields[0].bytes.count == 5, SetupField(fields[0].bytes.dropFirst(2)).matches("TXT"),
      fields.count >= 5, fields[4].starts(with: "SW=") || fields[4].starts(with: "URANUS")
    {
      let name = fields[4].text
      let software = name.hasPrefix("SW=") ? String(name.dropFirst(3)) : name
      let version = fields.count > 5 ? ",\(fields[5].text)" : ""
      return ReceiverIdentity(maker: .casic, model: nil, firmware: software + version)
    }
    return nil
  }

  /// The letters and digits before the hardware's variant.
  private static func module(_ firmware: String) -> String? {
    let names = ["LC29H", "LC76G", "LC86G", "LC26G", "LC79H", "LG290P", "LG580P", "LG680P", "L89H"]
    return names.first { firmware.hasPrefix($0) }
  }
}

/// The questions by which the maker is found, in an order in which none disturbs the next.
enum MakerQuestions {
  static func command(_ maker: ReceiverMaker) -> DialectCommand {
    switch maker {
    case .ublox: DialectCommand(bytes: UBXCommand.askVersion.bytes, key: [0x0A, 0x04], .value)
    case .mediaTek: DialectCommand(sentence: "PMTK605", key: "605", .value)
    case .quectel: DialectCommand(sentence: "PQTMVERNO", key: "PQTMVERNO", .value)
    case .unicore: UnicoreDialect.line("VERSIONA", .value)
    case .casic: DialectCommand(sentence: "PCAS06,0", key: "06", .value)
    case .skyTraq: SkyTraqDialect.command([0x02, 0x01], .value)
    }
  }
}
