import Foundation
import TestSupport
import Testing

private let python = BuiltProgram.installed("python3")
private let appleNames = SharedData.path("data/core-location-names.txt")

/// `Scripts/build-api-list`, over the modules that were built with the tests.
@Suite("Public symbols", .enabled(if: python != nil, "no python3"), .timeLimit(.minutes(30)))
struct PublicSymbolsTests {
  private let lists = SharedData.repository.appendingPathComponent("Documentation/API")

  /// Runs the check; without `names` nothing is compared with Apple's.
  private func check(lists: String, names: String? = nil) throws -> BuiltProgram.Outcome {
    let script = SharedData.repository.appendingPathComponent("Scripts/build-api-list").path
    let built = URL(fileURLWithPath: BuiltProgram("lodestar").path).deletingLastPathComponent()
    let comparison = names.map { ["--names", $0] } ?? []
    return try #require(python).run(
      [script, "--check", "--built", built.path, "--lists", lists] + comparison,
      environment: ["LODESTAR_SHARED": "/nonexistent"])
  }

  /// A copy of the lists with one of them changed.
  private func changed(
    _ name: String, _ change: (String) -> String
  ) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in try FileManager.default.contentsOfDirectory(atPath: lists.path) {
      try FileManager.default.copyItem(
        atPath: lists.path + "/" + name, toPath: folder.path + "/" + name)
    }
    let file = URL(fileURLWithPath: folder.path).appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    let other = change(text)
    #expect(other != text)
    try Data(other.utf8).write(to: file)
    return folder
  }

  @Test("are those of the lists in Documentation")
  func current() throws {
    let run = try check(lists: lists.path)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("that a list lacks, or has too much, are named")
  func outdated() throws {
    let lacking = try changed("CoreMotion.md") {
      $0.replacing("  var x: Double\n", with: "", maxReplacements: 1)
    }
    let run = try check(lists: lacking.path)
    #expect(run.status == 1)
    #expect(run.errors.contains("CoreMotion.md is older than the sources: it lacks CMAcceleration"))
    let surplus = try changed("CoreLocation.md") {
      $0.replacing("open var uuid: ", with: "open var former: ", maxReplacements: 1)
    }
    let other = try check(lists: surplus.path)
    #expect(other.status == 1)
    #expect(other.errors.contains("it lacks CLBeacon.uuid, has CLBeacon.former; run Scripts/"))
  }

  @Test(
    "are those of Apple's modules, but for names with a reason",
    .enabled(if: appleNames != nil, "no reference data: names of Apple's modules are not compared"))
  func compared() throws {
    let run = try check(lists: lists.path, names: appleNames)
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test("that Apple's modules have and these do not need a reason")
  func missing() throws {
    let text = """
      # One of each form of the names.
      CoreLocation\tCLNothing
      CoreLocation\tCLHeading.depth
      CoreLocation\tCLLocation.distance(to:)
      CoreLocation\tCLLocation.init3
      CoreLocation\tCLLocation.init10
      CoreLocation\tCLError.errorCode(Bridged)
      CoreLocation\tCLBeacon.uuid
      CoreLocation\tCLAccuracyAuthorization.!=
      CoreMotion\tCMRotationMatrix.init(m13:...m33:)
      CoreLocation\tCLBeaconRegion.init(uuid:...identifier:)

      """
    let file = try TemporaryFile(Data(text.utf8), suffix: ".txt")
    let reasons = try changed("README.md") { _ in "" }
    let run = try check(lists: reasons.path, names: file.path)
    #expect(run.status == 1)
    let lines = run.errorLines.filter { $0.contains("without a reason") }
    #expect(
      lines.map { $0.split(separator: " ")[1] } == [
        "CLNothing:", "CLHeading.depth:", "CLLocation.distance(to:):", "CLLocation.init3:",
        "CMRotationMatrix.init(m13:...m33:):",
      ])
    #expect(run.errors.contains("5 of 10 names"))
  }

  @Test("that have a reason to be missing, and are not, are named")
  func stale() throws {
    let text = "CoreLocation\tCLBeacon.uuid\nCoreLocation\tCLNothing\n"
    let file = try TemporaryFile(Data(text.utf8), suffix: ".txt")
    let reasons = try changed("README.md") { _ in
      "| `CLBeacon.*` | absent |\n| `CLNothing`, `CLNever` | absent |\n"
    }
    let run = try check(lists: reasons.path, names: file.path)
    #expect(run.status == 1)
    #expect(run.errors.contains("README.md:1: `CLBeacon.*` has a reason to be missing, but exists"))
    #expect(run.errors.contains("README.md:2: `CLNever` has a reason to be missing, but exists"))
    #expect(!run.errors.contains("without a reason"))
  }
}
