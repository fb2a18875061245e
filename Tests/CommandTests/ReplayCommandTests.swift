import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar replay", .timeLimit(.minutes(30)))
struct ReplayCommandTests {
  private static let good = """
    t,gx,gy,gz,ax,ay,az,mx,my,mz
    0,0,0,0,0,0,9.81,0,18,-45
    0.01,0,0,0,0,0,9.81,0,18,-45
    0.02,0,0,0,0,0,9.81,0,18,-45

    """

  private func replay(_ text: String, _ more: [String] = []) throws -> BuiltProgram.Outcome {
    let file = try TemporaryFile(Data(text.utf8), suffix: ".csv")
    return try lodestar.run(["replay", file.path] + more)
  }

  @Test("the attitude rotates sensor vectors to east-north-up: one row for each inertial sample")
  func attitude() throws {
    // The sensor's y axis points to magnetic north and z up: the identity.
    let run = try replay(Self.good, ["--attitude", "-", "--calibration", "assumed"])
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.text.split(separator: "\n")
    #expect(lines.first == "w,x,y,z,heading_accuracy_deg" && lines.count == 4)
    let last = try #require(lines.last).split(separator: ",").compactMap { Double($0) }
    #expect(abs(abs(last[0]) - 1) < 1e-4)
    #expect(last[4] > 0)
  }

  @Test("without a calibration the accuracy is -1 and the JSON has no such key")
  func uncalibrated() throws {
    let csv = try replay(Self.good, ["--attitude", "-"])
    #expect(csv.text.split(separator: "\n").last?.hasSuffix(",-1.000") == true)
    let json = try replay(Self.good, ["--estimates", "-"])
    let line = try #require(json.text.split(separator: "\n").last)
    #expect(!line.contains("headingAccuracy") && line.contains("\"calibration\":\"uncalibrated\""))
  }

  @Test("the mount rotates the heading")
  func mount() throws {
    // x forward, y left, z up: y at north means that the bow points east.
    let standard = try replay(Self.good, ["--estimates", "-"])
    #expect(standard.text.contains("\"magneticHeading\":90.0"))
    let other = try replay(Self.good, ["--estimates", "-", "--mount", "right,forward,up"])
    #expect(
      other.text.contains("\"magneticHeading\":0.0")
        || other.text.contains("\"magneticHeading\":359.9"))
    #expect(try replay(Self.good, ["--mount", "left,forward,up"]).status == 64)
  }

  @Test(
    "an error ends the replay with one line and status 1, and the output before it is complete",
    arguments: [
      ("0.03,0,0,x,0,0,9.81,0,18,-45\n", "column gz"),
      ("0.03,0,0,nan,0,0,9.81,0,18,-45\n", "column gz"),
      ("0.01,0,0,0,0,0,9.81,0,18,-45\n", "time goes back"),
      ("0.03,0,0,0,0,0,9.81,0,1", "ends inside this line"),
      ("0.03,0\n", "2 cells"),
    ])
  func faults(line: String, text: String) throws {
    let run = try replay(Self.good + line, ["--attitude", "-"])
    #expect(run.exited && run.status == 1)
    #expect(run.text.split(separator: "\n").count == 4)
    #expect(run.errorLines.count == 1 && run.errors.contains(".csv:5"))
    #expect(run.errors.contains(text) && run.errors.contains("expected"), "\(run.errors)")
  }

  @Test(
    "invalid inputs are reported in one line each",
    arguments: [("", ".csv", 1), ("t,gx,gy\n", ".csv", 1), ("x\n", ".mcap", 1)])
  func notInputs(content: String, suffix: String, status: Int32) throws {
    let file = try TemporaryFile(Data(content.utf8), suffix: suffix)
    let run = try lodestar.run(["replay", file.path])
    #expect(run.status == status && run.errorLines.count == 1, "\(run.errors)")
    #expect(run.errors.contains(file.path))
  }

  @Test("bytes without one receiver message are counted, reported, and end with status 1")
  func noise() throws {
    var generator = SeededGenerator(seed: 5)
    let noise = Data((0..<20_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    for bytes in [Data(), noise] {
      let file = try TemporaryFile(bytes, suffix: ".log")
      let run = try lodestar.run(["replay", file.path, "--estimates", "/dev/null"])
      #expect(run.exited && run.status == 1)
      #expect(run.errorLines.count == 1 && run.errors.contains("no receiver message"))
    }
  }

  @Test("a recording is never overwritten by its own replay")
  func overItself() throws {
    let file = try TemporaryFile(Data(Self.good.utf8), suffix: ".csv")
    let run = try lodestar.run(["replay", file.path, "--estimates", file.path])
    #expect(run.status == 64 && run.errors.contains("recording itself"))
    #expect(try String(contentsOfFile: file.path, encoding: .utf8) == Self.good)
  }

  @Test("a missing file and an output that cannot be written are named")
  func files() throws {
    let missing = try lodestar.run(["replay", "/nowhere.csv"])
    #expect(missing.status == 1 && missing.errors.contains("/nowhere.csv"))
    let full = try replay(Self.good, ["--attitude", "/dev/full"])
    #expect(full.status == 74 && full.errors.contains("/dev/full"), "\(full.errors)")
    let folder = try replay(Self.good, ["--estimates", "/nowhere/x.jsonl"])
    #expect(folder.status == 74 && folder.errors.contains("/nowhere/x.jsonl"))
    let board = try replay(Self.good, ["--board", "/nowhere.yaml"])
    #expect(board.status == 71 && board.errors.contains("/nowhere.yaml"))
    let calibration = try replay(Self.good, ["--calibration", "/nowhere.json"])
    #expect(calibration.status == 1 && calibration.errors.contains("/nowhere.json"))
  }

  @Test(
    "repeated replays of a recording give the same bytes",
    .enabled(if: SharedData.path("data/broad") != nil, "the reference data is absent"))
  func deterministic() throws {
    let trial = try #require(SharedData.path("data/broad/16_undisturbed_fast_translation_B.bin"))
    let csv = try TemporaryFile(Data(), suffix: ".csv")
    try Python.run(try #require(SharedData.path("tools/trial.py")), [trial, csv.path])
    let runs = try (0..<2).map { _ in
      try lodestar.run(["replay", csv.path, "--estimates", "-", "--calibration", "assumed"]).output
    }
    #expect(runs[0].count > 1_000_000 && runs[0] == runs[1])
  }

  @Test(
    "every split of the receiver bytes gives the same estimates",
    .enabled(if: SharedData.path("data/gnss") != nil, "the reference data is absent"))
  func receiverReplay() throws {
    let log = try #require(SharedData.path("data/gnss/bt451.log"))
    let whole = try lodestar.run(["replay", log, "--estimates", "-"])
    #expect(whole.status == 0 && whole.text.contains("\"latitude\""))
    let again = try lodestar.run(["replay", log, "--estimates", "-"])
    #expect(whole.output == again.output)
  }

  @Test(
    "a phone's recording of a drive gives altitude, position and true heading",
    .enabled(if: SharedData.path("data/drives") != nil, "the reference data is absent"))
  func drive() throws {
    let drive = try #require(SharedData.path("data/drives/2023-08-09_16-37-41.csv"))
    let csv = try TemporaryFile(Data(), suffix: ".csv")
    try Python.run(try #require(SharedData.path("tools/drive.py")), [drive, csv.path])
    let board = SharedData.repository.appendingPathComponent("Boards/phone.yaml").path
    let run = try lodestar.run(
      ["replay", csv.path, "--board", board, "--date", "2023-08-09", "--estimates", "-"])
    #expect(run.status == 0, "\(run.errors)")
    // The drive is of 2023, the model of 2025: a warning is required.
    #expect(run.errorLines.count == 1 && run.errors.contains("2025.0 to 2030.0"))
    let last = try #require(run.text.split(separator: "\n").last)
    for key in ["latitude", "altitude", "trueHeading", "verticalSpeed", "speed"] {
      #expect(last.contains("\"\(key)\":"), "\(key)")
    }
  }

  @Test(
    "heading error on the recorded trials is below that of VQF, as recorded and with the field turned",
    .enabled(if: SharedData.path("data/broad") != nil, "the reference data is absent"),
    // Each uses all cores.
    .serialized,
    arguments: ["0=1.5", "90=2.2", "180=2.1", "270=2.4"])
  func trials(limit: String) throws {
    let script = SharedData.repository.appendingPathComponent("Scripts/heading-trials").path
    let turn = String(limit.prefix { $0 != "=" })
    try Python.run(
      script,
      [
        BuiltProgram("lodestar").path, try #require(SharedData.directory), "--turns", turn,
        "--limit", limit,
      ])
  }
}
