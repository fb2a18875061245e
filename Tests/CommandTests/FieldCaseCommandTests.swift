import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

/// Cases that people's set-ups produced, through the program; `../shared/data/cases/README.md` says
/// what is right.
@Suite(
  "Cases of the field through the program",
  .enabled(if: SharedData.path("data/cases") != nil, "no reference data"),
  .timeLimit(.minutes(30)))
struct FieldCaseCommandTests {
  private func path(_ name: String) throws -> String {
    try #require(SharedData.path("data/cases/\(name)"))
  }

  @Test("a date moves the receiver's dates to its own period of weeks; without one a line says so")
  func rollover() throws {
    let file = try path("14-rollover/in.nmea")
    let export = FileManager.default.temporaryDirectory
      .appendingPathComponent("rollover-\(UUID().uuidString).gpx").path
    defer { try? FileManager.default.removeItem(atPath: export) }
    for (date, day) in [("2019-11-07", "2019-11-06"), (nil, "2000-03-22")] {
      let option = date.map { ["--date", $0] } ?? []
      let decoded = try lodestar.run(["decode", file] + option)
      let replayed = try lodestar.run(["replay", file, "--estimates", "-"] + option)
      let exported = try lodestar.run(["export", file, export] + option)
      #expect(decoded.status == 0 && decoded.text.contains("\"time\":\"\(day)T20:28:27"))
      #expect(replayed.status == 0 && replayed.text.contains("\"time\":\"\(day)T20:28:27"))
      #expect(exported.status == 0)
      let track = try String(contentsOfFile: export, encoding: .utf8)
      #expect(track.contains("<time>\(day)T20:28:27"))
      let advice = "give --date 2019-11-06"
      for run in [decoded, replayed, exported] {
        #expect(run.errors.contains(advice) == (date == nil), "\(run.errors)")
      }
    }
  }

  @Test("there is no course at rest")
  func courseAtRest() throws {
    let run = try lodestar.run([
      "replay", try path("08-course-at-rest/in.nmea"), "--estimates", "-",
    ])
    #expect(run.status == 0 && run.text.contains("\"speed\":"))
    #expect(!run.text.contains("\"course\""))
  }

  @Test("a log in UTF-16 is read")
  func wideText() throws {
    let file = try path("19-null-fields-right/u16.nmea")
    let decoded = try lodestar.run(["decode", file])
    #expect(decoded.status == 0 && decoded.text.contains("\"class\":\"TPV\""), "\(decoded.errors)")
    #expect(!decoded.errors.contains("cut"), "\(decoded.errors)")
    #expect(try lodestar.run(["replay", file]).status == 0)
  }

  @Test("directions print below 360 degrees, and the longitude of GPX below 180")
  func edges() throws {
    func sentence(_ body: String) -> String {
      let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
      return "$\(body)*" + (sum < 16 ? "0" : "") + String(sum, radix: 16, uppercase: true) + "\r\n"
    }
    let log = try TemporaryFile(
      Data(sentence("GPRMC,120000,A,0000.00000,N,17960.00000,E,10.0,359.96,230726,,,A").utf8),
      suffix: ".nmea")
    let text = try lodestar.run(["decode", log.path, "--format", "text"])
    #expect(text.text.contains("course 0.0°") && text.text.contains(" 180.0000000"), "\(text.text)")
    let gpx = try lodestar.run(["export", log.path, "-", "--format", "gpx"])
    #expect(gpx.text.contains("lon=\"-180.00000000\""), "\(gpx.text) \(gpx.errors)")
  }
}
