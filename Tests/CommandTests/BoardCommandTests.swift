import Foundation
import TestSupport
import Testing

/// `lodestar probe`, and boards at the command line.
@Suite("Boards and buses at the command line", .timeLimit(.minutes(30)))
struct BoardCommandTests {
  private let lodestar = BuiltProgram("lodestar")

  private func boardFile(_ text: String) throws -> TemporaryFile {
    try TemporaryFile(Data(text.utf8), suffix: ".yaml")
  }

  @Test("a missing bus is reported by name, with status 71")
  func missingBus() throws {
    let probe = try lodestar.run(["probe", "--bus", "i2c-99"])
    #expect(probe.status == 71)
    #expect(probe.errors.contains("/dev/i2c-99: no such device"))
    let file = try boardFile("board: B\nsensors:\n  - {chip: BMP280, bus: i2c-99}\n")
    let heading = try lodestar.run(["heading", "--board", file.path, "--count", "1"])
    #expect(heading.status == 71)
    #expect(heading.errors.contains("/dev/i2c-99: no such device"))
    #expect(heading.output.isEmpty)
  }

  @Test("probe --format json writes one object in every case")
  func json() throws {
    struct Report: Decodable {
      struct Bus: Decodable { var bus: String, fault: String?, devices: [[String: String]] }
      var buses: [Bus]
    }
    let probe = try lodestar.run(["probe", "--bus", "/dev/i2c-99", "--format", "json"])
    let report = try JSONDecoder().decode(Report.self, from: probe.output)
    #expect(report.buses.map(\.bus) == ["/dev/i2c-99"])
    #expect(report.buses.first?.fault?.contains("no such device") == true)
  }

  @Test("an invalid board file is refused with its line, status 1")
  func badFile() throws {
    let file = try boardFile("board: B\nsensors:\n  - {chip: BMP820}\n")
    let outcome = try lodestar.run(["heading", "--simulate", "--board", file.path, "--count", "1"])
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains(":3:12: unknown chip 'BMP820'"))
  }

  @Test("--truth writes the true state of each estimate of a simulated board")
  func truth() throws {
    struct Line: Decodable { var t: Double, magneticHeading: Double }
    let board = SharedData.repository.appendingPathComponent("Boards/gy-91.yaml").path
    let truths = try TemporaryFile(Data(), suffix: ".jsonl")
    let outcome = try lodestar.run([
      "heading", "--simulate", "--board", board, "--format", "json", "--truth", truths.path,
      "--rate", "20", "--count", "30",
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    func lines(_ data: Data) throws -> [Line] {
      try data.split(separator: UInt8(ascii: "\n")).map {
        try JSONDecoder().decode(Line.self, from: $0)
      }
    }
    let estimates = try lines(outcome.output)
    let real = try lines(try Data(contentsOf: URL(fileURLWithPath: truths.path)))
    #expect(estimates.count == 30 && real.map(\.t) == estimates.map(\.t))
    #expect(try lodestar.run(["heading", "--truth", truths.path]).status == 64)
  }
}
