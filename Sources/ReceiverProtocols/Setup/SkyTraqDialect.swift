import Quantities

/// SkyTraq's binary messages, of Venus 8, S1216F8, PX1122R and others.
///
/// Big-endian, between 0xA0 0xA1 and carriage return and line feed. 0x83 and 0x84 acknowledge and
/// refuse, with the number of the command. The last byte of a setting is where it is stored: 0 for
/// RAM, 1 for RAM and flash. There is no command that saves all: each setting is sent again.
/// - Source: SkyTraq application notes AN0003 1.4.19 (Venus 6) and AN0037 1.4.69 (Phoenix):
///   messages 0x02, 0x04, 0x05, 0x0E, 0x10, 0x2B, 0x2F, 0x64 with 0x02, 0x03, 0x17 to 0x1A, 0x6A
///   with 0x06 and 0x07 (RTK), and their answers. SkyTraq's own programs have the same: RtkViewer
///   (GpsSerial.cs) for 0x6A, GNSS Viewer (GPSDlg) for 0x64 0x8C, the answer to 0x1A, with its bits.
///   The modes of 0x6A are 0 rover (function 0 normal, 2 with a moving base) and 1 base (0
///   kinematic, 1 survey, 2 static).
struct SkyTraqDialect: MakerDialect {
  private(set) var values = SetupValues()

  /// A message; its key is its number, with the second one of those that have two.
  static func command(
    _ payload: [UInt8], _ answer: DialectCommand.Answer = .acknowledgement
  ) -> DialectCommand {
    var bytes: [UInt8] = [0xA0, 0xA1, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    bytes += payload
    bytes += [payload.reduce(0) { $0 ^ $1 }, 0x0D, 0x0A]
    let hasTwo = [0x62, 0x63, 0x64, 0x6A].contains(payload[0])
    return DialectCommand(bytes: bytes, key: Array(payload.prefix(hasTwo ? 2 : 1)), answer)
  }

  private static let rates = [1, 2, 4, 5, 8, 10, 20, 25, 40, 50]
  private static let speeds = [
    4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600,
  ]
  /// The place of each sentence among the twelve intervals.
  private static func place(_ sentence: OutputSentence) -> Int {
    switch sentence {
    case .gga: 0
    case .gsa: 1
    case .gsv: 2
    case .gll: 3
    case .rmc: 4
    case .vtg: 5
    case .zda: 6
    case .gns: 7
    case .gst: 11
    }
  }
  private static let intervals = 12

  private static func number(_ model: UBXDynamicModel) -> UInt8? {
    switch model {
    case .portable: 0
    case .pedestrian: 1
    case .automotive: 2
    case .sea: 3
    case .airborne1g, .airborne2g, .airborne4g: 5
    case .stationary, .wrist: nil
    }
  }

  private static func bit(_ system: Constellation) -> UInt16? {
    switch system {
    case .gps: 1 << 0
    case .glonass: 1 << 1
    case .galileo: 1 << 2
    case .beidou: 1 << 3
    case .navic: 1 << 4
    case .qzss, .sbas: nil
    }
  }

  var question: DialectCommand { MakerQuestions.command(.skyTraq) }

  func obstacle(to value: ReceiverValue, isSaved: Bool) -> String? {
    switch value {
    case .rate(let hertz):
      let isPossible = Self.rates.contains { Double($0) == hertz }
      return isPossible ? nil : "1, 2, 4, 5, 8, 10, 20, 25, 40 and 50 Hz are possible"
    case .model(let model): return Self.number(model) == nil ? lacking(value) : nil
    case .messages(let messages): return messages == .nmea ? nil : "its NMEA output is used"
    case .sentences, .mask: return nil
    case .systems(let systems):
      return systems.contains { Self.bit($0) == nil }
        ? "gps, glonass, galileo, beidou and navic can be chosen" : nil
    case .base(.survey(_, nil)): return BaseStation.needsAccuracy
    case .base(.survey(_, let metres?)):
      return metres >= 1 && metres == metres.rounded() ? nil : "its accuracy is in whole metres"
    case .base, .heading: return nil
    case .baud(let baud):
      return Self.speeds.contains(baud) ? nil : "4800 to 921600 baud are possible"
    }
  }

  func queries(for property: ReceiverProperty) -> [DialectCommand] {
    switch property {
    case .rate: [Self.command([0x10], .value)]
    case .model: [Self.command([0x64, 0x18], .value)]
    case .sentences: [Self.command([0x64, 0x03], .value)]
    case .systems: [Self.command([0x64, 0x1A], .value)]
    case .mask: [Self.command([0x2F], .value)]
    // Receivers without RTK refuse it.
    case .base, .heading: [Self.command([0x6A, 0x07], .value).optional]
    case .messages, .baud: []
    }
  }

  func commands(for value: ReceiverValue, _ output: OutputObservation) -> [DialectCommand] {
    commands(for: value, isSaved: false)
  }

  /// The mode and function of RTK. Base station and heading are one setting: a rover with a moving
  /// base has the heading.
  private func rtk(_ value: ReceiverValue, _ place: UInt8) -> [DialectCommand] {
    var (mode, function): (UInt8, UInt8) = (0, 0)
    var (seconds, metres) = (UInt32(2000), UInt32(30))
    var (latitude, longitude, height) = (0.0, 0.0, Float(0))
    switch value {
    case .heading(let isSent):
      // A base station has none already.
      if !isSent, let base = values[.base], base != .base(.rover) { return [] }
      function = isSent ? 2 : 0
    case .base(.rover): function = values[.heading] == .heading(true) ? 2 : 0
    case .base(.moving): mode = 1
    case .base(.survey(let duration, let accuracy)):
      (mode, function, seconds) = (1, 1, UInt32(bounded: Double(duration)))
      metres = UInt32(bounded: accuracy ?? BaseStation.anyAccuracy)
    case .base(.fixed(let north, let east, let up)):
      (mode, function) = (1, 2)
      (latitude, longitude, height) = (north, east, Float(up))
    default: return []
    }
    var payload: [UInt8] = [0x6A, 0x06, mode, function]
    payload += Self.big(UInt64(seconds), 4) + Self.big(UInt64(metres), 4)
    payload += Self.big(latitude.bitPattern, 8) + Self.big(longitude.bitPattern, 8)
    // The last of them limits the length of a moving baseline; 0 is none.
    payload += Self.big(UInt64(height.bitPattern), 4) + [0, 0, 0, 0]
    return [Self.command(payload + [place])]
  }

  private static func big(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(value >> UInt64(8 * (count - 1 - $0)) & 0xFF) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  private func commands(for value: ReceiverValue, isSaved: Bool) -> [DialectCommand] {
    let place: UInt8 = isSaved ? 1 : 0
    switch value {
    case .rate(let hertz): return [Self.command([0x0E, UInt8(bounded: hertz), place])]
    case .model(let model):
      return Self.number(model).map { [Self.command([0x64, 0x17, $0, place])] } ?? []
    case .sentences(let wanted):
      var payload: [UInt8] = [0x64, 0x02] + [UInt8](repeating: 0, count: Self.intervals)
      for sentence in wanted { payload[2 + Self.place(sentence)] = 1 }
      return [Self.command(payload + [place])]
    case .systems(let systems):
      let mask = systems.reduce(UInt16(0)) { $0 | (Self.bit($1) ?? 0) }
      return [Self.command([0x64, 0x19, UInt8(mask >> 8), UInt8(mask & 0xFF), place])]
    // Mode 2: the elevation alone.
    case .mask(let degrees):
      return [Self.command([0x2B, 2, UInt8(bounded: degrees.rounded()), 0, place])]
    case .baud(let baud):
      guard let index = Self.speeds.firstIndex(of: baud) else { return [] }
      let answer = isSaved ? DialectCommand.Answer.acknowledgement : .none(wait: 0)
      return [Self.command([0x05, 0, UInt8(index), place], answer)]
    case .base, .heading: return rtk(value, place)
    case .messages: return []
    }
  }

  mutating func receive(_ frame: SetupFrameReader.Frame) -> SetupReply? {
    guard case .binary(.skyTraq, let bytes) = frame, bytes.count > 8 else { return nil }
    let payload = Array(bytes[4..<bytes.count - 3])
    switch payload[0] {
    case 0x83: return .acknowledged(Array(payload.dropFirst().prefix(2)))
    case 0x84: return .refused(Array(payload.dropFirst().prefix(2)), "refused")
    case 0x80: return .answered([0x02])
    case 0x86:
      values.set(.rate(Double(payload[1])))
      return payload[1] > 0 ? .answered([0x10]) : nil
    // Mode 1 and 2 have an elevation.
    case 0xB0 where payload.count >= 3:
      values.set(.mask(payload[1] == 1 || payload[1] == 2 ? Double(payload[2]) : 0))
      return .answered([0x2F])
    case 0x64: return receiveSecond(payload)
    case 0x6A where payload[1] == 0x83 && payload.count >= 32: return receiveRTK(payload)
    default: return nil
    }
  }

  private mutating func receiveSecond(_ payload: [UInt8]) -> SetupReply? {
    switch payload[1] {
    case 0x81 where payload.count >= 2 + Self.intervals:
      let sentences = OutputSentence.allCases.filter { payload[2 + Self.place($0)] > 0 }
      values.set(.sentences(sentences))
      return .answered([0x64, 0x03])
    case 0x8B where payload.count >= 3:
      if let model = UBXDynamicModel.allCases.first(where: { Self.number($0) == payload[2] }) {
        values.set(.model(model))
      }
      return .answered([0x64, 0x18])
    case 0x8C where payload.count >= 4:
      let mask = UInt16(payload[2]) << 8 | UInt16(payload[3])
      let order: [Constellation] = [.gps, .glonass, .galileo, .beidou, .navic]
      values.set(.systems(order.filter { Self.bit($0).map { $0 & mask != 0 } ?? false }))
      return .answered([0x64, 0x1A])
    default: return nil
    }
  }

  private mutating func receiveRTK(_ payload: [UInt8]) -> SetupReply? {
    let (mode, function) = (payload[2], payload[3])
    values.set(.heading(mode == 0 && function == 2))
    switch (mode, function) {
    case (0, _): values.set(.base(.rover))
    case (1, 0): values.set(.base(.moving))
    case (1, 1):
      values.set(
        .base(
          .survey(
            seconds: Int(Self.number(payload[4..<8])),
            metres: Double(Self.number(payload[8..<12])))))
    case (1, 2):
      let latitude = Double(bitPattern: Self.number(payload[12..<20]))
      let longitude = Double(bitPattern: Self.number(payload[20..<28]))
      let height = Double(
        Float(bitPattern: UInt32(truncatingIfNeeded: Self.number(payload[28..<32]))))
      guard abs(latitude) <= 90, abs(longitude) <= 180, BaseStation.heights.contains(height) else {
        return nil
      }
      values.set(.base(.fixed(latitude: latitude, longitude: longitude, height: height)))
    // A precisely kinematic base, which is no mode of this set-up.
    default: values.remove(.base)
    }
    return .answered([0x6A, 0x07])
  }

  /// Each known value again, into RAM and flash.
  var saving: [DialectCommand] {
    values.all.flatMap { commands(for: $0, isSaved: true) }
  }
  var factoryDefaults: [DialectCommand] {
    [Self.command([0x04, 0x01], .none(wait: 2_000_000_000))]
  }
}
