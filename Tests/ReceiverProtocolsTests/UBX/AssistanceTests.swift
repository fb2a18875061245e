import Quantities
import ReceiverProtocols
import Simulation
import Testing

/// The frames are those that pyubx2 1.4.0 encodes from the same values.
@Suite("Assistance of a u-blox receiver", .timeLimit(.minutes(30)))
struct AssistanceTests {
  private static func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 0).advanced(bySeconds: seconds)
  }

  private static let place = UBXCommand.aid(
    GeodeticPosition(latitudeDegrees: -33.25, longitudeDegrees: 151.500_000_1),
    heightMetres: -12.5, accuracyMetres: 36_000.01)
  private static let time = UBXCommand.aid(
    UTCTime(
      year: 2026, month: 9, day: 21, hour: 14, minute: 13, second: 20, nanosecond: 250_000_000)
      ?? UTCTime(nanosecondsSince1970: 0), accuracySeconds: 1.5, leapSeconds: 18)

  @Test("commands equal those of another encoder")
  func frames() throws {
    #expect(UBXCommand.uniqueIDPoll.bytes == bytes(hex: "b562270300002aa5"))
    #expect(UBXCommand.databasePoll.bytes == bytes(hex: "b5621380000093cc"))
    #expect(
      Self.place.bytes
        == bytes(hex: "b5621340140001000000e0732eecc1104d5a1efbffff81ee36000975"))
    #expect(
      Self.time?.bytes
        == bytes(hex: "b5621340180010000012ea0709150e0d140080b2e60e010000000065cd1d41db"))
    let late = UTCTime(
      year: 2026, month: 12, day: 31, hour: 23, minute: 59, second: 59, nanosecond: 999_999_999)
    #expect(
      UBXCommand.aid(try #require(late), accuracySeconds: 0.4)?.bytes
        == bytes(hex: "b5621340180010000080ea070c1f173b3b00ffc99a3b000000000084d717b316"))
    #expect(
      UBXCommand.assistanceSettings.bytes
        == bytes(
          hex: "b562062328000200004400000000000000000000000000010000000000000000000100000000000000"
            + "000000000099c1"))
    #expect(UBXCommand.databaseEntry([1, 2]).name == UBXMessageName(0x13, 0x80))
  }

  @Test("answers equal those of another encoder")
  func answers() throws {
    var acknowledgements: [MgaAck] = []
    let stream = try [
      "b562136008000100004010000000ccdc", "b56213600800000001800102030406ee",
    ].flatMap { try #require(bytes(hex: $0)) }
    decode(stream) { if case .ubx(.mgaAck(let m), _) = $0 { acknowledgements.append(m) } }
    #expect(acknowledgements.count == 2)
    let (first, second) = (try #require(acknowledgements.first), acknowledgements[1])
    #expect(first.isAccepted && first.reason == .accepted && first.number == 0x40)
    #expect(first.payloadStart == 0x10)
    #expect(!second.isAccepted && second.reason == .timeUnknown && second.number == 0x80)
    #expect(second.payloadStart == 0x0403_0201)
  }

  /// Runs an assistance against an emulated receiver until it rests.
  private func run(
    _ assistance: inout UBXAssistance, _ receiver: inout EmulatedUBloxReceiver,
    from start: Double = 0
  ) -> (sent: [[UInt8]], seconds: Double) {
    var (sent, now) = ([[UInt8]](), start)
    var reader = UBXAssistanceReader()
    for _ in 0..<5000 {
      switch assistance.next(at: Self.at(now)) {
      case .send(let bytes):
        sent.append(bytes)
        now += 0.05
        for burst in receiver.receive(bytes) {
          burst.bytes.withUnsafeBytes { raw in
            reader.push(raw) { assistance.receive($0, payload: $1, at: Self.at(now)) }
          }
        }
      case .wait(let until): now = max(now, until.seconds)
      case .rest: return (sent, now)
      }
    }
    Issue.record("the assistance does not end")
    return (sent, now)
  }

  @Test(
    "identifies the chip, switches acknowledgements on, and gives one message after the other",
    arguments: [EmulatedUBloxReceiver.Generation.m8, .m9])
  func gives(_ generation: EmulatedUBloxReceiver.Generation) throws {
    var receiver = EmulatedUBloxReceiver(generation)
    var assistance = UBXAssistance(hasValues: generation == .m9)
    _ = run(&assistance, &receiver)
    #expect(assistance.isIdentified && assistance.uniqueID == 0x01_0203_0405)
    #expect(receiver[0x1011_0025] == 1 && receiver[0x1023_0001] == 1)
    let entries = (0..<20).map { [UInt8](repeating: UInt8($0), count: 164) }
    assistance.giveTime(Self.time)
    assistance.give([Self.place] + entries.map { UBXCommand.databaseEntry($0) })
    let (sent, _) = run(&assistance, &receiver)
    #expect(sent.count == 22 && assistance.report.accepted == 22)
    #expect(receiver.aid.map(\.number) == [0x40, 0x40] + [UInt8](repeating: 0x80, count: 20))
    #expect(receiver.aid.dropFirst(2).map(\.payload) == entries)
  }

  @Test("a receiver that does not know the time does not use orbits, and says so")
  func withoutTime() {
    var receiver = EmulatedUBloxReceiver(.m9)
    var assistance = UBXAssistance(hasValues: true)
    assistance.give([UBXCommand.databaseEntry([UInt8](repeating: 7, count: 20))])
    _ = run(&assistance, &receiver)
    #expect(assistance.report.withoutTime == 1 && assistance.report.accepted == 0)
  }

  @Test("a lost answer repeats the message, but not the time; without answers it ends")
  func lost() {
    var receiver = EmulatedUBloxReceiver(.m9)
    var assistance = UBXAssistance(hasValues: true)
    _ = run(&assistance, &receiver)
    receiver.lostAnswers = 1
    assistance.give([Self.place])
    #expect(run(&assistance, &receiver).sent == [Self.place.bytes, Self.place.bytes])
    receiver.lostAnswers = 1
    assistance.giveTime(Self.time)
    #expect(run(&assistance, &receiver).sent.count == 1)
    #expect(assistance.report.unanswered == 1)
    // An accepted message in between: only silence in a row ends it.
    assistance.give([Self.place])
    _ = run(&assistance, &receiver)
    receiver.lostAnswers = .max
    assistance.give((0..<100).map { UBXCommand.databaseEntry([UInt8](repeating: $0, count: 20)) })
    let (sent, _) = run(&assistance, &receiver)
    #expect(sent.count == 6 && assistance.report.unanswered == 101)
  }

  @Test("the database is read whole, or not at all")
  func database() {
    var receiver = EmulatedUBloxReceiver(.m9)
    receiver.database = (0..<70).map { [UInt8](repeating: UInt8($0), count: 100 + $0) }
    var assistance = UBXAssistance(hasValues: true)
    assistance.readDatabase()
    _ = run(&assistance, &receiver)
    #expect(assistance.removeDatabase() == receiver.database)
    #expect(assistance.removeDatabase() == nil)
    receiver.losesAnEntry = true
    assistance.readDatabase()
    _ = run(&assistance, &receiver)
    #expect(assistance.removeDatabase() == nil && !assistance.isBusy)
    // A receiver without an answer: polled three times.
    receiver.knowsUBX = false
    assistance.readDatabase()
    #expect(run(&assistance, &receiver).sent.count == 3)
  }

  @Test("AOPSTATUS and UNIQID are read")
  func status() {
    var found: [String] = []
    let status =
      [0x57, 0x18, 0x24, 0x17, 1, 3] + [UInt8](repeating: 0, count: 10)
    let frames =
      UBXCommand(UBXMessageName(0x01, 0x60), payload: status).bytes
      + UBXCommand(UBXMessageName(0x27, 0x03), payload: [2, 0, 0, 0, 1, 2, 3, 4, 5, 6]).bytes
      + UBXCommand(UBXMessageName(0x27, 0x03), payload: [9, 0, 0, 0, 1, 2, 3, 4, 5, 6]).bytes
    let counts = decode(frames) {
      switch $0 {
      case .ubx(.navAOPStatus(let m), _):
        found.append("\(m.timeOfWeekMilliseconds) \(m.isOn) \(m.isBusy)")
      case .ubx(.secUniqID(let m), _): found.append(String(m.number, radix: 16))
      default: break
      }
    }
    #expect(found == ["388241495 true true", "10203040506"])
    #expect(counts.ubxFrames == 3)
  }
}
