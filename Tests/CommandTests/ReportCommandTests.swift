import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar report", .timeLimit(.minutes(30)))
struct ReportCommandTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A board that lies still for 10 s and then turns by a quarter: 20 s at 50 samples a second.
  private static func rows(_ count: Int = 1000) -> String {
    var text = "t,gx,gy,gz,ax,ay,az,mx,my,mz\n"
    for k in 0..<count {
      let time = Double(k) / 50
      let heading = max(0, time - 10) * 9 * Double.pi / 180
      // Clockwise from above: a negative rate about the axis that points up.
      let rate = time > 10 ? -9 * Double.pi / 180 : 0
      // x forward, y left: the field's north turns to the left.
      let (x, y) = (20 * cos(heading), 20 * sin(heading))
      text += "\(time),0,0,\(rate),0,0,9.81,\(x),\(y),-45\n"
    }
    return text
  }

  private func run(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> BuiltProgram.Outcome {
    try lodestar.run(["report"] + arguments, environment: environment)
  }

  private func read(_ file: String) throws -> String {
    try String(contentsOfFile: folder.path + file, encoding: .utf8)
  }

  private struct Figures: Decodable {
    struct Plot: Decodable {
      var name: String
      var drawn: Bool
      var sentence: String
      var figures: [String: Double]
    }
    var input: String
    var plots: [Plot]

    func plot(_ name: String) -> Plot? { plots.first { $0.name == name } }
  }

  private func figures(_ arguments: [String]) throws -> Figures {
    let outcome = try run(arguments + ["--format", "json"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return try JSONDecoder().decode(Figures.self, from: outcome.output)
  }

  @Test("a recording's page lies beside it, is replaced, and has no script and no outside resource")
  func page() throws {
    try folder.write(Self.rows(), "/a.csv")
    for _ in 0..<2 {
      let outcome = try run([folder.path + "/a.csv", "--calibration", "assumed"])
      #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome.errors)")
      #expect(outcome.errors.contains("a.html"))
    }
    let page = try read("/a.html")
    for word in ["<script", "http://", "https://", "src=", "href=", "@import"] {
      #expect(!page.contains(word), "\(word)")
    }
    #expect(page.matches(of: /<svg\b/).count >= 6)
    #expect(page.contains("The fastest turn was 9.0°/s to the right"))
    // No place: no model, and no course.
    #expect(page.contains("is not known without a place and a date"))
    #expect(try read("/a.csv") == Self.rows())
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == ["a.csv", "a.html"])
  }

  @Test("the figures are those of the motion")
  func json() throws {
    try folder.write(Self.rows(), "/a.csv")
    let found = try figures([folder.path + "/a.csv", "--calibration", "assumed"])
    #expect(found.input == "a.csv")
    #expect(found.plots.count == 10)
    let heading = try #require(found.plot("heading"))
    #expect(abs((heading.figures["span_deg"] ?? 0) - 90) < 2, "\(heading)")
    let sensors = try #require(found.plot("sensors"))
    #expect(abs((sensors.figures["inertialRate_Hz"] ?? 0) - 50) < 0.1)
    #expect(found.plot("altitude")?.drawn == false)
    #expect(found.plot("altitude")?.sentence.contains("neither a barometer") == true)
    let one = try figures([folder.path + "/a.csv", "--plot", "turn"])
    #expect(one.plots.map(\.name) == ["turn"])
  }

  @Test("the output is never the input, and no other file is replaced by a default name")
  func refused() throws {
    try folder.write(Self.rows(60), "/a.csv")
    let path = folder.path + "/a.csv"
    for output in [path, folder.path + "/./a.csv"] {
      let outcome = try run([path, "-o", output])
      #expect(
        outcome.status == 64 && outcome.errors.contains("the input itself"), "\(outcome.errors)")
    }
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/link.html", withDestinationPath: path)
    #expect(try run([path, "-o", folder.path + "/link.html"]).status == 64)
    #expect(try read("/a.csv") == Self.rows(60))
    try folder.write("<p>my page</p>", "/a.html")
    let other = try run([path])
    #expect(other.status == 74 && other.errors.contains("-o"), "\(other.errors)")
    #expect(try read("/a.html") == "<p>my page</p>")
    #expect(try run([path, "-o", folder.path + "/a.html"]).status == 0)
    #expect(try read("/a.html").hasPrefix("<!DOCTYPE html>"))
    let missing = try run([path, "-o", folder.path + "/none/a.html"])
    #expect(missing.status == 74, "\(missing.errors)")
  }

  @Test("a bad input is an error, and what came before a fault is in the report")
  func badInput() throws {
    let missing = try run([folder.path + "/none.csv"])
    #expect(missing.status == 1 && missing.errorLines.count == 1, "\(missing.errors)")
    try folder.write("t,gx\n", "/half.csv")
    #expect(try run([folder.path + "/half.csv"]).status == 1)
    try folder.write("t,gx,gy,gz\n", "/empty.csv")
    let empty = try run([folder.path + "/empty.csv"])
    #expect(empty.status == 1 && empty.errors.contains("nothing to report"), "\(empty.errors)")
    try folder.write("{\"softIron\": 3}", "/bad.json")
    #expect(try run([folder.path + "/bad.json"]).status == 1)
    try folder.write("no receiver", "/noise.log")
    #expect(try run([folder.path + "/noise.log"]).status == 1)
    for name in ["none", "half", "empty", "bad", "noise"] {
      #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/\(name).html"), "\(name)")
    }
    try folder.write(Self.rows(500) + "11,zero,0,0,0,0,9.81,20,0,-45\n", "/cut.csv")
    let cut = try run([folder.path + "/cut.csv"])
    #expect(cut.status == 1 && cut.errors.contains("cut.csv:502"), "\(cut.errors)")
    #expect(try read("/cut.html").contains("The report ends at a fault of the file"))
  }

  @Test(
    "contradictory options are usage errors",
    arguments: [
      ["a.csv", "--simulate"], ["a.csv", "--duration", "5"], ["--duration", "0", "--simulate"],
      ["a.csv", "--format", "png"], ["a.csv", "--plot", "turn", "--format", "html"],
      ["a.csv", "--plot", "none"], ["--replay", "a.csv"], ["cal.json", "--plot", "turn"],
      ["cal.json", "--qnh", "1000"],
    ])
  func usage(arguments: [String]) throws {
    try folder.write(Self.rows(60), "/a.csv")
    try folder.write(Self.calibration, "/cal.json")
    let paths = arguments.map { $0.contains(".") ? "\(folder.path)/\($0)" : $0 }
    let outcome = try run(paths)
    #expect(outcome.status == 64, "\(outcome.errors)")
  }

  @Test(
    "one plot is an SVG file, or a picture by rsvg-convert, whose package is named where it is missing"
  )
  func plot() throws {
    try folder.write(Self.rows(), "/a.csv")
    let path = folder.path + "/a.csv"
    let svg = try run([path, "--plot", "turn"])
    #expect(svg.status == 0 && svg.errors.contains("The fastest turn was"), "\(svg.errors)")
    #expect(try read("/a-turn.svg").hasPrefix("<svg "))
    let leftOut = try run([path, "--plot", "altitude"])
    #expect(leftOut.status == 1 && leftOut.errors.contains("neither a barometer"))
    let absent = try run(
      [path, "--plot", "turn", "--format", "png"], environment: ["PATH": folder.path])
    #expect(absent.status == 69 && absent.errors.contains("librsvg2-bin"), "\(absent.errors)")
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/a-turn.png"))
    guard BuiltProgram.installed("rsvg-convert") != nil else { return }
    let png = try run([path, "--plot", "turn", "--format", "png", "-o", "-"])
    #expect(png.status == 0 && Array(png.output.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
    #expect(png.output.count > 5000)
  }

  private static let calibration = """
    {"softIron": [[1,0,0],[0,1,0],[0,0,1]], "hardIron": [3,4,0], "quality": "good", "coverage": 0.8,
     "residual_uT": 0.4, "predictedHeadingError_deg": 1.5}
    """

  @Test("a calibration has its figures")
  func calibrationFile() throws {
    try folder.write(Self.calibration, "/cal.json")
    let found = try figures([folder.path + "/cal.json"])
    #expect(found.plots.map(\.name) == ["sphere", "prediction", "calibration"])
    #expect(found.plot("sphere")?.figures["offset_uT"] == 5)
    #expect(found.plot("prediction")?.sentence.contains("1.5°") == true)
    #expect(try run([folder.path + "/cal.json"]).status == 0)
    #expect(try read("/cal.html").contains("removes an offset of 5.0 µT"))
  }

  @Test(
    "a live source is labelled as simulated, and its recording gives the same report as its replay")
  func live() throws {
    let out = folder.path + "/live.html"
    let live = try run(["--simulate", "--duration", "2", "-o", out])
    #expect(live.status == 0, "\(live.errors)")
    #expect(try read("/live.html").contains("SIMULATED"))
    let mcap = folder.path + "/a.mcap"
    let recorded = try lodestar.run(["record", "--simulate", "--duration", "2", mcap])
    #expect(recorded.status == 0, "\(recorded.errors)")
    let first = try run([mcap, "--format", "json"])
    #expect(first.status == 0 && first.text.contains("\"simulated\":true"), "\(first.errors)")
    #expect(try run([mcap, "--format", "json"]).output == first.output)
  }
}
