import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar heading, location and decode")
struct StreamCommandTests {
  @Test(
    "without a sensor heading and location end with status 69 and say what to do",
    .enabled(if: AttachedHardware.isAbsent, "this machine has a bus or a receiver"))
  func noSensor() throws {
    for command in ["heading", "location"] {
      let run = try lodestar.run([command])
      #expect(run.exited && run.status == 69 && run.output.isEmpty)
      #expect(run.errorLines.count == 1)
      #expect(run.errors.contains("--replay") && run.errors.contains("--simulate"))
    }
  }

  @Test("the simulated board is labelled in every format")
  func simulated() throws {
    let text = try lodestar.run(["heading", "--simulate", "--count", "2"])
    #expect(text.status == 0)
    let lines = text.text.split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("SIMULATED") })
    let json = try lodestar.run(["heading", "--simulate", "--count", "2", "--format", "json"])
    for line in json.text.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["simulated"] as? Bool == true)
      #expect(object?["magneticHeading"] is Double)
    }
    let nmea = try lodestar.run(["location", "--simulate", "--count", "1", "--format", "nmea"])
    #expect(nmea.text.contains("GGA,"))
    let gga = try #require(nmea.text.split(separator: "\r\n").first { $0.contains("GGA") })
    #expect(gga.split(separator: ",", omittingEmptySubsequences: false)[6] == "8")
  }

  @Test("a rate of estimates a second is kept")
  func rate() throws {
    let run = try lodestar.run(
      ["heading", "--simulate", "--count", "4", "--rate", "20", "--format", "json"])
    let times = try run.text.split(separator: "\n").map { line -> Double in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["t"] as? Double ?? .nan
    }
    for (a, b) in zip(times, times.dropFirst()) { #expect(b - a >= 0.045) }
  }

  @Test("options that cannot be meant are refused with status 64")
  func usage() throws {
    for arguments in [
      ["heading", "--simulate", "--replay", "x.csv"], ["heading", "--rate", "0"],
      ["heading", "--count", "-1"], ["heading", "--format", "xml"], ["heading", "--qnh", "5"],
      ["sail"],
    ] {
      let run = try lodestar.run(arguments)
      #expect(run.status == 64, "\(arguments): \(run.status) \(run.errors)")
    }
  }

  @Test("a replay that ends ends the stream; its fault is told")
  func replayed() throws {
    let file = try TemporaryFile(
      Data("t,mx,my,mz\n0,0,18,-45\n0.1,0,18,-45\n0.2,0,oops,-45\n".utf8), suffix: ".csv")
    let run = try lodestar.run(["heading", "--replay", file.path])
    #expect(run.status == 1 && run.errors.contains(":4"))
    #expect(run.text.split(separator: "\n").count == 2)
  }

  @Test("decode writes gpsd's objects and counts what it skips")
  func decode() throws {
    let bytes = Data("noise\u{1}$GPGGA,bad*00\r\n$HCHDG,101.1,7.1,W,13.2,E*67\r\n".utf8)
    let run = try lodestar.run(["decode", "-"], input: bytes)
    #expect(run.status == 0)
    #expect(run.text.contains("\"class\":\"ATT\"") && run.text.contains("\"mheading\":94.000"))
    #expect(run.text.contains("\"heading\":107.200"))
    #expect(run.errorLines.count == 1 && run.errors.contains("1 rejected"))
    #expect(try lodestar.run(["decode", "/nowhere.log"]).status == 1)
    #expect(try lodestar.run(["decode"]).status == 0)
  }

  @Test("unchanged iOS code runs on the simulated board, and ends where there is none")
  func example() throws {
    let example = BuiltProgram("CompassExample")
    let run = try example.run(["3"], environment: ["LODESTAR_SOURCE": "simulate"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.split(separator: "\n").count >= 3)
    let none = try example.run(["3"], environment: ["LODESTAR_SOURCE": ""])
    #expect(none.exited && none.status == 1)
  }
}
