import Quantities

/// Zhongke's receivers (AT6558, ATGM336H, Quectel L76K and successors): identified by PCAS06, set by
/// CASIC's binary messages, because the PCAS sentences are neither acknowledged nor readable.
///
/// ACK (0x05 0x01) and NACK (0x05 0x00) name class and number of the command. Firmware URANUS5 and
/// URANUS6 differ in the choice of the systems and in the elevation mask. Which sentences are sent
/// is read from the output. Nothing is saved before CFG-CFG.
/// - Source: CASIC multimode receiver protocol specification 4.2.0.3, section 2.6 (CFG-PRT, -MSG,
///   -RST, -RATE, -CFG, -NAVX); Quectel L76K protocol specification 1.1 for the checksum's order;
///   CFG-NAVBAND, CFG-NAVLIMIT and the behaviour of ATGM332D-5N71, -F8N and AT632 from satpulse's
///   notes on the hardware.
struct CASICDialect: MakerDialect {
  private(set) var values = SetupValues()
  /// True for firmware URANUS6.
  private let isNewer: Bool
  /// The last CFG-NAVLIMIT, whose other fields are written back.
  private var limits: [UInt8]?

  init(firmware: String) { isNewer = firmware.hasPrefix("URANUS6") }

  /// A frame of a class and number, or an empty poll.
  static func command(
    _ messageClass: UInt8, _ number: UInt8, _ payload: [UInt8] = [],
    _ answer: DialectCommand.Answer = .acknowledgement
  ) -> DialectCommand {
    var bytes: [UInt8] = [0xBA, 0xCE]
    bytes.appendLittleEndian(UInt16(truncatingIfNeeded: payload.count))
    bytes += [messageClass, number]
    // The sum of words of four bytes: of the header's, read as number, class and length, and of the
    // payload's.
    var sum = UInt32(number) << 24 &+ UInt32(messageClass) << 16 &+ UInt32(payload.count)
    for start in stride(from: 0, to: payload.count, by: 4) {
      sum &+= UInt32(truncatingIfNeeded: payload.littleEndian(at: start, bytes: 4))
    }
    bytes += payload
    bytes.appendLittleEndian(sum)
    return DialectCommand(bytes: bytes, key: [messageClass, number], answer)
  }

  private static let configuration: UInt8 = 0x06
  private static let (port, message, reset, rate): (UInt8, UInt8, UInt8, UInt8) = (0, 1, 2, 4)
  private static let (storage, navigation): (UInt8, UInt8) = (5, 7)
  private static let (limit, bands): (UInt8, UInt8) = (0x0A, 0x0F)
  /// Bytes of CFG-NAVX.
  private static let navigationBytes = 44

  /// The number of a sentence in CFG-MSG; nil where there is none.
  private func number(_ sentence: OutputSentence) -> UInt8? {
    switch sentence {
    case .gga: 0
    case .gll: 1
    case .gsa: 2
    case .gsv: 3
    case .rmc: 4
    case .vtg: 5
    case .zda: isNewer ? 6 : 8
    case .gns, .gst: nil
    }
  }

  private static func number(_ model: UBXDynamicModel) -> UInt8? {
    switch model {
    case .portable: 0
    case .stationary: 1
    case .pedestrian: 2
    case .automotive: 3
    case .sea: 4
    case .airborne1g: 5
    case .airborne2g: 6
    case .airborne4g: 7
    case .wrist: nil
    }
  }

  /// The bits of a system: in navSystem of CFG-NAVX, or in the masks of CFG-NAVBAND.
  private func bits(_ system: Constellation) -> UInt32? {
    guard isNewer else {
      switch system {
      case .gps: return 1 << 0
      case .beidou: return 1 << 1
      case .glonass: return 1 << 2
      default: return nil
      }
    }
    switch system {
    case .gps: return 1 << 0 | 1 << 2
    case .sbas: return 1 << 3 | 1 << 4
    case .glonass: return 1 << 5
    case .galileo: return 1 << 7 | 1 << 8
    case .beidou: return 1 << 10 | 1 << 11 | 1 << 14 | 1 << 15
    case .qzss: return 1 << 19 | 1 << 21
    case .navic: return 1 << 23
    }
  }

  var question: DialectCommand { MakerQuestions.command(.casic) }

  func obstacle(to value: ReceiverValue, isSaved: Bool) -> String? {
    switch value {
    case .rate(let hertz): return (1...10).contains(hertz) ? nil : "1 to 10 Hz are possible"
    case .model(let model):
      if isNewer { return "firmware URANUS6 has no dynamic model" }
      return Self.number(model) == nil ? lacking(value) : nil
    case .messages(let messages): return messages == .nmea ? nil : "the receiver sends NMEA only"
    case .sentences(let sentences):
      return sentences.contains { number($0) == nil } ? "GNS and GST do not exist" : nil
    case .systems(let systems):
      let isPossible = systems.allSatisfy { bits($0) != nil }
      return isPossible ? nil : "firmware URANUS5 has gps, beidou and glonass"
    case .mask:
      return isNewer && limits == nil ? "the receiver does not report its mask" : nil
    case .base, .heading: return "the receiver has no such mode"
    case .baud(let baud):
      return (4800...921_600).contains(baud) ? nil : "4800 to 921600 baud are possible"
    }
  }

  func observes(_ property: ReceiverProperty) -> Bool { property == .sentences }

  func queries(for property: ReceiverProperty) -> [DialectCommand] {
    func poll(_ number: UInt8) -> DialectCommand {
      Self.command(Self.configuration, number, [], .value)
    }
    switch property {
    case .rate: return [poll(Self.rate)]
    case .model: return isNewer ? [] : [poll(Self.navigation)]
    case .systems: return [poll(isNewer ? Self.bands : Self.navigation)]
    case .mask: return [poll(isNewer ? Self.limit : Self.navigation)]
    default: return []
    }
  }

  /// CFG-NAVX with one field, selected by the mask.
  private static func navigation(mask: UInt32, at offset: Int, _ value: UInt8) -> DialectCommand {
    var payload: [UInt8] = []
    payload.appendLittleEndian(mask)
    payload += [UInt8](repeating: 0, count: navigationBytes - 4)
    payload[offset] = value
    return command(configuration, navigation, payload)
  }

  func commands(for value: ReceiverValue, _ output: OutputObservation) -> [DialectCommand] {
    switch value {
    case .rate(let hertz):
      var payload: [UInt8] = []
      payload.appendLittleEndian(UInt16(bounded: (1000 / hertz).rounded()))
      return [Self.command(Self.configuration, Self.rate, payload + [0, 0])]
    case .model(let model):
      return Self.number(model).map { [Self.navigation(mask: 1 << 0, at: 4, $0)] } ?? []
    case .sentences(let wanted):
      return OutputSentence.allCases.compactMap { sentence in
        number(sentence).map {
          let rate: UInt8 = wanted.contains(sentence) ? 1 : 0
          return Self.command(Self.configuration, Self.message, [0x4E, $0, rate, 0])
        }
      }
    case .systems(let systems):
      let mask = systems.reduce(UInt32(0)) { $0 | (bits($1) ?? 0) }
      guard isNewer else { return [Self.navigation(mask: 1 << 8, at: 13, UInt8(mask & 0xFF))] }
      var payload: [UInt8] = [0, 0, 0, 0]
      payload.appendLittleEndian(mask)
      payload.appendLittleEndian(mask)
      return [Self.command(Self.configuration, Self.bands, payload)]
    case .mask(let degrees):
      let elevation = UInt8(bounded: degrees.rounded())
      guard isNewer else { return [Self.navigation(mask: 1 << 6, at: 11, elevation)] }
      guard var payload = limits else { return [] }
      payload[3] = elevation
      return [Self.command(Self.configuration, Self.limit, payload)]
    case .baud(let baud):
      // The present port; binary and text in both directions; eight bits, no parity, one stop bit.
      var payload: [UInt8] = [0xFF, 0x33, 0xC0, 0x08]
      payload.appendLittleEndian(UInt32(bounded: Double(baud)))
      return [Self.command(Self.configuration, Self.port, payload, .none(wait: 0))]
    case .messages, .base, .heading: return []
    }
  }

  mutating func receive(_ frame: SetupFrameReader.Frame) -> SetupReply? {
    switch frame {
    case .line(let line):
      guard case .casic = ReceiverIdentity(.line(line))?.maker else { return nil }
      return .answered(Array("06".utf8))
    case .binary(.casic, let bytes):
      guard bytes.count >= 10 else { return nil }
      let payload = Array(bytes[6..<bytes.count - 4])
      if bytes[4] == 0x05, payload.count >= 2 {
        let key = [payload[0], payload[1]]
        return bytes[5] == 0x01 ? .acknowledged(key) : .refused(key, "refused")
      }
      guard bytes[4] == Self.configuration, read(bytes[5], payload) else { return nil }
      return .answered([bytes[4], bytes[5]])
    default: return nil
    }
  }

  private mutating func read(_ number: UInt8, _ payload: [UInt8]) -> Bool {
    switch number {
    case Self.rate where payload.count >= 4:
      let period = payload.littleEndian(at: 0, bytes: 2)
      guard period > 0 else { return false }
      values.set(.rate(1000 / Double(period)))
    case Self.navigation where payload.count >= Self.navigationBytes && !isNewer:
      if let model = UBXDynamicModel.allCases.first(where: { Self.number($0) == payload[4] }) {
        values.set(.model(model))
      }
      values.set(.mask(Double(Int8(bitPattern: payload[11]))))
      readSystems(UInt32(payload[13]))
    case Self.bands where payload.count >= 12:
      readSystems(UInt32(truncatingIfNeeded: payload.littleEndian(at: 4, bytes: 4)))
    case Self.limit where payload.count >= 8:
      limits = Array(payload[..<8])
      values.set(.mask(Double(Int8(bitPattern: payload[3]))))
    default: return false
    }
    return true
  }

  private mutating func readSystems(_ mask: UInt32) {
    let order: [Constellation] = [.gps, .glonass, .galileo, .beidou, .qzss, .sbas, .navic]
    values.set(.systems(order.filter { bits($0).map { $0 & mask != 0 } ?? false }))
  }

  var saving: [DialectCommand] {
    [Self.command(Self.configuration, Self.storage, [0xFF, 0xFF, 1, 0])]
  }
  var factoryDefaults: [DialectCommand] {
    let cleared: [UInt8] = isNewer ? [0, 0, 0, 3] : [0x9F, 0x03, 0, 3]
    return [
      Self.command(Self.configuration, Self.reset, cleared, .none(wait: 2_000_000_000))
    ]
  }
}
