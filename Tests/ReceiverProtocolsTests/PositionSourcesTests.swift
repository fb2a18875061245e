import Quantities
import ReceiverProtocols
import TestSupport
import Testing

@Suite("Sources of positions on one line", .timeLimit(.minutes(30)))
struct PositionSourcesTests {
  /// One talker: what its sentences state, so that each value tells whose it is.
  private struct Device {
    var talker: String
    var minutes: Double
    var dilution: Double
    var satellites: Int
    var quality: Int
    /// The fraction of its seconds, hundredths.
    var hundredths: Int
    /// The delay of its sentences, whole seconds.
    var lag = 0
    var errorMetres: Double?

    static let receiver = Device(
      talker: "GP", minutes: 0, dilution: 0.9, satellites: 10, quality: 1, hundredths: 0)
    static let transponder = Device(
      talker: "AI", minutes: 0.01347, dilution: 2.4, satellites: 6, quality: 1, hundredths: 50)

    func sentences(at second: Int, hasFix: Bool = true) -> [String] {
      let time = clock(second - lag)
      let fields = hasFix ? "5400.\(fraction),N,01000.00000,E" : ",,,"
      let quality = hasFix ? quality : 0
      var list = [
        "\(talker)RMC,\(time),\(hasFix ? "A" : "V"),\(fields),0.02,,230726,,,\(hasFix ? "A" : "N")",
        "\(talker)GGA,\(time),\(fields),\(quality),\(satellites),\(dilution),3.0,M,45.0,M,,",
        "\(talker)GLL,\(fields),\(time),\(hasFix ? "A" : "V"),\(hasFix ? "A" : "N")",
      ]
      if let errorMetres {
        list.append("\(talker)GST,\(time),,,,,\(errorMetres),\(errorMetres),1.0")
      }
      return list.map(sentence)
    }

    private var fraction: String {
      let digits = String(Int(bounded: (minutes * 100_000).rounded()))
      return String(repeating: "0", count: 5 - digits.count) + digits
    }

    private func clock(_ second: Int) -> String {
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      let day = 43_200 + second
      return two(day / 3600) + two(day / 60 % 60) + two(day % 60) + "." + two(hundredths)
    }

    func isOwn(_ epoch: ReceiverEpoch) -> Bool {
      guard let position = epoch.fix.position else { return false }
      return abs(position.latitude.degrees - 54 - minutes / 60) < 1e-8
    }
  }

  private func epochs(_ text: String, order: [String] = []) -> [ReceiverEpoch] {
    var (decoder, found) = (ReceiverDecoder(), [ReceiverEpoch]())
    var sources = PositionSources(order: order.compactMap { Talker(text: $0) })
    let start = Timestamp(nanoseconds: 0)
    Array(text.utf8).withUnsafeBytes {
      decoder.push($0) { message in
        sources.add(message, at: start) { if case .epoch(let epoch) = $0 { found.append(epoch) } }
      }
    }
    sources.finish { if case .epoch(let epoch) = $0 { found.append(epoch) } }
    return found
  }

  @Test(
    "the better of two stays, with its own accuracy and time",
    .enabled(if: SharedData.path("data/cases") != nil, "no reference data"),
    arguments: ["in.nmea", "late.nmea"])
  func fieldCase(file: String) throws {
    let bytes = try #require(SharedData.bytes("data/cases/02-two-gps-one-bus/\(file)"))
    let all = epochs(String(decoding: bytes, as: UTF8.self))
    #expect(all.count == 12)
    for epoch in all {
      #expect(Device.receiver.isOwn(epoch) && epoch.fix.satellitesUsed == 10)
      #expect(epoch.fix.horizontalDilution == 0.9)
    }
    let times = all.compactMap(\.fix.utc)
    #expect(
      times.count == 12 && zip(times, times.dropFirst()).allSatisfy { $1.seconds(since: $0) == 1 })
  }

  @Test("a plotter's rounded position never joins a fixed RTK solution")
  func plotter() {
    var receiver = Device.receiver
    (receiver.talker, receiver.quality, receiver.errorMetres) = ("GN", 4, 0.014)
    var text = ""
    for second in 0..<30 {
      text += receiver.sentences(at: second).joined()
      text += sentence("IIGLL,5400.01,N,01000.00,E,120000,A,A")
    }
    let all = epochs(text)
    #expect(all.count == 30)
    for epoch in all {
      #expect(receiver.isOwn(epoch) && epoch.fix.kind == .rtkFixed)
      #expect(abs((epoch.fix.horizontalAccuracyMetres ?? 0) - 0.0198) < 0.001)
    }
  }

  @Test("the worse source is used after 5 s without the other, and replaced after 10 s with it")
  func outage() {
    let (good, poor) = (Device.receiver, Device.transponder)
    var text = ""
    for second in 0..<60 {
      if !(20..<40).contains(second) { text += good.sentences(at: second).joined() }
      text += poor.sentences(at: second).joined()
    }
    let own = epochs(text).map { good.isOwn($0) ? "g" : poor.isOwn($0) ? "p" : "-" }.joined()
    // The transponder is used from the 23rd second on, the receiver again from the 50th.
    let parts = [("g", 20), ("p", 27), ("g", 10)]
    #expect(own == parts.map { String(repeating: $0, count: $1) }.joined(), "\(own)")
  }

  @Test("the order of the board file precedes the accuracy")
  func order() {
    let (good, poor) = (Device.receiver, Device.transponder)
    let text = (0..<30).map { (good.sentences(at: $0) + poor.sentences(at: $0)).joined() }.joined()
    #expect(epochs(text).allSatisfy { good.isOwn($0) })
    #expect(epochs(text, order: ["AI", "GP"]).dropFirst(2).allSatisfy { poor.isOwn($0) })
  }

  @Test(
    "two receivers with talkers of satellite systems are two sources once their positions differ")
  func satelliteTalkers() {
    var second = Device.transponder
    second.talker = "GN"
    for lag in [0, 1] {
      (second.lag, second.hundredths) = (lag, 0)
      let text = (0..<40).map {
        (Device.receiver.sentences(at: $0) + second.sentences(at: $0)).joined()
      }.joined()
      let all = epochs(text).dropFirst(8)
      #expect(all.count > 25)
      for epoch in all {
        #expect(Device.receiver.isOwn(epoch) || second.isOwn(epoch))
        let isFirst = Device.receiver.isOwn(epoch)
        #expect(epoch.fix.satellitesUsed == (isFirst ? 10 : 6))
      }
    }
  }

  @Test("one receiver of several systems stays one source")
  func severalSystems() {
    let text = (0..<10).map { second in
      ["GP", "GN", "GL"].map { talker in
        var device = Device.receiver
        device.talker = talker
        return device.sentences(at: second).joined()
      }.joined()
    }.joined()
    #expect(epochs(text).filter { !$0.isRevision }.count == 10)
  }

  @Test(
    "no epoch joins position, accuracy, kind or time of two sources, and time never goes back",
    arguments: Array(UInt64(1)...200))
  func interleavings(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var devices: [Device] = [.receiver, .transponder]
    devices[0].talker = ["GP", "GN"].randomElement(using: &random) ?? "GP"
    devices[1].talker = ["AI", "II", "IN", "EC"].randomElement(using: &random) ?? "AI"
    devices[0].quality = [1, 2, 4].randomElement(using: &random) ?? 1
    devices[1].quality = 5
    devices[1].dilution = [0.4, 2.4].randomElement(using: &random) ?? 2.4
    devices[0].errorMetres = [nil, 0.4].randomElement(using: &random) ?? nil
    devices[1].errorMetres = [nil, 3.3].randomElement(using: &random) ?? nil
    devices[1].lag = Int.random(in: 0...3, using: &random)
    var text = ""
    for second in 0..<120 {
      // Each source's own order stays; sources are mixed at random, with outages and lost fixes.
      var queues = devices.indices.map { index -> [String] in
        let phase = (second / 15 + index) % 4
        if phase == 3, seed % 3 == 0 { return [] }
        return devices[index].sentences(at: second, hasFix: !(phase == 1 && seed % 5 == 0))
      }
      while let index = queues.indices.filter({ !queues[$0].isEmpty }).randomElement(using: &random)
      {
        text += queues[index].removeFirst()
      }
    }
    var newest: UTCTime?
    var count = 0
    for epoch in epochs(text) {
      if let utc = epoch.fix.utc {
        if let newest { #expect(utc.seconds(since: newest) >= 0, "seed \(seed)") }
        newest = utc
      }
      guard epoch.fix.position != nil else { continue }
      count += 1
      let owners = devices.filter { $0.isOwn(epoch) }
      guard let owner = owners.first else {
        Issue.record("seed \(seed): a position that neither device sent")
        continue
      }
      let kind: FixKind =
        switch owner.quality {
        case 2: .differential
        case 4: .rtkFixed
        case 5: .rtkFloat
        default: .threeDimensional
        }
      #expect(epoch.fix.kind == kind || epoch.fix.satellitesUsed == nil, "seed \(seed)")
      if let dilution = epoch.fix.horizontalDilution { #expect(dilution == owner.dilution) }
      if let used = epoch.fix.satellitesUsed { #expect(used == owner.satellites) }
      if let error = epoch.latitudeErrorMetres { #expect(error == owner.errorMetres) }
      if let utc = epoch.fix.utc {
        #expect(utc.nanosecondsOfDay / 10_000_000 % 100 == Int64(owner.hundredths))
      }
    }
    #expect(count > 60)
  }

  @Test("a receiver that changes its talker stays one source, also half a day later")
  func changedTalker() {
    var (first, second) = (Device.receiver, Device.receiver)
    (first.talker, second.talker) = ("GN", "GP")
    let text =
      (-40_000 ..< -39_997).map { first.sentences(at: $0).joined() }
      + (3_190..<3_215).map { second.sentences(at: $0).joined() }
    let all = epochs(text.joined()).filter { !$0.isRevision }
    #expect(all.count == 28)
  }

  @Test("accuracies before the first position are of no other source")
  func early() throws {
    let text =
      sentence("AIGST,120000.00,1,,,,0.1,0.1,0.2") + Device.receiver.sentences(at: 0).joined()
    let epoch = try #require(epochs(text).last)
    #expect(Device.receiver.isOwn(epoch) && epoch.latitudeErrorMetres == nil)
  }

  @Test("a clock that is years ahead does not withhold the time of another source")
  func wrongClock() {
    let wrong = sentence("AIRMC,120000.00,A,5400.01347,N,01000.00000,E,0.02,,230746,,,A")
    let text = wrong + (0..<20).map { Device.receiver.sentences(at: $0).joined() }.joined()
    let times = epochs(text).filter { Device.receiver.isOwn($0) }.compactMap(\.fix.utc)
    #expect(times.count > 15)
  }

  @Test("what a receiver reports of its signals stays while another source has the positions")
  func signals() throws {
    var text = Device.receiver.sentences(at: 0).joined() + sentence("PQTMJAMMINGSTATUS,1,3")
    for second in 1..<20 {
      text += Device.receiver.sentences(at: second, hasFix: false).joined()
      text += Device.transponder.sentences(at: second).joined()
    }
    let last = try #require(epochs(text).last { Device.transponder.isOwn($0) })
    #expect(last.signals.interference == .critical)
  }

  @Test("eight talkers of noise do not lock a receiver out")
  func crowd() {
    let noise = (0..<8).map { index -> String in
      let letter = String(UnicodeScalar(UInt8(65 + index)))
      return sentence("A\(letter)GGA,120000.00,5400.01347,N,01000.00000,E,1,06,9.9,9.0,M,45.0,M,,")
    }
    let text = noise.joined() + (1..<30).map { Device.receiver.sentences(at: $0).joined() }.joined()
    #expect(epochs(text).contains { Device.receiver.isOwn($0) })
  }
}
