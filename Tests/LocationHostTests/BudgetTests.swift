import Foundation
import HostProtocol
import LocationHost
import Monitoring
import Quantities
import Servers
import TestSupport
import Testing

@Suite("Budgets of clients, applications and users", .serialized, .timeLimit(.minutes(30)))
struct BudgetTests {
  private func hello(_ application: String) -> String {
    let hello = ClientHello(application: application, client: "test", pid: 1)
    return String(decoding: ClientMessage.hello(hello).line, as: UTF8.self) + "\n"
  }

  private func text(_ messages: [ClientMessage]) -> String {
    messages.map { String(decoding: $0.line, as: UTF8.self) + "\n" }.joined()
  }

  private func circle(_ identifier: String) -> MonitoredRegion {
    MonitoredRegion(
      identifier: identifier,
      condition: .circle(
        center: GeodeticPosition(latitudeDegrees: 1, longitudeDegrees: 2), radiusMetres: 100))
  }

  @Test("turns rotate over users, then over each user's applications; items stay in order")
  func order() {
    var order = FairOrder<String>()
    func key(_ uid: UInt32, _ id: String) -> ApplicationKey { ApplicationKey(uid: uid, id: id) }
    for n in 1...4 { order.add("a\(n)", of: key(1, "a")) }
    for n in 1...2 { order.add("b\(n)", of: key(1, "b")) }
    for n in 1...3 { order.add("c\(n)", of: key(2, "c")) }
    var got: [String] = []
    while let next = order.next() { got.append(next) }
    #expect(got == ["a1", "c1", "b1", "c2", "a2", "c3", "b2", "a3", "a4"])
    #expect(order.next() == nil)
  }

  @Test("a name that is too long is refused and not stored; the connection stays")
  func names() throws {
    let rig = try ServiceRig()
    let raw = try RawClient(rig)
    try raw.send(hello("a"))
    let name = String(repeating: "x", count: 200_000)
    for n in 0..<20 {
      try raw.send(text([.monitor(id: UInt64(n), .openMonitor(name: "\(n)" + name))]))
      let answer = try raw.line(with: "\"done\"")
      #expect(answer?.contains("tooLong") == true && answer?.contains("512") == true)
    }
    try raw.send(text([.monitor(id: 50, .openMonitor(name: "short")), .registrations(id: 51)]))
    let answer = try #require(try raw.line(with: "\"registrations\""))
    #expect(answer.contains("short") && answer.count < 1000)
    rig.daemon.stop()
  }

  @Test("the bytes of one user's applications are limited together")
  func storedBytes() throws {
    let rig = try ServiceRig { $0.mostStoredBytes = 2000 }
    let (first, second) = (try RawClient(rig), try RawClient(rig))
    try first.send(
      hello("a") + text((0..<20).map { .monitor(id: $0, .startRegion(circle("\($0)"))) }))
    #expect(try first.line(with: "tooMany")?.contains("most-stored-kib") == true)
    try second.send(hello("b") + text([.monitor(id: 1, .startVisits)]))
    #expect(try second.line(with: "\"done\"")?.contains("tooMany") == true)
    // Commands that remove something are always executed.
    try first.send(text((0..<20).map { .monitor(id: 100 + $0, .stopRegion(identifier: "\($0)")) }))
    #expect(try first.line(with: "\"id\":119")?.contains("tooMany") == false)
    rig.daemon.stop()
  }

  @Test("the commands of a client that has left are executed, and count until they are")
  func departed() throws {
    let rig = try ServiceRig { $0.mostRequests = 4 }
    do {
      let raw = try RawClient(rig)
      try raw.send(
        hello("a") + text((0..<60).map { .monitor(id: $0, .openMonitor(name: "monitor \($0)")) })
          + text([.monitor(id: 60, .startVisits)]))
    }
    let other = try RawClient(rig)
    try other.send(hello("b") + text([.registrations(id: 1)]))
    #expect(try other.line(with: "\"registrations\"") != nil)
    let again = try RawClient(rig)
    try again.send(hello("a"))
    #expect(
      eventually {
        do {
          try again.send(text([.registrations(id: 2)]))
          return try again.line(with: "\"registrations\"")?.contains("\"visits\":true") == true
        } catch {
          return false
        }
      })
    rig.daemon.stop()
  }

  @Test("a client that reads no answers is not read either, delays no other, and gets all answers")
  func answers() throws {
    let rig = try ServiceRig { $0.mostQueuedBytes = 64 << 10 }
    let (raw, other) = (try RawClient(rig), try RawClient(rig))
    try raw.send(
      hello("a") + text((0..<15).map { .monitor(id: $0, .startRegion(circle("\($0)"))) }))
    try raw.send(text((0..<1000).map { .registrations(id: 1000 + $0) }))
    try other.send(hello("b"))
    for n in 0..<20 {
      try other.send(text([.registrations(id: UInt64(n))]))
      #expect(try other.line(with: "\"registrations\"") != nil)
    }
    for n in 0..<1000 {
      #expect(try raw.line(with: "\"registrations\"")?.contains("\"id\":\(1000 + n)") == true)
    }
    rig.daemon.stop()
  }

  @Test("one application takes half of the connections at most")
  func connections() throws {
    let rig = try ServiceRig { $0.mostClients = 18 }
    let mine = try (0..<9).map { _ in try RawClient(rig) }
    for client in mine {
      try client.send(hello("a"))
      #expect(try client.line(with: "\"welcome\"") != nil)
    }
    let tenth = try RawClient(rig)
    try tenth.send(hello("a"))
    #expect(try tenth.line(with: "\"refused\"")?.contains("most-clients") == true)
    let other = try RawClient(rig)
    try other.send(hello("b"))
    #expect(try other.line(with: "\"welcome\"") != nil)
    // Without this the clients are released after their last use.
    withExtendedLifetime(mine) {}
    rig.daemon.stop()
  }

  @Test("many connections beyond the limit are refused at once, with few log entries")
  func refusals() throws {
    let rig = try ServiceRig { $0.mostClients = 8 }
    let witness = try RawClient(rig)
    try witness.send(hello("b"))
    #expect(try witness.line(with: "\"welcome\"") != nil)
    let idle = try (0..<7).map { _ in try RawClient(rig) }
    for _ in 0..<200 {
      let client = try RawClient(rig)
      #expect(try client.line(with: "\"refused\"")?.contains("client limit") == true)
      #expect(try client.isClosed())
    }
    #expect(rig.logged.all.filter { $0.contains("client limit") }.count < 5)
    try witness.send(text([.registrations(id: 1)]))
    #expect(try witness.line(with: "\"registrations\"") != nil)
    withExtendedLifetime(idle) {}
    rig.daemon.stop()
  }
}

@Suite("The keys of the daemon's file", .timeLimit(.minutes(30)))
struct ServeKeyTests {
  private func text(_ path: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("Documentation/Servers.md and the installed file have each key, and the file its default")
  func documented() throws {
    let (page, installed) = (
      try text("Documentation/Servers.md"), "\n" + (try text("Packaging/systemd/serve.yaml"))
    )
    var usual = ServeConfiguration(socketPath: "s", stateFolder: "f")
    // The command line's defaults.
    (usual.gpsd.port, usual.http.port) = (2947, 8090)
    for key in ServeKey.all {
      #expect(page.contains("`\(key.name)`"), "\(key.name)")
      let line = key.text(usual).map { "# \(key.name): \($0)\n" } ?? "# \(key.name): "
      // The unit of the package has a mode and a group of its own.
      let isSet = installed.contains("\n\(key.name): ")
      #expect(isSet || installed.contains("\n\(line)"), "\(key.name)")
    }
  }

  @Test("each default reads back, and an empty text or one of another type is refused")
  func values() throws {
    let usual = ServeConfiguration(socketPath: "s", stateFolder: "f")
    for key in ServeKey.all {
      guard let text = key.text(usual) else { continue }
      var configuration = usual
      #expect(key.set(&configuration, text))
      #expect(configuration == usual, "\(key.name)")
      guard Int(text) != nil else { continue }
      #expect(!key.set(&configuration, "-1") && !key.set(&configuration, "many"), "\(key.name)")
      let file = try ServeFile("\(key.name): many", path: "f")
      #expect(throws: ServeFileError.self) { try file.apply(to: &configuration) }
    }
  }
}
