import Foundation
import LinuxIO
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar heading, location and decode", .timeLimit(.minutes(30)))
struct StreamCommandTests {
  @Test("a program with CoreLocation is not ended by a standard error that takes no bytes")
  func fullStandardError() throws {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: BuiltProgram("CompassExample").path)
    process.environment = ProcessInfo.processInfo.environment
      .merging(["LODESTAR_SOURCE": "nonsense", "LODESTAR_SOCKET": "none"]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: "/dev/full"))
    try process.start()
    // The example ends with status 1 after the error of its source.
    #expect(eventually { !process.isRunning })
    process.waitOrKill()
    #expect(process.terminationReason == .exit && process.terminationStatus == 1)
  }

  @Test(
    "without a sensor heading and location end with status 69 and a remedy",
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
    let nmea = try lodestar.run(["location", "--simulate", "--count", "6", "--format", "nmea"])
    #expect(nmea.text.contains("GGA,"))
    let gga = try #require(nmea.text.split(separator: "\r\n").first { $0.contains("GGA") })
    #expect(gga.split(separator: ",", omittingEmptySubsequences: false)[6] == "8")
  }

  @Test("the rate of estimates is limited to --rate")
  func rate() throws {
    let run = try lodestar.run(
      ["heading", "--simulate", "--count", "4", "--rate", "20", "--format", "json"])
    let times = try run.text.split(separator: "\n").map { line -> Double in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["t"] as? Double ?? .nan
    }
    for (a, b) in zip(times, times.dropFirst()) { #expect(b - a >= 0.045) }
  }

  @Test("invalid options are refused with status 64")
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

  @Test("the stream ends with the replay and reports its error")
  func replayed() throws {
    let file = try TemporaryFile(
      Data("t,mx,my,mz\n0,0,18,-45\n0.1,0,18,-45\n0.2,0,oops,-45\n".utf8), suffix: ".csv")
    let run = try lodestar.run(["heading", "--replay", file.path])
    #expect(run.status == 1 && run.errors.contains(":4"))
    #expect(run.text.split(separator: "\n").count == 2)
  }

  @Test(
    "a named pipe is opened once, so that no command waits for a second writer",
    arguments: ["heading", "location", "record", "replay"])
  func namedPipe(command: String) throws {
    let folder = try TemporaryFolder()
    let field = "t,mx,my,mz\n0,0,18,-45\n0.1,0,18,-45\n0.2,0,18,-45\n"
    let place = "t,lat,lon,hacc\n0,54,10,3\n1,54,10,3\n2,54,10,3\n"
    try folder.write(field, "/field.csv")
    try folder.write(place, "/place.csv")
    // A recording of another program, which is recognised by its content.
    try folder.write(Data([0x89]) + Data("MCAP0\r\n".utf8), "/other.mcap")
    for (file, content) in [("field.csv", field), ("place.csv", place), ("other.mcap", nil)] {
      let pipe = folder.path + "/pipe-\(file)"
      try #require(mkfifo(pipe, 0o600) == 0)
      let writer = ChildProcess()
      writer.executableURL = URL(fileURLWithPath: "/bin/sh")
      writer.arguments = ["-c", "exec cat \"$0\" > \"$1\"", "\(folder.path)/\(file)", pipe]
      try writer.start()
      var arguments = [command, "--replay", pipe]
      if command == "record" { arguments.insert("\(folder.path)/\(file).out.mcap", at: 1) }
      if command == "replay" { arguments.remove(at: 1) }
      let run = try lodestar.run(arguments, deadline: 30)
      #expect(run.exited, "\(arguments): \(run.errors)")
      writer.waitOrKill(after: 10)
      #expect(writer.terminationStatus == 0)
      guard command == "heading" || command == "location" else { continue }
      let isFound = content == (command == "heading" ? field : place)
      #expect(run.status == (isFound ? 0 : 1), "\(arguments): \(run.errors)")
      #expect(run.text.split(separator: "\n").count == (isFound ? 3 : 0), "\(run.text)")
    }
  }

  @Test("decode writes gpsd's objects and counts skipped input")
  func decode() throws {
    let bytes = Data("noise\u{1}$GPGGA,bad*00\r\n$HCHDG,101.1,7.1,W,13.2,E*67\r\n".utf8)
    let run = try lodestar.run(["decode", "-"], input: bytes)
    #expect(run.status == 0)
    #expect(run.text.contains("\"class\":\"ATT\"") && run.text.contains("\"mheading\":94.000"))
    #expect(run.text.contains("\"heading\":107.200"))
    #expect(run.errorLines.count == 1 && run.errors.contains("1 rejected"))
    #expect(try lodestar.run(["decode", "/nowhere.log"]).status == 1)
    // Without a decoded message the status is 1.
    for nothing in [Data(), Data("not a receiver\n".utf8)] {
      let empty = try lodestar.run(["decode"], input: nothing)
      #expect(empty.exited && empty.status == 1 && empty.output.isEmpty)
      #expect(empty.errorLines.count == 1 && empty.errors.contains("no receiver message"))
    }
  }

  @Test("JSON has the civil time of each instant, in ISO 8601")
  func civilTime() throws {
    let run = try lodestar.run(["heading", "--simulate", "--count", "3", "--format", "json"])
    let now = Date()
    for line in run.text.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let text = try #require(object?["time"] as? String)
      let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
      let time = try style.parse(text)
      #expect(abs(now.timeIntervalSince(time)) < 60, "\(text)")
    }
    let text = try lodestar.run(["heading", "--simulate", "--count", "1"])
    #expect(text.text.hasPrefix("SIMULATED  20") && text.text.contains(" UTC  magnetic "))
  }

  @Test("NMEA fits a line of 4800 baud, sends a fix once with its own time, and marks a simulation")
  func nmea() throws {
    let run = try lodestar.run([
      "heading", "--simulate", "--format", "nmea", "--rate", "4", "--count", "33",
    ])
    #expect(run.status == 0 && run.errors.contains("SIMULATED"), "\(run.errors)")
    let lines = run.text.split(separator: "\r\n").map(String.init)
    let fixes = lines.filter { $0.contains("GGA") }
    #expect(!fixes.isEmpty && Set(fixes).count == fixes.count)
    // The simulated receiver's epochs are whole seconds, however many headings come between them.
    for fix in fixes { #expect(fix.split(separator: ",")[1].hasSuffix(".00"), "\(fix)") }
    let headings = lines.filter { $0.hasPrefix("$HCHDM") }
    #expect(headings.count > 3, "\(headings.count)")
    // At four headings a second; HDT comes once the receiver has a position.
    let perSecond = Double(run.text.utf8.count) / (Double(headings.count) / 4)
    #expect(perSecond < 480, "\(perSecond) characters a second")
  }

  @Test("--sentences chooses NMEA sentences and their rates; THS has the simulator's mode")
  func sentences() throws {
    let run = try lodestar.run([
      "heading", "--simulate", "--format", "nmea", "--sentences", "ths=5,HDM", "--count", "10",
    ])
    let lines = run.text.split(separator: "\r\n")
    #expect(lines.allSatisfy { $0.hasPrefix("$HCTHS,") || $0.hasPrefix("$HCHDM,") })
    #expect(lines.contains { $0.contains(",S*") })
    for arguments in [
      ["--format", "nmea", "--sentences", "XYZ"], ["--format", "nmea", "--sentences", "HDG=0"],
      ["--format", "nmea", "--sentences", "HDG,HDG"], ["--sentences", "HDG"],
    ] {
      let refused = try lodestar.run(["heading", "--simulate"] + arguments)
      #expect(refused.status == 64, "\(arguments)")
    }
  }

  @Test("a recording without a heading is refused at once, a missing board with status 71")
  func nothingToShow() throws {
    let log = try TemporaryFile(
      Data("$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47\r\n".utf8),
      suffix: ".log")
    let replay = try lodestar.run(["heading", "--replay", log.path])
    #expect(replay.status == 1 && replay.output.isEmpty)
    #expect(replay.errors.contains("the receiver sent none"), "\(replay.errors)")
    let csv = try TemporaryFile(Data("t,pressure\n0,1013\n".utf8), suffix: ".csv")
    for (command, columns) in [("heading", "mx, my and mz"), ("location", "lat and lon")] {
      let run = try lodestar.run([command, "--replay", csv.path])
      #expect(run.status == 1 && run.errors.contains(columns), "\(run.errors)")
    }
    let board = try lodestar.run(["heading", "--simulate", "--board", "nosuch"])
    #expect(board.status == 71 && board.errors.contains("nosuch"), "\(board.errors)")
  }

  @Test("--version prints the version, and CHANGELOG.md has a section for it")
  func version() throws {
    let version = try lodestar.run(["--version"])
    #expect(
      version.status == 0 && version.text.wholeMatch(of: /lodestar \d+\.\d+\.\d+(~dev)?\n/) != nil,
      "\(version.text)")
    let changes = try String(
      contentsOf: SharedData.repository.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
    let number = version.text.dropFirst("lodestar ".count).prefix { $0 != "\n" }
    let section = number.hasSuffix("~dev") ? "Unreleased" : "\(number)"
    #expect(changes.contains("## [\(section)]"), "CHANGELOG.md has no section \(section)")
  }

  @Test("help on a command that does not exist is an error")
  func helpTopics() throws {
    #expect(try lodestar.run(["help", "calibrate", "fit"]).status == 0)
    let unknown = try lodestar.run(["help", "nonsense"])
    #expect(unknown.status == 64 && unknown.errors.contains("nonsense"))
    #expect(try lodestar.run(["help", "calibrate", "nonsense"]).status == 64)
  }

  @Test("the commands of the README work with its recordings")
  func sampleRecordings() throws {
    let folder = SharedData.repository.appendingPathComponent("Examples/Recordings").path
    let trip = try lodestar.run(["replay", "\(folder)/trip.csv", "--calibration", "assumed"])
    #expect(trip.status == 0 && trip.text.contains("magnetic heading"), "\(trip.errors)")
    let drive = try lodestar.run([
      "replay", "\(folder)/drive.csv", "--regions", "\(folder)/places.json",
    ])
    #expect(drive.text.contains("didEnterRegion") && drive.text.contains("didExitRegion"))
    let fit = try lodestar.run(["calibrate", "fit", "\(folder)/turn.csv", "--json", "-"])
    #expect(fit.status == 0 && fit.text.contains("\"good\""), "\(fit.text)\(fit.errors)")
    let decoded = try lodestar.run(["decode", "\(folder)/receiver.log"])
    #expect(decoded.status == 0 && decoded.text.contains("\"class\":\"TPV\""))
    let field = try lodestar.run(["field", "--batch", "\(folder)/places.txt"])
    #expect(field.status == 0 && field.text.split(separator: "\n").count >= 3)
  }

  @Test("unchanged iOS code runs on the simulated board, and ends without a board")
  func example() throws {
    let example = BuiltProgram("CompassExample")
    let run = try example.run(["3"], environment: ["LODESTAR_SOURCE": "simulate"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.text.split(separator: "\n").count >= 3)
    let none = try example.run(["3"], environment: ["LODESTAR_SOURCE": ""])
    #expect(none.exited && none.status == 1)
  }
}
