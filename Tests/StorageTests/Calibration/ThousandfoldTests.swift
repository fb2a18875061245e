import Foundation
import Glibc
import Quantities
import Storage
import TestSupport
import Testing

@Suite("A thousand kills and faults", .timeLimit(.minutes(30)))
struct ThousandfoldTests {
  /// The writer's identity.
  static let identity = ProfileIdentity(
    sensor: SensorIdentity(part: "LIS3MDL", bus: "i2c-1", address: 0x1E), board: "test")

  /// Kills with each seed. `LODESTAR_KILLS=250` makes a thousand, in Scripts/figures.
  private static let kills =
    ProcessInfo.processInfo.environment["LODESTAR_KILLS"].flatMap(Int.init) ?? 50

  // Four at a time, each in its own folder.
  @Test(
    "kill -9 at any instant loses nothing that was stored",
    arguments: 1...4 as ClosedRange<UInt64>)
  func killed(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let store = ProfileStore(directory: folder.path)
    var generator = SeededGenerator(seed: seed)
    try store.save(Fixtures.small(Self.identity))
    // The instants follow the duration of a store on this machine, so that half of the writers
    // report one.
    var microseconds = 5000.0
    var (reported, stored) = (1, 0)
    var (betweenSaves, leftovers) = (0, 0)
    for _ in 0..<Self.kills {
      let writer = try WriterProcess(["write", folder.path, "1000000", "3"])
      let first = writer.waitForFirstWord()
      #expect(first.hasPrefix("ready"))
      usleep(UInt32(bounded: Double.random(in: 0..<microseconds, using: &generator)))
      writer.killAtOnce()
      let lines = first.split(separator: "\n").dropFirst() + writer.finish()
      let numbers = lines.compactMap { Int($0) }
      #expect(numbers.count == lines.count && numbers == numbers.sorted(), "\(lines)")
      if let last = numbers.last { reported = last }
      stored += numbers.count
      microseconds *= numbers.isEmpty ? 1.05 : 0.95
      let current = try store.current(for: Self.identity)
      let found = current.stored?.profile.generation ?? 0
      #expect(found >= reported && current.refusals.isEmpty)
      // Some kills must have hit a store in progress: renamed but not reported, or not renamed yet.
      if found > reported { betweenSaves += 1 }
      reported = found
      let names = try FileManager.default.contentsOfDirectory(
        atPath: store.folder(for: Self.identity))
      if names.contains(where: { $0.hasSuffix(".new") }) { leftovers += 1 }
    }
    #expect(stored > 0 && betweenSaves + leftovers > 0, "\(stored) \(betweenSaves) \(leftovers)")
  }

  /// Checks that every attempt has stored or reported an error, and that nothing was lost.
  private func check(_ lines: [Substring], reason: String) {
    let lost = lines.filter { !$0.hasPrefix("saved ") && !$0.hasPrefix("failed ") }
    #expect(lines.count == 1000 && lost.isEmpty, "\(lines.count), \(lost.prefix(2))")
    let failed = lines.filter { $0.hasPrefix("failed ") }
    #expect(failed.count > 100 && lines.count - failed.count > 100, "\(failed.count) failed")
    for line in failed {
      #expect(line.hasPrefix("failed /") && line.contains(reason), "\(line)")
    }
  }

  @Test("a write that ends at any byte, a thousand times, loses nothing that was stored")
  func limited() throws {
    let folder = try TemporaryFolder()
    let lines = try WriterProcess(["limited", folder.path, "1000", "5"]).finish()
    check(lines, reason: "File too large; the file is larger than is allowed: see 'ulimit -f'")
  }

  @Test(
    "a full disk, a thousand times, loses nothing that was stored",
    .enabled(if: ThousandfoldTests.mayMount, "a small file system can only be mounted by root"))
  func full() throws {
    let folder = try TemporaryFolder()
    let script = """
      mount -t tmpfs -o size=128k none "$0" && exec "$1" full "$0" 1000 6
      """
    let lines = try WriterProcess(
      ["-m", "/bin/sh", "-c", script, folder.path, WriterProcess.program],
      program: "/usr/bin/unshare"
    ).finish()
    check(lines, reason: "No space left on device; free some space on that file system")
  }

  @Test("two concurrent writers lose no generation")
  func writers() throws {
    let folder = try TemporaryFolder()
    let writers = try (0..<3).map { _ in try WriterProcess(["write", folder.path, "60", "1000"]) }
    let numbers = writers.flatMap { $0.finish().dropFirst().compactMap { Int($0) } }
    #expect(numbers.sorted() == Array(1...180))
    let history = try ProfileStore(directory: folder.path).history(for: Self.identity)
    #expect(history.stored.map(\.profile.generation) == Array((1...180).reversed()))
    #expect(history.refusals.isEmpty)
  }

  @Test("a reader always finds a generation while a writer removes old ones")
  func reader() throws {
    let folder = try TemporaryFolder()
    let store = ProfileStore(directory: folder.path)
    let writer = try WriterProcess(["write", folder.path, "100000", "1"])
    _ = writer.waitForFirstWord()
    var last = 0
    let end = Date(timeIntervalSinceNow: 1)
    while last == 0 || Date() < end {
      let current = try store.current(for: Self.identity)
      let found = current.stored?.profile.generation ?? 0
      #expect(found >= last && current.refusals.isEmpty)
      last = found
    }
    writer.killAtOnce()
    #expect(writer.finish().count >= last - 1)
  }

  /// True where this process may mount its own file system.
  static let mayMount: Bool = {
    // In its own namespace, so that no other process sees the mount.
    let folder = FileManager.default.temporaryDirectory.path
    do {
      let script = "mount -t tmpfs -o size=64k none \"$0\" && echo yes"
      return try WriterProcess(
        ["-m", "/bin/sh", "-c", script, folder], program: "/usr/bin/unshare"
      ).finish() == ["yes"]
    } catch {
      return false
    }
  }()
}
