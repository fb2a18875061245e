import Quantities
import ReceiverProtocols

/// The set-up of a receiver of each maker, which answers with any bytes: it ends, sends only known
/// commands, and what it reads has values in range.
struct SetupBody: FuzzBody {
  /// The answers by which the makers are found.
  private static let identities: [[UInt8]] = [
    Array(
      "$PMTK705,AXN_5.1.9,0002,Quectel-L86,1.0*\(sum("PMTK705,AXN_5.1.9,0002,Quectel-L86,1.0"))\r\n"
        .utf8),
    Array("$PQTMVERNO,LC29HAA,1,2*\(sum("PQTMVERNO,LC29HAA,1,2"))\r\n".utf8),
    Array("$PQTMVERNO,LG290P,1,2*\(sum("PQTMVERNO,LG290P,1,2"))\r\n".utf8),
    Array(
      ("#VERSIONA,97,GPS,FINE,2343,48235000,0,0,18,813;\"UM980\",\"R4.10Build11833\",\"HRPT00-S10C-P\","
        + "\"2310415000001-MD22A2225022497\",\"ff3ba396dcb0478d\",\"2023/11/24\"*270a13f7\r\n").utf8
    ),
    Array("$GPTXT,01,01,02,SW=URANUS5,V5.2.1.0*1D\r\n".utf8),
    Array(
      "$GPTXT,01,01,02,SW=URANUS6,V6.3.2.0*\(sum("GPTXT,01,01,02,SW=URANUS6,V6.3.2.0"))\r\n".utf8),
    [
      0xA0, 0xA1, 0x00, 0x0E, 0x80, 0x01, 0x00, 0x02, 0x00, 0x4A, 0x00, 0x01, 0x07, 0x1B, 0x00,
      0x0E, 0x07, 0x15, 0xC8, 0x0D, 0x0A,
    ],
    Frames.ubx(0x0A, 0x04, [UInt8](repeating: 0x41, count: 40)),
    version("PROTVER=20.30", "MOD=NEO-M8P-2"), version("PROTVER=18.00", "MOD=NEO-M8T-0"),
    version("PROTVER=27.11", "MOD=ZED-F9P"),
    [],
  ]

  /// MON-VER with two further lines.
  private static func version(_ lines: String...) -> [UInt8] {
    var payload = [UInt8](repeating: 0, count: 40)
    for line in lines {
      payload += Array((Array(line.utf8) + [UInt8](repeating: 0, count: 30)).prefix(30))
    }
    return Frames.ubx(0x0A, 0x04, payload)
  }

  /// A byte of the input, which chooses a setting.
  private static func byte(_ input: UnsafeRawBufferPointer, _ index: Int) -> UInt8 {
    index < input.count ? input[index] : 0
  }

  private static func sum(_ text: String) -> String {
    let sum = text.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    return (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
  }

  /// More steps than any set-up has.
  private static let mostSteps = 2000

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    var settings = ReceiverSettings()
    settings.rateHertz = 5
    settings.sentences = [.gga]
    settings.systems = [.gps]
    settings.maskDegrees = 10
    settings.model = .automotive
    settings.base = Self.byte(input, 0) % 2 == 0 ? .survey(seconds: 60, metres: 1) : .moving
    settings.sendsHeading = Self.byte(input, 1) % 2 == 0
    settings.baud = 115_200
    settings.isSaved = true
    let bytes = Array(input)
    // The input chooses the maker, so that an input costs one.
    let maker = bytes.reduce(0) { $0 &+ Int($1) } % Self.identities.count
    for task in [ReceiverSetup.Task.apply, .read] {
      let identity = Self.identities[maker]
      let whole = try Self.run(settings, task, identity, bytes, piece: max(bytes.count, 1))
      let pieces = try Self.run(settings, task, identity, bytes, piece: 3)
      try expect(whole == pieces, "another end in pieces: \(whole), \(pieces)")
    }
  }

  /// Runs a set-up whose every command is answered by the input.
  private static func run(
    _ settings: ReceiverSettings, _ task: ReceiverSetup.Task, _ identity: [UInt8],
    _ input: [UInt8], piece: Int
  ) throws(Violation) -> [String] {
    var setup = ReceiverSetup(settings, task: task, port: .uart1, speed: 9600)
    var now = Timestamp(nanoseconds: 1)
    var steps = 0
    while steps < mostSteps {
      steps += 1
      let step = setup.next(at: now)
      if step == .rest { break }
      switch step {
      case .send(let bytes):
        try expect(!bytes.isEmpty && bytes.count < 600, "a command of \(bytes.count) bytes")
        if !setup.hasAnswered { receive(identity, &setup, now, piece: piece) }
        receive(input, &setup, now, piece: piece)
      case .wait(let until): now = max(until, now)
      case .changeSpeed(let speed): try expect([9600, 115_200].contains(speed), "\(speed) baud")
      case .rest: break
      }
    }
    try expect(steps < mostSteps, "the set-up does not end")
    if let identity = setup.identity {
      try expect(
        !identity.text.unicodeScalars.contains { $0.value < 0x20 }, "a control character")
    }
    for value in setup.values {
      guard case .rate(let hertz) = value else { continue }
      try expect(hertz > 0 && hertz.isFinite, "\(hertz) Hz")
    }
    return setup.values.map(\.text) + setup.report.entries.map { "\($0.title) \($0.outcome.text)" }
  }

  private static func receive(
    _ bytes: [UInt8], _ setup: inout ReceiverSetup, _ now: Timestamp, piece: Int
  ) {
    var rest = bytes[...]
    while !rest.isEmpty {
      rest.prefix(piece).withUnsafeBytes { setup.receive($0, at: now) }
      rest = rest.dropFirst(piece)
    }
  }
}
