import Foundation
import LinuxIO
import Monitoring
import Quantities
import Storage
import TestSupport
import Testing

/// An update and a rollback: each kept file of a newer program stays as it is, an older one is taken
/// over. `ProfileStoreTests` has the same for calibrations.
@Suite("Versions of kept files", .timeLimit(.minutes(30)))
struct StateVersionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch {
      return "\(error)"
    }
  }

  private static let advice = "update lodestar (sudo apt install lodestar)"

  @Test("tokens of a newer program are neither used nor changed, those without a version are used")
  func tokens() throws {
    let store = TokenStore(stateFolder: folder.path)
    _ = try store.makeCode(name: "phone")
    let written = try #require(text(store.path))
    #expect(written.contains("\"version\" : 1"))
    let newer = written.replacing("\"version\" : 1", with: "\"version\" : 2,\n  \"rights\" : []")
    try Data(newer.utf8).write(to: URL(fileURLWithPath: store.path))
    let reading = message { _ = try store.tokens() }
    #expect(reading.contains("it has version 2") && reading.contains(Self.advice), "\(reading)")
    #expect(!message { _ = try store.makeCode() }.isEmpty)
    #expect(!message { _ = try store.revoke(nil) }.isEmpty)
    #expect(text(store.path) == newer)
    let first = #"{"tokens":[{"id":"a","name":"b","hash":"c","created":"d"}],"codes":[]}"#
    try Data(first.utf8).write(to: URL(fileURLWithPath: store.path))
    #expect(try store.tokens().map(\.id) == ["a"])
    _ = try store.makeCode()
    #expect(try store.tokens().map(\.id) == ["a"])
  }

  @Test("a receiver's settings of a newer program are neither used nor replaced")
  func settings() throws {
    let file = ReceiverSettingsFile(stateFolder: folder.path, port: "/dev/ttyACM0")
    let content = ReceiverSettingsFile.Content(
      receiver: "M9N", port: "/dev/ttyACM0", settings: ["RATE=100"])
    try file.write(content)
    #expect(try file.read() == content)
    let written = try #require(text(file.path))
    for (version, words) in [("9", "version 9"), (#""10.1""#, "another version")] {
      let newer = written.replacing("\"version\" : 1", with: "\"version\" : \(version)")
      try Data(newer.utf8).write(to: URL(fileURLWithPath: file.path))
      let reading = message { _ = try file.read() }
      #expect(reading.contains(words) && reading.contains(Self.advice), "\(reading)")
      #expect(!message { try file.write(content) }.isEmpty && text(file.path) == newer)
    }
    let first = #"{"receiver":"M9N","port":"/dev/ttyACM0","settings":["RATE=100"]}"#
    try Data(first.utf8).write(to: URL(fileURLWithPath: file.path))
    #expect(try file.read()?.settings == ["RATE=100"])
  }

  @Test("a receiver's aid of a newer program is neither used nor replaced")
  func aid() throws {
    let file = ReceiverAidFile(port: "/dev/ttyACM0", in: folder.path)
    let newer = "lodestar receiver aid 2\nsomething new\n"
    try Data(newer.utf8).write(to: URL(fileURLWithPath: file.path))
    let reading = message { _ = try file.read { _ in } }
    #expect(reading.contains("version 2") && reading.contains(Self.advice), "\(reading)")
    #expect(!message { try file.write(ReceiverAid()) }.isEmpty && text(file.path) == newer)
    // Also one that is larger than this program reads.
    let large = newer + String(repeating: "x", count: 2 << 20)
    try Data(large.utf8).write(to: URL(fileURLWithPath: file.path))
    #expect(message { _ = try file.read { _ in } }.contains("version 2"))
    #expect(!message { try file.write(ReceiverAid()) }.isEmpty && text(file.path) == large)
  }

  @Test("monitoring of a newer program keeps its content beside the new state, under its version")
  func monitoring() throws {
    // With another number of words in its head line.
    let newer = "lodestar-monitoring 2 7 00000000 3 zstd\nnew"
    try folder.write(newer, "/state.1")
    let journal = try MonitoringJournal(folder: folder.path)
    #expect(try journal.load() == nil)
    let refusal = try #require(journal.refusals.first.map { "\($0)" })
    #expect(refusal.contains("state.1.version2") && refusal.contains(Self.advice), "\(refusal)")
    #expect(text(folder.path + "/state.1.version2") == newer)
  }

  private func monitor(_ identifier: String) -> ApplicationMonitor {
    var monitor = ApplicationMonitor()
    let place = GeodeticPosition(latitudeDegrees: 47.1, longitudeDegrees: 11)
    monitor.perform(
      .startRegion(
        MonitoredRegion(
          identifier: identifier, condition: .circle(center: place, radiusMetres: 100))),
      at: UTCTime(nanosecondsSince1970: 1_790_000_000_000_000_000))
    return monitor
  }

  @Test("a second rollback keeps the monitoring of the first, and an older file is used meanwhile")
  func secondRollback() throws {
    let states = ["first", "second", "third"].map { "lodestar-monitoring 2 7 00000000 3\n\($0)" }
    for (index, suffix) in ["version2", "version2.2", "version2.3"].enumerated() {
      let journal = try MonitoringJournal(folder: folder.path)
      _ = try journal.load()
      // The first state of this program takes state.1, the next one state.0.
      try journal.save(monitor("\(index)"))
      try journal.save(monitor("\(index)"))
      try folder.write(states[index], "/state.1")
      let loaded = try journal.load()
      #expect(loaded?.registrations.regions.keys.sorted() == ["\(index)"])
      #expect(journal.refusals.map(\.newPath) == ["\(folder.path)/state.1.\(suffix)"])
    }
    let kept = ["version2", "version2.2", "version2.3"].map {
      text("\(folder.path)/state.1.\($0)")
    }
    #expect(kept == states)
  }

  @Test("monitoring of before a rollback is in use again after the steps of Fleet.md")
  func returned() throws {
    do {
      let journal = try MonitoringJournal(folder: folder.path)
      try journal.save(monitor("before"))
    }
    let (state, kept) = ("\(folder.path)/state.1", "\(folder.path)/state.1.version1")
    try FileManager.default.moveItem(atPath: state, toPath: kept)
    do {
      let journal = try MonitoringJournal(folder: folder.path)
      #expect(try journal.load() == nil)
      for number in 0..<4 { try journal.save(monitor("meanwhile \(number)")) }
    }
    let guide = try String(
      contentsOf: SharedData.repository.appendingPathComponent("Documentation/Fleet.md"),
      encoding: .utf8)
    let lines = guide.split(separator: "\n").filter {
      $0.hasPrefix("rm -f state.0 ") || $0.hasPrefix("for n in 0 1; ")
    }
    #expect(lines.count == 2)
    let script = "cd \(folder.path)\n" + lines.joined(separator: "\n")
    let outcome = try BuiltProgram(at: "/bin/sh").run(
      ["-c", script.replacing("versionV", with: "version1")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let journal = try MonitoringJournal(folder: folder.path)
    #expect(try journal.load()?.registrations.regions.keys.sorted() == ["before"])
    #expect(journal.refusals.isEmpty)
  }
}
