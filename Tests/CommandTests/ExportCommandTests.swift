import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar export", .timeLimit(.minutes(30)))
struct ExportCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Two seconds of fixes, half a minute without, and one more.
  private func recording(_ rows: [Double] = [0, 1, 2, 40, 41]) throws -> String {
    let lines = rows.map { "\($0),54.\(Int($0) + 10),10.5,3" }
    try folder.write("t,lat,lon,alt\n" + lines.joined(separator: "\n") + "\n", "/a.csv")
    return folder.path + "/a.csv"
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: folder.path + name)), as: UTF8.self)
  }

  @Test("writes a track by the name's end, interrupted where fixes are missing")
  func tracks() throws {
    let input = try recording()
    for name in ["/b.gpx", "/b.kml"] {
      let outcome = try lodestar.run(["export", input, folder.path + name])
      #expect(outcome.status == 0 && outcome.errors.contains("5 points"), "\(outcome.errors)")
      let parsed = try BuiltProgram(at: "/usr/bin/env").run([
        "python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])",
        folder.path + name,
      ])
      #expect(parsed.status == 0, "\(parsed.errors)")
    }
    let gpx = try text("/b.gpx")
    #expect(gpx.components(separatedBy: "<trkpt").count == 6)
    #expect(gpx.components(separatedBy: "<trkseg>").count == 3)
    #expect(gpx.contains("<name>a.csv</name>"))
    let piped = try lodestar.run(["export", input, "-", "--format", "gpx"])
    #expect(piped.text == gpx)
  }

  @Test("writes the samples as a CSV that gives the same estimates, and the estimates as another")
  func tables() throws {
    let input = try recording()
    let copy = folder.path + "/copy.csv"
    #expect(try lodestar.run(["export", input, copy]).status == 0)
    let estimates = try [input, copy].map {
      try lodestar.run(["replay", $0, "--estimates", "-", "--format", "json"]).text
        .split(separator: "\n")
    }
    #expect(estimates[0] == estimates[1] && !estimates[0].isEmpty)
    let table = try lodestar.run(["export", input, "-", "--format", "csv", "--estimates"]).text
    #expect(table.split(separator: "\n").count == 6 && table.hasPrefix("time,t,magnetic_heading,"))
  }

  @Test("refuses what it cannot write, and keeps the recording")
  func refusals() throws {
    let input = try recording()
    let before = try text("/a.csv")
    for (arguments, status, words) in [
      ([input, input], 64, "the output is the recording itself"),
      ([input, folder.path + "/b.xyz"], 64, "ends in .csv, .gpx or .kml"),
      ([input, folder.path + "/b.gpx", "--estimates"], 64, "only a CSV has estimates"),
      ([folder.path + "/none.csv", folder.path + "/b.gpx"], 1, "cannot be read"),
      ([input, folder.path + "/none/b.gpx"], 74, "/none/b.gpx: cannot write"),
    ] {
      let outcome = try lodestar.run(["export"] + arguments)
      #expect(outcome.status == status && outcome.errors.contains(words), "\(outcome.errors)")
    }
    #expect(try text("/a.csv") == before)
    try folder.write("t,pressure\n0,1013\n1,1013\n", "/p.csv")
    let empty = try lodestar.run(["export", folder.path + "/p.csv", folder.path + "/p.gpx"])
    #expect(empty.status == 1 && empty.errors.contains("it has no positions"))
  }

  @Test("long work shows a bar, the rate and the time left at a terminal, and nothing in a pipe")
  func progress() throws {
    // Some seconds of work.
    var lines = ["t,gx,gy,gz,ax,ay,az,mx,my,mz"]
    for index in 0..<400_000 {
      lines.append("\(Double(index) / 100),0.01,0.0\(index % 7),0,0.1,0,9.8,20,\(index % 5),43")
    }
    try folder.write(lines.joined(separator: "\n") + "\n", "/long.csv")
    let command = ["export", folder.path + "/long.csv", folder.path + "/long-2.csv", "--estimates"]
    let shown = try PseudoTerminal.run(
      [lodestar.path] + command, [PseudoTerminal.Step(text: "rows/s, ", keys: "\u{3}")],
      environment: ["TERM": "xterm-256color"])
    #expect(shown.contains("[") && shown.contains(" s left"), "\(shown.suffix(300))")
    try folder.write(lines.prefix(20_000).joined(separator: "\n") + "\n", "/short.csv")
    let piped = try lodestar.run(["export", folder.path + "/short.csv", folder.path + "/c.csv"])
    #expect(!piped.errors.contains("rows/s"))
  }
}
