import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("The time of JSON records", .timeLimit(.minutes(30)))
struct RecordTimeTests {
  private static let recordings =
    SharedData.repository.appendingPathComponent("Examples/Recordings").path

  /// The values of `time`, nil where it is absent, of the objects in a text: one a line, or one
  /// alone.
  private func times(_ data: Data) throws -> [String?] {
    let lines = data.split(separator: UInt8(ascii: "\n"))
    let texts =
      lines.allSatisfy { $0.first == UInt8(ascii: "{") } && lines.count > 1 ? lines : [data]
    return try texts.map { text in
      let object = try #require(try JSONSerialization.jsonObject(with: text) as? [String: Any])
      return try object["time"].map { try #require($0 as? String, "\(object)") }
    }
  }

  private func isTime(_ text: String?) -> Bool {
    text?.wholeMatch(of: /2\d{3}-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-5]\d\.\d{3}Z/) != nil
  }

  @Test("every record of every command has it: ISO 8601, UTC, with a fraction")
  func commands() throws {
    let recordings = Self.recordings
    let folder = try TemporaryFolder()
    let swing = Data((0..<8).map { "\($0 * 45) \($0 * 45 + 2)\n" }.joined().utf8)
    let commands: [[String]] = [
      ["heading", "--simulate", "--count", "3"], ["location", "--simulate", "--count", "1"],
      ["field", "52", "13"], ["field", "52", "13", "--date", "2026.5"],
      ["probe", "--bus", "/dev/i2c-99"], ["calibrate", "fit", "\(recordings)/turn.csv"],
      ["calibrate", "swing"], ["token", "list", "--state", folder.path],
      ["calibrate", "mount", "\(recordings)/turn.csv"],
      ["replay", "\(recordings)/trip.csv", "--date", "2026-07-01"],
      ["replay", "\(recordings)/receiver.log"],
    ]
    for command in commands {
      let run = try lodestar.run(command + ["--format", "json"], input: swing)
      let times = try times(run.output)
      #expect(!times.isEmpty && times.allSatisfy(isTime), "\(command): \(run.text)\(run.errors)")
      // One object a line, for readers of lines.
      for line in run.output.split(separator: UInt8(ascii: "\n")) {
        #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line)) }
      }
    }
  }

  @Test("the progress of a guided calibration has it")
  func guide() throws {
    let program = try RunningProgram(
      lodestar, ["calibrate", "guide", "--simulate", "--format", "json"],
      environment: ["LODESTAR_SOCKET": "none"])
    #expect(eventually { program.output.filter { $0 == "\n" }.count >= 3 }, "\(program.errors)")
    program.end(SIGKILL)
    let whole = program.output.split(separator: "\n").dropLast().joined(separator: "\n")
    #expect(try times(Data(whole.utf8)).allSatisfy(isTime), "\(whole)")
  }

  @Test("an estimate of a recording has the recording's time, and none without one")
  func recording() throws {
    let recordings = Self.recordings
    func estimates(_ arguments: [String]) throws -> [String?] {
      let run = try lodestar.run(["replay"] + arguments + ["--estimates", "-"])
      #expect(run.status == 0, "\(run.errors)")
      return try times(run.output)
    }
    #expect(try estimates(["\(recordings)/trip.csv"]).allSatisfy { $0 == nil })
    let dated = try estimates(["\(recordings)/trip.csv", "--date", "2026-07-01T12:00:00"])
    #expect(dated.allSatisfy { $0?.hasPrefix("2026-07-01T1") == true })
    #expect(dated.first == "2026-07-01T12:00:00.000Z", "\(String(describing: dated.first))")
    let received = try estimates(["\(recordings)/receiver.log"])
    #expect(isTime(received.last ?? nil))
    let field = try lodestar.run(["field", "1", "2", "--date", "2026-07-01", "--format", "json"])
    #expect(try times(field.output) == ["2026-07-01T00:00:00.000Z"])
  }

  @Test("the true state of a simulation has the time of its estimate")
  func truth() throws {
    let file = try TemporaryFile(Data(), suffix: ".jsonl")
    let run = try lodestar.run([
      "heading", "--simulate", "--format", "json", "--truth", file.path, "--count", "5",
    ])
    let truths = try times(Data(contentsOf: URL(fileURLWithPath: file.path)))
    #expect(try times(run.output) == truths && truths.allSatisfy(isTime), "\(truths)")
  }
}
