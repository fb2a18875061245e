import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar check", .timeLimit(.minutes(30)))
struct CheckCommandTests {
  private let folder: TemporaryFolder

  /// The folder of the files, which the command makes.
  private var place: String { folder.path + "/new/check" }

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> BuiltProgram.Outcome {
    try lodestar.run(
      ["check", "--folder", place] + arguments, environment: ["LODESTAR_SOCKET": "none"])
  }

  @Test("the simulated board passes; its files are written, without a position in the report")
  func passes() throws {
    let outcome = try run("--simulate", "--format", "json")
    #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 5)
    #expect(lines.allSatisfy { $0.contains("\"simulated\":true") })
    #expect(lines.last?.contains("\"pass\":true") == true)
    let report = try String(contentsOfFile: place + "/board-report.txt", encoding: .utf8)
    #expect(report.contains("SIMULATED") && report.contains("result: pass"))
    #expect(report.contains("MPU-9250 at 0x68"))
    // The scenario's place.
    #expect(!report.contains("52.3") && !report.contains("13.0"), "\(report)")
    let replay = try lodestar.run(["replay", place + "/check.mcap"])
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

  @Test("a recording is judged without prompts and without files; its findings are the exit status")
  func recording() throws {
    #expect(try run("--simulate").status == 0)
    let check = place + "/check.mcap"
    let passed = try lodestar.run(["check", "--replay", check])
    #expect(passed.status == 0, "\(passed.text) \(passed.errors)")
    #expect(
      passed.text.contains("SIMULATED  no finding in what the recording shows"), "\(passed.text)")
    #expect(passed.text.contains("tilt: shown") && !passed.text.contains("wrote"))
    #expect(try run("--simulate", "--inject", "inverted-axis", "--force").status == 1)
    let mirrored = try lodestar.run(["check", "--replay", check, "--format", "json"])
    #expect(mirrored.status == 1)
    #expect(mirrored.text.contains("\"kind\":\"inverted-axis\""), "\(mirrored.text)")
    #expect(mirrored.text.contains("\"recording\":true"))
    #expect(mirrored.text.split(separator: "\n").count == 5)
  }

  @Test("a sensor CSV is judged: what it does not contain is not shown")
  func table() throws {
    var text = "t,gx,gy,gz,ax,ay,az\n"
    for n in 0..<2000 {
      // Digits that differ, as those of a sensor.
      let noise = Double((n * 7919) % 101) / 1e4
      text +=
        "\(Double(n) / 100),\(noise),\(-noise),0.00\(n % 7),\(noise),0.0\(n % 5),\(9.8 + noise)\n"
    }
    let file = folder.path + "/still.csv"
    try Data(text.utf8).write(to: URL(fileURLWithPath: file))
    let outcome = try lodestar.run(["check", "--replay", file])
    #expect(outcome.status == 0, "\(outcome.text) \(outcome.errors)")
    #expect(outcome.text.contains("still: shown"))
    #expect(outcome.text.contains("turn: not shown by this recording"), "\(outcome.text)")
    #expect(outcome.text.contains("the magnetometer"))
  }

  @Test("a file that is no recording gives one line with the reason")
  func badRecording() throws {
    let bad = folder.path + "/bad.csv"
    try Data("these,are\nno,samples\n".utf8).write(to: URL(fileURLWithPath: bad))
    for path in [bad, place + "/none.mcap"] {
      let outcome = try lodestar.run(["check", "--replay", path])
      #expect(outcome.status == 1 && outcome.output.isEmpty, "\(outcome.text)")
      #expect(outcome.errorLines.count == 1 && outcome.errors.contains(path), "\(outcome.errors)")
    }
    #expect(try lodestar.run(["check", "--simulate", "--replay", bad]).status == 64)
  }

  @Test("a check that ends early does not pass")
  func early() throws {
    let outcome = try run("--simulate", "--duration", "20", "--format", "json")
    #expect(outcome.status == 1)
    #expect(outcome.text.contains("\"kind\":\"incomplete\""), "\(outcome.text)")
  }

  @Test("wrong options, existing files and an impossible folder are refused")
  func refused() throws {
    #expect(try run("--inject", "bus-errors").status == 64)
    #expect(try run("--simulate", "--inject", "no-such-fault").status == 64)
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: place + "/check.mcap"))
    let exists = try run("--simulate")
    #expect(exists.status == 74 && exists.errors.contains("--force"), "\(exists.errors)")
    let file = try lodestar.run(["check", "--simulate", "--folder", place + "/check.mcap/none"])
    #expect(file.status == 74 && file.errors.contains("cannot create the folder"), "\(file.errors)")
  }
}
