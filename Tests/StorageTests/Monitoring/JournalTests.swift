import Foundation
import Glibc
import Monitoring
import Quantities
import SimulatedDays
import Storage
import Testing

@Suite("The journal of monitoring", .timeLimit(.minutes(30)))
struct JournalTests {
  private func monitor(_ identifier: String) -> ApplicationMonitor {
    var monitor = ApplicationMonitor()
    let place = GeodeticPosition(latitudeDegrees: 47.1, longitudeDegrees: -179.999)
    monitor.perform(
      .startRegion(
        MonitoredRegion(
          identifier: identifier, condition: .circle(center: place, radiusMetres: 100))),
      at: SimulatedDay.start)
    return monitor
  }

  @Test("a stored state is loaded unchanged, to the last bit")
  func roundTrip() throws {
    let files = MemoryFiles()
    var monitor = DayOfState.monitor()
    let journal = try MonitoringJournal(folder: "/state", files: files)
    for fix in KillTests.day.fixes.prefix(300) { monitor.process(fix) }
    try journal.save(monitor)
    var loaded = try #require(
      try MonitoringJournal(folder: "/state", files: files.afterKill()).load())
    for fix in KillTests.day.fixes.dropFirst(300) {
      monitor.process(fix)
      loaded.process(fix)
    }
    #expect(loaded.pending == monitor.pending && monitor.pending.count > 20)
    #expect(loaded.registrations == monitor.registrations)
  }

  @Test(
    "a damaged file is reported and the previous generation is used",
    arguments: [0, 20, 40, 200, 600])
  func damage(_ at: Int) throws {
    let files = MemoryFiles()
    let journal = try MonitoringJournal(folder: "/state", files: files)
    try journal.save(monitor("first"))
    try journal.save(monitor("second"))
    files["/state/state.0"]?[at] ^= 0x20
    let next = try MonitoringJournal(folder: "/state", files: files.afterKill())
    let kept = try #require(try next.load())
    #expect(kept.registrations.regions.keys.sorted() == ["first"])
    #expect(next.refusals.count == 1 && next.refusals[0].path == "/state/state.0")
    // And the good one is not overwritten.
    try next.save(monitor("third"))
    #expect(files["/state/state.1"] != nil)
    #expect(try next.load()?.registrations.regions.keys.sorted() == ["third"])
  }

  @Test("a file with a generation that leaves no number for the next is refused")
  func lastGeneration() throws {
    let files = MemoryFiles()
    try MonitoringJournal(folder: "/state", files: files).save(monitor("first"))
    let text = String(decoding: try #require(files["/state/state.1"]), as: UTF8.self)
    files["/state/state.1"] = Array(
      text.replacing(" 1 1 ", with: " 1 \(UInt64.max) ", maxReplacements: 1).utf8)
    let journal = try MonitoringJournal(folder: "/state", files: files.afterKill())
    #expect(try journal.load() == nil)
    #expect(journal.refusals.count == 1)
    try journal.save(monitor("second"))
    #expect(try journal.load()?.registrations.regions.keys.sorted() == ["second"])
  }

  @Test("a file that is truncated anywhere is refused")
  func cut() throws {
    let files = MemoryFiles()
    let journal = try MonitoringJournal(folder: "/state", files: files)
    try journal.save(monitor("first"))
    let whole = try #require(files["/state/state.1"])
    for length in stride(from: 0, to: whole.count, by: 7) {
      files["/state/state.1"] = Array(whole[..<length])
      #expect(try journal.load() == nil)
      #expect(journal.refusals.count == 1)
    }
  }

  @Test("refused files are renamed, and new states do not overwrite them")
  func refused() throws {
    let files = MemoryFiles()
    let journal = try MonitoringJournal(folder: "/state", files: files)
    try journal.save(monitor("first"))
    try journal.save(monitor("second"))
    for slot in 0...1 { files["/state/state.\(slot)"]?[0] ^= 0x20 }
    let damaged = (0...1).map { files["/state/state.\($0)"] }
    #expect(try journal.load() == nil)
    #expect(journal.refusals.count == 2)
    #expect(journal.refusals.allSatisfy { "\($0)".contains(".refused") })
    for number in 0..<4 { try journal.save(monitor("\(number)")) }
    #expect((0...1).map { files["/state/state.\($0).refused"] } == damaged)
    #expect(try journal.load()?.registrations.regions.keys.sorted() == ["3"])
  }

  @Test("a medium that cannot be read is an error, and nothing is overwritten")
  func unreadable() throws {
    let files = MemoryFiles()
    try MonitoringJournal(folder: "/state", files: files).save(monitor("first"))
    let kept = files["/state/state.1"]
    files.unreadable = EIO
    let journal = try MonitoringJournal(folder: "/state", files: files)
    do {
      _ = try journal.load()
      Issue.record("it was read")
    } catch {
      #expect("\(error)".contains("the card or disk fails"))
    }
    #expect(files["/state/state.1"] == kept && journal.refusals.isEmpty)
  }

  @Test("a state of several megabytes is loaded, and one beyond the limit is not written")
  func large() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())").path
    defer {
      do { try FileManager.default.removeItem(atPath: folder) } catch { Issue.record("\(error)") }
    }
    var large = monitor("first")
    let vertices = (0..<20_000).map {
      GeodeticPosition(latitudeDegrees: 47 + Double($0) * 1e-5, longitudeDegrees: 11 + 1 / 3)
    }
    for number in 0..<2 {
      large.perform(
        .addCondition(
          monitor: "m", identifier: "\(number)", condition: .polygon(vertices: vertices),
          assuming: .unknown), at: SimulatedDay.start)
    }
    do {
      let journal = try MonitoringJournal(folder: folder)
      try journal.save(large)
      let size = try FileManager.default.attributesOfItem(atPath: folder + "/state.1")[.size]
      #expect(try #require(size as? Int) > 2 << 20)
      #expect(try journal.load()?.registrations == large.registrations)
      #expect(journal.refusals.isEmpty)
    }
    let small = try MonitoringJournal(folder: "/state", files: MemoryFiles(), largestBytes: 1000)
    do {
      try small.save(large)
      Issue.record("it was written")
    } catch {
      #expect(error.code == EFBIG && error.description.contains("more than 1000"))
    }
  }

  @Test("a second process of the application gets the error that the journal is in use")
  func busy() throws {
    let files = MemoryFiles()
    let first = try MonitoringJournal(folder: "/state", files: files)
    do {
      _ = try MonitoringJournal(folder: "/state", files: files)
      Issue.record("two have it open")
    } catch {
      #expect(error == .busy(path: "/state"))
    }
    withExtendedLifetime(first) {}
  }
}

enum DayOfState {
  static func monitor() -> ApplicationMonitor {
    var monitor = ApplicationMonitor()
    for region in SimulatedDay.regions {
      monitor.perform(.startRegion(region), at: SimulatedDay.start)
    }
    monitor.perform(.startVisits, at: SimulatedDay.start)
    monitor.perform(.startSignificantChanges, at: SimulatedDay.start)
    return monitor
  }
}
