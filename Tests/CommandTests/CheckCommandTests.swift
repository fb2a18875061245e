import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar check", .timeLimit(.minutes(15)))
struct CheckCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> BuiltProgram.Outcome {
    try lodestar.run(
      ["check", "--folder", folder.path] + arguments, environment: ["LODESTAR_SOCKET": "none"])
  }

  @Test("the simulated board passes; its files are written, without a position in the report")
  func passes() throws {
    let outcome = try run("--simulate", "--format", "json")
    #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.allSatisfy { $0.contains("\"simulated\":true") })
    #expect(lines.last?.contains("\"pass\":true") == true)
    let report = try String(contentsOfFile: folder.path + "/board-report.txt", encoding: .utf8)
    #expect(report.contains("SIMULATED") && report.contains("result: pass"))
    #expect(report.contains("MPU-9250 at 0x68"))
    // The scenario's place.
    #expect(!report.contains("52.3") && !report.contains("13.0"), "\(report)")
    let replay = try lodestar.run(["replay", folder.path + "/check.mcap"])
    #expect((replay.text + replay.errors).contains("all equal to the last bit"))
  }

  @Test("a fault is named, and the exit status shows it")
  func fault() throws {
    let outcome = try run("--simulate", "--inject", "magnet-on-board")
    #expect(outcome.status == 1)
    #expect(outcome.text.contains("SIMULATED  1 finding"))
    #expect(outcome.text.contains("1. magnet-on-board: AK8963"), "\(outcome.text)")
    #expect(outcome.text.contains("to do: "))
  }

  @Test("a check that ends early does not pass")
  func early() throws {
    let outcome = try run("--simulate", "--duration", "20", "--format", "json")
    #expect(outcome.status == 1)
    #expect(outcome.text.contains("\"kind\":\"incomplete\""), "\(outcome.text)")
  }

  @Test("wrong options, existing files and a missing folder are refused")
  func refused() throws {
    #expect(try run("--inject", "bus-errors").status == 64)
    #expect(try run("--simulate", "--inject", "no-such-fault").status == 64)
    try Data().write(to: URL(fileURLWithPath: folder.path + "/check.mcap"))
    let exists = try run("--simulate")
    #expect(exists.status == 74 && exists.errors.contains("--force"), "\(exists.errors)")
    let missing = try lodestar.run(["check", "--simulate", "--folder", folder.path + "/none"])
    #expect(missing.status == 74 && missing.errors.contains("does not exist"), "\(missing.errors)")
  }
}
