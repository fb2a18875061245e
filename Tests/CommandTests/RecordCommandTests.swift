import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar record", .timeLimit(.minutes(30)))
struct RecordCommandTests {
  private static let alone = ["LODESTAR_SOCKET": "none"]
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/a.mcap" }

  init() throws { folder = try TemporaryFolder() }

  private func size() -> Int {
    do {
      return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
    } catch {
      return 0
    }
  }

  private func run(_ arguments: [String]) throws -> BuiltProgram.Outcome {
    try lodestar.run(arguments, environment: Self.alone)
  }

  private func checkReplay() throws {
    let replay = try run(["replay", path, "--format", "json"])
    #expect(replay.status == 0, "\(replay.errors)")
    #expect(replay.text.contains("\"equalEstimates\""))
    #expect(!replay.text.contains("firstDifference"), "\(replay.text)")
  }

  @Test("a killed recording is replayed to the last bit, and the repair makes it whole")
  func killed() throws {
    let recorder = try RunningProgram(
      lodestar, ["record", "--simulate", "--online-calibration", "on", path],
      environment: Self.alone)
    // Some chunks, of about 20 KB a second.
    #expect(eventually { size() > 60_000 })
    recorder.end(SIGKILL)
    try checkReplay()
    let repair = try run(["record", "--repair", path])
    #expect(repair.status == 0 && repair.text.contains("with index"), "\(repair.text)")
    #expect(try run(["record", "--repair", path]).text.contains("the file is whole"))
    try checkReplay()
  }

  @Test("a file that is being recorded is not repaired")
  func busy() throws {
    let recorder = try RunningProgram(
      lodestar, ["record", "--simulate", path], environment: Self.alone)
    defer { recorder.end(SIGKILL) }
    #expect(eventually { size() > 20_000 })
    let repair = try run(["record", "--repair", path])
    #expect(repair.status == 74 && repair.errors.contains("is being recorded"), "\(repair.errors)")
    let mixed = try run(["record", "--repair", "--duration", "3", path])
    #expect(mixed.status == 64 && mixed.errors.contains("nothing is recorded"))
  }

  @Test("a stopped recording is complete, and its replay says that the estimates are equal")
  func complete() throws {
    let recorded = try run(["record", "--simulate", "--duration", "2", path, "--format", "json"])
    #expect(recorded.status == 0, "\(recorded.errors)")
    #expect(recorded.text.contains("\"lost\":0"))
    // It has places.
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try checkReplay()
    let replay = try run(["replay", path])
    #expect((replay.text + replay.errors).contains("all equal to the last bit"))
    // An option that changes the estimates ends the comparison.
    let other = try run(["replay", path, "--qnh", "990", "--format", "json"])
    #expect(other.status == 0 && !other.text.contains("equalEstimates"))
    #expect(other.errors.contains("the options change the estimates"))
  }

  @Test("an existing file, another name than .mcap and a missing folder are errors")
  func refused() throws {
    try folder.write("kept", "/a.mcap")
    let existing = try run(["record", "--simulate", "--duration", "1", path])
    #expect(existing.status == 74 && existing.errors.contains("--force"), "\(existing.errors)")
    #expect(size() == 4)
    #expect(try run(["record", "--simulate", folder.path + "/a.csv"]).status == 64)
    let missing = try run(["record", "--simulate", folder.path + "/none/a.mcap"])
    #expect(missing.status == 74 && missing.errors.contains("folder"), "\(missing.errors)")
    try folder.write("kept", "/b-2.mcap")
    let series = try run(["record", "--simulate", "--longest-file", "1", folder.path + "/b.mcap"])
    #expect(series.status == 74 && series.errors.contains("earlier recording"), "\(series.errors)")
  }
}
