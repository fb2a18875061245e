import Board
import Configuration
import Quantities
import ReceiverProtocols
import TestSupport
import Testing

/// The choice between several receivers, each decoded by itself.
@Suite("The choice between receivers", .timeLimit(.minutes(30)))
struct ReceiverSelectionTests {
  /// A receiver: what its sentences state, so that each value tells whose it is.
  private struct Device {
    /// Minutes of latitude beyond 54 degrees, hundred-thousandths.
    var place: Int
    var dilution: Double
    var satellites: Int
    var quality: Int
    /// The fraction of its seconds, hundredths.
    var hundredths: Int
    /// How late its clock is, s.
    var lag = 0

    func sentences(at second: Int, hasFix: Bool) -> String {
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let day = 43_200 + second - lag
      let time =
        two(day / 3600) + two(day / 60 % 60) + two(day % 60) + "." + two(hundredths)
      let digits = "\(place)"
      let fraction = String(repeating: "0", count: 5 - digits.count) + digits
      let fields = hasFix ? "5400.\(fraction),N,01000.00000,E" : ",,,"
      let used = hasFix ? quality : 0
      return [
        "GPRMC,\(time),\(hasFix ? "A" : "V"),\(fields),0.02,,230726,,,\(hasFix ? "A" : "N")",
        "GPGGA,\(time),\(fields),\(used),\(satellites),\(dilution),3.0,M,45.0,M,,",
      ].map { body in
        let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
        let hex = (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true)
        return "$\(body)*\(hex)\r\n"
      }.joined()
    }

    func isOwn(_ epoch: ReceiverEpoch) -> Bool {
      guard let position = epoch.fix.position else { return false }
      return abs(position.latitude.degrees - 54 - Double(place) / 6_000_000) < 1e-8
    }
  }

  private static let good = Device(
    place: 0, dilution: 0.9, satellites: 10, quality: 1, hundredths: 0)
  private static let poor = Device(
    place: 1347, dilution: 2.4, satellites: 6, quality: 1, hundredths: 50)

  /// Two ports with a decoder each, and the choice between them.
  private struct Ports {
    let selection: ReceiverSelection
    private var readers = [ReceiverReader(), ReceiverReader()]
    private(set) var epochs: [ReceiverEpoch] = []
    private(set) var notices: [String] = []

    init(priorities: [Int?] = [nil, nil]) {
      selection = ReceiverSelection(
        zip(["mast", "plotter"], priorities).map { name, priority in
          var receiver = Board.Receiver(port: "/dev/\(name)")
          (receiver.name, receiver.priority) = (name, priority)
          return receiver
        })
    }

    /// Receives bytes of a port, and silence after them.
    mutating func receive(_ text: String, on port: Int, at seconds: Double) {
      let now = Timestamp(nanoseconds: UInt64(nanosecondsIn: 1000 + seconds))
      var reports: [ReceiverReport] = []
      Array(text.utf8).withUnsafeBytes { readers[port].push($0, at: now) { reports.append($0) } }
      readers[port].lineFellSilent(at: now) { reports.append($0) }
      for case .epoch(let epoch) in reports {
        let admission = selection.admit(epoch, of: port, at: now)
        if let epoch = admission.epoch { epochs.append(epoch) }
        if let notice = admission.notice { notices.append(notice) }
      }
    }
  }

  @Test(
    "no epoch joins two ports, time never goes back, and nothing hops",
    arguments: Array(UInt64(1)...200))
  func interleavings(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var devices = [Self.good, Self.poor]
    devices[0].quality = [1, 2, 4].randomElement(using: &random) ?? 1
    devices[1].quality = 5
    devices[1].dilution = [0.4, 2.4].randomElement(using: &random) ?? 2.4
    devices[1].lag = Int.random(in: 0...40, using: &random)
    let delays = devices.map { _ in Double.random(in: 0..<0.9, using: &random) }
    var ports = Ports()
    for second in 0..<150 {
      for index in devices.indices.sorted(by: { delays[$0] < delays[$1] }) {
        let phase = (second / 15 + index) % 4
        if phase == 3, seed % 3 == 0 { continue }
        let text = devices[index].sentences(
          at: second, hasFix: !(phase == 1 && seed % 5 == 0))
        ports.receive(text, on: index, at: Double(second) + delays[index])
      }
    }
    var newest: UTCTime?
    for epoch in ports.epochs {
      if let utc = epoch.fix.utc {
        if let newest { #expect(utc.seconds(since: newest) >= 0, "seed \(seed)") }
        newest = utc
      }
      guard epoch.fix.position != nil else { continue }
      let owner = devices[Int(epoch.fix.receiver)]
      #expect(owner.isOwn(epoch), "seed \(seed)")
      if let dilution = epoch.fix.horizontalDilution { #expect(dilution == owner.dilution) }
      if let used = epoch.fix.satellitesUsed { #expect(used == owner.satellites) }
      if let utc = epoch.fix.utc {
        #expect(utc.nanosecondsOfDay / 10_000_000 % 100 == Int64(owner.hundredths))
      }
      let kind: FixKind =
        switch owner.quality {
        case 2: .differential
        case 4: .rtkFixed
        case 5: .rtkFloat
        default: .threeDimensional
        }
      #expect(epoch.fix.kind == kind || epoch.fix.satellitesUsed == nil, "seed \(seed)")
    }
    #expect(ports.epochs.count { $0.fix.position != nil } > 60)
    // An outage causes a change and, 10 s later, a return.
    #expect(ports.notices.count <= 2 * 150 / 15, "seed \(seed): \(ports.notices)")
    if seed % 3 != 0, seed % 5 != 0 { #expect(ports.notices.count <= 1, "seed \(seed)") }
  }

  @Test("a silent receiver is replaced after 5 s, named, and returns after 10 s")
  func silence() {
    var ports = Ports()
    for second in 0..<60 {
      if !(20..<40).contains(second) {
        ports.receive(Self.good.sentences(at: second, hasFix: true), on: 0, at: Double(second))
      }
      ports.receive(
        Self.poor.sentences(at: second, hasFix: true), on: 1, at: Double(second) + 0.4)
    }
    #expect(
      ports.notices == [
        "positions now come from plotter, before from mast",
        "positions now come from mast, before from plotter",
      ])
    let used = ports.epochs.map { $0.fix.receiver == 0 ? "m" : "p" }.joined()
    #expect(used.hasPrefix(String(repeating: "m", count: 20) + "p"), "\(used)")
    #expect(used.contains("p") && used.hasSuffix("m"))
    #expect(ports.selection.source(1)?.standing == .lessAccurate)
    #expect(ports.selection.source(0)?.standing == .used)
    #expect(ports.selection.progress(of: 0).positions >= 40)
  }

  @Test("a receiver whose line is lost is replaced by the next report of another")
  func lost() {
    var ports = Ports()
    for second in 0..<20 {
      ports.receive(Self.good.sentences(at: second, hasFix: true), on: 0, at: Double(second))
      ports.receive(
        Self.poor.sentences(at: second, hasFix: true), on: 1, at: Double(second) + 0.4)
    }
    #expect(ports.selection.isUsed(0))
    ports.selection.lose(0)
    #expect(ports.selection.source(0) == nil)
    ports.receive(Self.poor.sentences(at: 20, hasFix: true), on: 1, at: 20.4)
    #expect(ports.selection.isUsed(1) && ports.epochs.last?.fix.receiver == 1)
  }

  @Test("the priority precedes the accuracy")
  func priority() {
    var ports = Ports(priorities: [nil, 1])
    for second in 0..<30 {
      ports.receive(Self.good.sentences(at: second, hasFix: true), on: 0, at: Double(second))
      ports.receive(
        Self.poor.sentences(at: second, hasFix: true), on: 1, at: Double(second) + 0.4)
    }
    #expect(ports.selection.isUsed(1))
    #expect(ports.selection.source(0)?.standing == .notPreferred)
  }

  @Test("of two headings the more accurate is used, and the other one after 3 s of silence")
  func headings() throws {
    let board = try Board(
      yaml: """
        board: a
        compass:
          - {port: /dev/fluxgate, name: fluxgate, accuracy: 10}
          - {port: /dev/gyro, name: gyrocompass, accuracy: 1}
        """, path: "x")
    let selection = HeadingSelection(board)
    var used = ""
    var notices: [String] = []
    for step in 0..<400 {
      let now = Timestamp(nanoseconds: 1_000_000_000 + UInt64(step) * 100_000_000)
      for index in [0, 1] {
        if index == 1, step >= 200 { continue }
        let accuracy = Angle(degrees: index == 0 ? 5 : 0.5)
        let heading = MagneticHeading(Angle(degrees: index == 0 ? 358 : 2))
        let sample = HeadingSample(
          timestamp: now, magnetic: heading, true: nil, accuracy: accuracy)
        let (isUsed, notice) = selection.admit(sample, of: index, at: now)
        if isUsed { used += "\(index)" }
        if let notice { notices.append(notice) }
      }
    }
    #expect(
      notices == [
        "headings now come from gyrocompass, before from fluxgate",
        "headings now come from fluxgate, before from gyrocompass",
      ])
    let changes = zip(used, used.dropFirst()).count { $0 != $1 }
    #expect(changes == 2 && used.first == "0" && used.last == "0", "\(used)")
  }
}
