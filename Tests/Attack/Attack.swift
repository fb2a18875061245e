import Foundation
import HostProtocol
import LinuxIO
import Monitoring
import Quantities

/// An attack by one application of the daemon's own user.
struct Attack: Sendable {
  let name: String
  let what: String
  /// What a witness must receive in time; nil where the attack restarts the daemon: it would be
  /// disconnected.
  var witness: Witness.Requirement? = .headings
  var needsRoot = false
  /// Starts the daemon, from the path of `lodestar` and that of the built `clock-shift.c`.
  var start: @Sendable (String, String) throws -> AttackedDaemon = { program, _ in
    try AttackedDaemon(program)
  }
  /// Attacks; the flag is true for the long form. It returns what it has seen, and why the daemon
  /// failed, if so.
  let run: @Sendable (AttackedDaemon, Bool) throws -> Finding

  /// The result of an attack, beside what the witness measured.
  struct Finding {
    var text: String
    var faults: [String] = []
  }

  private static let attacker = "org.example.attacker"

  static let all = [
    storm, registrations, names, connections, slowReaders, slowWriters, numbers, grammar, kills,
    clock, reconnection, time, disk, fullDisk, readOnly, readOnlyStart, gpsd, http, dBus, mqtt,
    port, web,
  ]

  /// Requests that are still queued after their clients have left.
  private static let storm = Attack(
    name: "storm", what: "connections that send 200 monitoring commands and leave"
  ) { daemon, isLong in
    let count = isLong ? 2000 : 400
    let commands = (0..<200).map { n in
      ClientMessage.monitor(id: UInt64(n), .startRegion(.circle("region \(n)")))
    }
    let bytes = commands.flatMap { $0.line + [UInt8(ascii: "\n")] }
    let begin = MonotonicClock.now
    var sent = 0
    for n in 0..<count {
      let connection = try Connection(daemon, attacker)
      if connection.send(bytes: bytes, within: 0.5) { sent += 1 }
      // 100 connections a second.
      let ahead = Double(n) * 0.01 - MonotonicClock.now.seconds(since: begin)
      if ahead > 0 { Thread.sleep(forTimeInterval: ahead) }
    }
    return Finding(text: "\(count) connections, \(sent) sent everything")
  }

  /// Answers that are long to encode.
  private static let registrations = Attack(
    name: "registrations", what: "20 polygons of 3000 corners, then 320 requests for registrations"
  ) { daemon, _ in
    let connection = try Connection(daemon, attacker)
    var refused = 0
    for n in 0..<20 {
      connection.send([
        .monitor(id: UInt64(n), .addPolygon("polygon \(n)", corners: 3000))
      ])
      let answer = try connection.line(with: "\"done\"")
      if answer?.contains("tooMany") == true { refused += 1 }
    }
    connection.send((0..<320).map { .registrations(id: 1000 + $0) }, within: 30)
    var answered = 0
    while answered < 320, try connection.line(with: "\"registrations\"", within: 20) != nil {
      answered += 1
    }
    return Finding(
      text: "\(refused) polygons refused, \(answered) requests answered",
      faults: answered == 320 ? [] : ["\(320 - answered) requests without an answer"])
  }

  /// Names and refused polygons that are stored.
  private static let names = Attack(
    name: "names",
    what: "300 monitor names of 200 kB, and polygons that are refused; then a restart",
    witness: nil
  ) { daemon, isLong in
    let connection = try Connection(daemon, attacker)
    connection.send([.listen(true)])
    var refused = 0
    for n in 0..<300 {
      let name = "\(n) " + String(repeating: "x", count: 200_000)
      connection.send([.monitor(id: UInt64(n), .openMonitor(name: name))])
      if try connection.line(with: "\"done\"")?.contains("tooLong") == true { refused += 1 }
    }
    for n in 0..<(isLong ? 300 : 60) {
      var region = MonitoredRegion.polygon("polygon \(n)", corners: 2500)
      if case .polygon(var vertices) = region.condition {
        // Larger than any region may be.
        vertices[0] = GeodeticPosition(latitudeDegrees: -80, longitudeDegrees: -160)
        region.condition = .polygon(vertices: vertices)
      }
      let command = MonitoringCommand.addCondition(
        monitor: "m", identifier: "\(n)", condition: region.condition, assuming: .unknown)
      connection.send([.monitor(id: 1000 + UInt64(n), command)])
      _ = try connection.line(with: "\"done\"")
    }
    let before = daemon.peakMegabytes
    guard let end = daemon.end() else { return Finding(text: "", faults: ["no end by SIGTERM"]) }
    try daemon.start()
    return Finding(
      text: "\(refused) names refused; ended in \(format(end)) s; \(format(before)) MB before and "
        + "\(format(daemon.peakMegabytes)) MB after the restart",
      faults: (end > Limits.end ? ["ended after \(format(end)) s"] : [])
        + (before > Limits.megabytes ? ["\(format(before)) MB before the restart"] : []))
  }

  /// Connections as fast as they can be made.
  private static let connections = Attack(
    name: "connections", what: "connections without a message, as fast as possible"
  ) { daemon, isLong in
    let begin = MonotonicClock.now
    var count = 0
    while MonotonicClock.now.seconds(since: begin) < (isLong ? 30 : 3) {
      _ = try Connection(daemon)
      count += 1
    }
    return Finding(text: "\(count) connections")
  }

  /// Clients that request everything and read nothing.
  private static let slowReaders = Attack(
    name: "slow readers",
    what: "31 clients that request estimates, samples and registrations, and read nothing"
  ) { daemon, isLong in
    let clients = try (0..<31).map { _ in try Connection(daemon, attacker) }
    for n in 0..<10 {
      clients[0].send([
        .monitor(id: UInt64(n), .addPolygon("polygon \(n)", corners: 1000))
      ])
    }
    for client in clients { client.send([.demand(.all), .samples(true), .listen(true)]) }
    let begin = MonotonicClock.now
    while MonotonicClock.now.seconds(since: begin) < (isLong ? 120 : 5) {
      for client in clients { client.send([.registrations(id: 1)], within: 0.01) }
      Thread.sleep(forTimeInterval: 0.05)
    }
    return Finding(text: "\(format(daemon.ownMegabytes)) MB at the end")
  }

  /// Clients that send a byte at a time, and lines without an end.
  private static let slowWriters = Attack(
    name: "slow writers",
    what: "15 clients that send a byte at a time, 15 that send a line without an end"
  ) { daemon, isLong in
    let clients = try (0..<15).map { _ in try Connection(daemon, attacker) }
    let endless = try (0..<15).map { _ in try Connection(daemon, attacker) }
    let line = ClientMessage.registrations(id: 1).line + [UInt8(ascii: "\n")]
    let block = [UInt8](repeating: UInt8(ascii: "["), count: 4096)
    let begin = MonotonicClock.now
    var sent = 0
    while MonotonicClock.now.seconds(since: begin) < (isLong ? 60 : 3) {
      for client in clients { client.send(bytes: [line[sent % line.count]], within: 0.01) }
      for client in endless { client.send(bytes: block, within: 0.01) }
      sent += 1
    }
    return Finding(text: "\(sent) bytes of each")
  }

  /// Numbers at and beyond the limits of every type.
  private static let numbers = Attack(
    name: "numbers", what: "demands, commands and calibrations with extreme numbers"
  ) { daemon, _ in
    let numbers = [
      "1e11", "-1e11", "1e300", "-1e300", "1e-300", "9223372036854775807", "-9223372036854775808",
      "18446744073709551615", "0", "-0.0", "1.7976931348623157e308", "5e-324", "\"inf\"", "\"nan\"",
    ]
    var count = 0
    for number in numbers {
      for key in ["headingInterval", "fixInterval", "desiredAccuracyMetres"] {
        let demand =
          "{\"type\":\"demand\",\"body\":{\"fixes\":true,\"headings\":true,\"\(key)\":\(number)}}\n"
        let circle =
          "{\"type\":\"monitor\",\"id\":1,\"body\":{\"startRegion\":{\"_0\":{\"identifier\":\"a\",\"condition\":"
          + "{\"circle\":{\"center\":{\"latitude\":\(number),\"longitude\":1},\"radiusMetres\":\(number)}}}}}}\n"
        let identifier = "{\"type\":\"registrations\",\"id\":\(number)}\n"
        let acknowledge =
          "{\"type\":\"monitor\",\"id\":2,\"body\":{\"acknowledge\":{\"sequence\":\(number)}}}\n"
        for text in [demand, circle, identifier, acknowledge] {
          let connection = try Connection(daemon, attacker)
          connection.send(bytes: Array(text.utf8))
          do { _ = try connection.line(with: "\"refused\"", within: 0.02) } catch is NetworkError {}
          count += 1
        }
      }
    }
    return Finding(text: "\(count) messages")
  }

  /// Messages that are changed at random.
  private static let grammar = Attack(
    name: "grammar", what: "messages that are cut, joined, repeated and changed at random"
  ) { daemon, isLong in
    var fuzz = MessageFuzz(seed: isLong ? UInt64.random(in: 0...UInt64.max) : 17)
    let count = isLong ? 1_000_000 : 5000
    var (answered, refused) = (0, 0)
    for _ in 0..<count {
      // A connection of its own: the daemon closes it at a malformed message.
      let connection = try Connection(daemon, attacker)
      connection.send(bytes: fuzz.next() + [UInt8(ascii: "\n")])
      connection.send([.registrations(id: 99)])
      do {
        let answer = try connection.line(with: "\"registrations\"", within: 2)
        if answer == nil { return Finding(text: "", faults: ["no answer, seed \(fuzz.seed)"]) }
        answered += 1
      } catch is NetworkError {
        refused += 1
      }
    }
    return Finding(text: "\(answered) messages accepted, \(refused) refused, seed \(fuzz.seed)")
  }

  /// Kills under load: no event is lost, and none has two numbers.
  private static let kills = Attack(
    name: "kills", what: "kill -9 while commands are stored", witness: nil
  ) { daemon, isLong in
    let count = isLong ? 1000 : 15
    var log = EventLog()
    // A registration that stays: without any the journal would begin anew.
    let first = try Connection(daemon, attacker)
    first.send([.monitor(id: 1, .startVisits)])
    _ = try first.line(with: "\"done\"")
    for round in 0..<count {
      let connection = try Connection(daemon, attacker)
      connection.send([.listen(true)])
      // Each command makes the event `regionStarted`; it is stored where its answer arrives.
      connection.send(
        (0..<10).map { .monitor(id: UInt64($0), .startRegion(.circle("\(round) \($0)"))) })
      let deadline = MonotonicClock.now.advanced(bySeconds: Double.random(in: 0.001...0.08))
      while let line = try connection.line(until: deadline) { log.receive(line, round: round) }
      daemon.kill()
      try daemon.start()
      let next = try Connection(daemon, attacker)
      // The answer to a command comes after the events before it.
      next.send([
        .listen(true), .monitor(id: 100, .closeMonitor(name: "none")), .registrations(id: 1),
      ])
      while let line = try next.line(until: MonotonicClock.now.advanced(bySeconds: 2)) {
        log.receive(line, round: round)
        if line.contains("\"registrations\"") { break }
      }
      next.send(
        log.pending.map { .monitor(id: 1, .acknowledge(sequence: $0)) }
          + (0..<10).map { .monitor(id: 2, .stopRegion(identifier: "\(round) \($0)")) }
          + [.registrations(id: 2)])
      while let line = try next.line(until: MonotonicClock.now.advanced(bySeconds: 2)) {
        if line.contains("\"registrations\"") { break }
      }
      log.acknowledged()
    }
    return Finding(
      text: "\(count) kills, \(log.events) events, \(log.stored) stored commands",
      faults: log.faults)
  }
}

/// What a client has received over several lives of the daemon.
struct EventLog {
  private(set) var events = 0
  /// The number of commands whose answer has arrived.
  private(set) var stored = 0
  private(set) var faults: [String] = []
  private(set) var pending: Set<UInt64> = []
  private var regions: [UInt64: String] = [:]
  private var answered: Set<String> = []

  /// Processes a line of the daemon.
  mutating func receive(_ line: String, round: Int) {
    do throws(HostFault) {
      switch try HostMessage(line: Array(line.utf8)) {
      case .event(let event):
        guard case .regionStarted(let region) = event.kind else { return }
        receive(event.sequence, region.identifier)
      case .done(let id, nil) where id < 10:
        stored += 1
        answered.insert("\(round) \(id)")
      case .registrations(_, let registrations):
        for identifier in answered.subtracting(registrations.regions.keys) {
          faults.append("the stored region '\(identifier)' is lost")
        }
      default: break
      }
    } catch {
      faults.append("\(error)")
    }
  }

  private mutating func receive(_ number: UInt64, _ region: String) {
    if let known = regions[number] {
      if known != region { faults.append("event \(number) was '\(known)', and then '\(region)'") }
      return
    }
    if regions.values.contains(region) { faults.append("'\(region)' has two event numbers") }
    if let newest = regions.keys.max(), number > newest + 1 {
      faults.append("event \(number) after \(newest): an event is missing")
    }
    events += 1
    regions[number] = region
    pending.insert(number)
  }

  /// The events are acknowledged and the regions stopped now.
  mutating func acknowledged() { (pending, answered) = ([], []) }
}

/// Changes valid messages at random.
struct MessageFuzz {
  let seed: UInt64
  private var state: UInt64
  private let seeds: [[UInt8]]

  /// - Parameters:
  ///   - seed: The same seed gives the same messages.
  ///   - seeds: The valid messages; none of them is empty.
  init(seed: UInt64, of seeds: [[UInt8]] = Self.clientMessages) {
    (self.seed, state, self.seeds) = (seed, seed, seeds)
  }

  private static var clientMessages: [[UInt8]] {
    [
      ClientMessage.demand(
        EstimateDemand(
          fixes: true, headings: true, headingInterval: 0.1, fixInterval: 1,
          desiredAccuracyMetres: 10)),
      .samples(true), .listen(true), .registrations(id: 3), .look(id: 4), .lease(true),
      .authorize(.always),
      .fullAccuracy(id: 5, purpose: "navigation"), .calibrate(id: 6, .begin(use: nil)),
      .calibrate(id: 7, .cancel),
      .monitor(id: 8, .startRegion(.circle("a"))),
      .monitor(id: 9, .startRegion(.polygon("b", corners: 5))),
      .monitor(id: 10, .openMonitor(name: "m")), .monitor(id: 11, .startVisits),
      .monitor(
        id: 12,
        .addCondition(
          monitor: "m", identifier: "c", condition: .beacon(BeaconPattern(uuid: UUID().uuidString)),
          assuming: .unknown)),
      .monitor(id: 13, .acknowledge(sequence: 1)), .monitor(id: 14, .stopRegion(identifier: "a")),
    ].map(\.line)
  }

  private mutating func random(_ count: Int) -> Int {
    // Knuth's generator, The Art of Computer Programming, volume 2, 3.3.4.
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(max(1, count)))
  }

  /// The next message of text, without its end.
  mutating func next() -> [UInt8] { nextBytes().filter { $0 != UInt8(ascii: "\n") } }

  /// The next message.
  mutating func nextBytes() -> [UInt8] {
    var bytes = seeds[random(seeds.count)]
    for _ in 0..<random(4) {
      let at = random(bytes.count)
      switch random(6) {
      case 0: bytes.removeSubrange(at..<min(bytes.count, at + random(20)))
      case 1: bytes.insert(UInt8(random(256)), at: at)
      case 2: bytes = Array(bytes[..<at]) + seeds[random(seeds.count)]
      case 3 where at < bytes.count: bytes[at] = UInt8(random(256))
      case 4:
        let words = [
          "1e400", "null", "[[[[[[[[", "{}", "\"\\u0000\"", "-", "99999999999999999999", "true",
        ]
        bytes.insert(contentsOf: Array(words[random(words.count)].utf8), at: at)
      default: bytes.insert(contentsOf: bytes[at..<min(bytes.count, at + random(200))], at: at)
      }
    }
    return bytes
  }
}
