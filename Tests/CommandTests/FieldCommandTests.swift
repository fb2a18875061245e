import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar field", .timeLimit(.minutes(30)))
struct FieldCommandTests {
  @Test("negative coordinates need no separator, and JSON has all elements")
  func negative() throws {
    let run = try lodestar.run(
      ["field", "-33.9", "151.2", "--altitude", "-20", "--date", "2026.5", "--format", "json"])
    #expect(run.status == 0, "\(run.errors)")
    let object = try #require(
      try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
    for key in ["D", "I", "H", "X", "Y", "Z", "F", "dD", "dI", "dH", "dX", "dY", "dZ", "dF"] {
      #expect(object[key] is Double, "\(key)")
    }
    #expect(abs((object["D"] as? Double ?? 0) - 12.8) < 0.2)
  }

  @Test("a date may be given in ISO 8601")
  func isoDate() throws {
    let a = try lodestar.run(["field", "10", "20", "--date", "2026-07-02T12:00:00Z"])
    let b = try lodestar.run(["field", "10", "20", "--date", "2026.5"])
    #expect(a.status == 0 && a.text == b.text)
  }

  @Test(
    "the official test values are reproduced to 0.01 nT and the printed angles",
    .enabled(if: SharedData.path("data/wmm") != nil, "the reference data is absent"),
    arguments: ["WMM2025", "WMMHR2025"])
  func officialBatch(model: String) throws {
    let path = try #require(SharedData.path("data/wmm/\(model)_TEST_VALUES.txt"))
    let rows = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
      .filter { !$0.hasPrefix("#") }.map { $0.split(separator: " ").compactMap { Double($0) } }
    let places = rows.map { "\($0[0]) \($0[1]) \($0[2]) \($0[3])\n" }.joined()
    let file = try TemporaryFile(Data(places.utf8), suffix: ".txt")
    var arguments = ["field", "--batch", file.path]
    if model != "WMM2025" {
      arguments += ["--model", try #require(SharedData.path("data/wmm/\(model).COF"))]
    }
    let run = try lodestar.run(arguments)
    #expect(run.status == 0)
    let lines = run.text.split(separator: "\n")
    #expect(lines.first == "D,I,H,X,Y,Z,F,dD,dI,dH,dX,dY,dZ,dF")
    #expect(lines.count == rows.count + 1)
    for (line, row) in zip(lines.dropFirst(), rows) {
      let values = line.split(separator: ",").compactMap { Double($0) }
      for (i, value) in values.enumerated() {
        let isAngle = i < 2
        #expect(abs(value - row[4 + i]) <= (isAngle ? 0.005001 : 0.01))
      }
    }
  }

  @Test("a date outside the model's validity gives a warning, in text, JSON and batch")
  func warning() throws {
    let text = try lodestar.run(["field", "50", "10", "--date", "2031"])
    #expect(text.status == 0 && text.errors.contains("2025.0 to 2030.0"))
    let json = try lodestar.run(["field", "50", "10", "--date", "2024.9", "--format", "json"])
    #expect(json.text.contains("\"warnings\""))
    let file = try TemporaryFile(Data("2040 0 50 10\n2041 0 50 10\n".utf8), suffix: ".txt")
    let batch = try lodestar.run(["field", "--batch", file.path])
    #expect(batch.status == 0 && batch.errorLines.count == 1)
  }

  @Test(
    "an invalid request ends with an error and a status",
    arguments: [
      (["field", "90.5", "0"], 1, "latitude 90.5"), (["field", "x", "0"], 64, "x"),
      (["field", "10"], 64, "LAT and LON"), (["field", "--batch", "/nowhere"], 1, "/nowhere"),
      (["field", "1", "2", "--model", "/nowhere"], 1, "/nowhere"),
      (["field", "1", "2", "--date", "soon"], 64, "soon"),
    ])
  func errors(arguments: [String], status: Int32, text: String) throws {
    let run = try lodestar.run(arguments)
    #expect(run.exited && run.status == status)
    #expect(run.output.isEmpty && run.errors.contains(text), "\(run.errors)")
  }

  @Test(
    "a file without an end is refused at its limit",
    arguments: [
      (["field", "1", "2", "--model", "/dev/zero"], "/dev/zero: cannot be read: larger than"),
      (["field", "--batch", "/dev/zero"], "/dev/zero:1: a line of more than 65536 bytes"),
      (
        ["heading", "--simulate", "--count", "1", "--board", "/dev/zero"],
        "larger than 1048576 bytes"
      ),
      (["serve", "--config", "/dev/zero"], "larger than 1048576 bytes"),
      (["calibrate", "swing", "/dev/zero"], "larger than 1048576 bytes"),
    ])
  func endless(arguments: [String], text: String) throws {
    let run = try lodestar.run(arguments)
    #expect(run.exited && run.status != 0 && run.errorLines.count == 1)
    #expect(run.errors.contains(text), "\(run.errors)")
  }

  @Test("a batch writes the lines before an error")
  func batchFault() throws {
    for (line, text) in [
      ("2026 0 95 0", "latitude 95"), ("2026 0 x 0", "column lat"), ("2026 0 5", "3 values"),
    ] {
      let file = try TemporaryFile(Data("2026 0 50 10\n\(line)\n2026 0 1 1\n".utf8), suffix: ".txt")
      let run = try lodestar.run(["field", "--batch", file.path])
      #expect(run.status == 1 && run.errorLines.count == 1)
      #expect(run.errors.contains("\(file.path):2") && run.errors.contains(text), "\(run.errors)")
      #expect(run.text.split(separator: "\n").count == 2)
    }
  }
}
