import Foundation
import LinuxIO
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar calibrate through the daemon", .timeLimit(.minutes(30)))
struct CalibrateDaemonTests {
  private static func plain(_ x: Double) -> String {
    "{\"softIron\":[[1,0,0],[0,1,0],[0,0,1]],\"hardIron\":[\(x),-20,5],\"quality\":\"good\"}"
  }

  private func calibrate(
    _ place: Place, _ arguments: [String], state: String = "/nowhere"
  ) throws -> BuiltProgram.Outcome {
    try lodestar.run(
      ["calibrate"] + arguments,
      environment: place.environment.merging(["LODESTAR_STATE": state]) { $1 })
  }

  private func write(_ place: Place, _ name: String, _ text: String) throws -> String {
    let path = place.folder + "/" + name
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func iron(_ run: BuiltProgram.Outcome) throws -> Double? {
    let object = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
    return (object?["hardIron"] as? [Double])?.first
  }

  @Test("import, status, history, rollback, export and the loads go to the daemon, which uses them")
  func kept() throws {
    let place = try Place()
    let daemon = try place.daemon()
    #expect(try calibrate(place, ["status"]).status == 69)
    for x in [10.0, 30] {
      let run = try calibrate(place, ["import", try write(place, "c.json", Self.plain(x))])
      #expect(run.status == 0 && run.errors.contains("the daemon uses it now"), "\(run.errors)")
    }
    #expect(try iron(calibrate(place, ["status", "--format", "json"])) == 30)
    let back = try calibrate(place, ["rollback"])
    #expect(back.status == 0 && back.errors.contains("as number 3"), "\(back.errors)")
    let history = try calibrate(place, ["history", "--format", "json"])
    #expect(history.text.split(separator: "\n").count == 3, "\(history.errors)")
    #expect(try iron(calibrate(place, ["export", "-", "--number", "2"])) == 30)
    let file = place.folder + "/out.json"
    #expect(try calibrate(place, ["export", file]).status == 0)
    let exported = try String(contentsOfFile: file, encoding: .utf8)
    let damaged = exported.replacingOccurrences(of: "[10", with: "[11")
    let refused = try calibrate(place, ["import", try write(place, "d.json", damaged)])
    #expect(refused.status == 1 && refused.errors.contains("damaged"), "\(refused.errors)")
    let swing = (0..<8).map { "\($0 * 45 + 2) \($0 * 45)\n" }.joined()
    let kept = try calibrate(place, ["swing", try write(place, "s.txt", swing), "--keep"])
    #expect(kept.status == 0 && kept.errors.contains("calibration 4"), "\(kept.errors)")
    #expect(kept.text.contains("no deviation is stored"), "\(kept.text)")
    // The next swing shows what it replaces before it is stored.
    let more = (0..<8).map { "\($0 * 45 + 5) \($0 * 45)\n" }.joined()
    let file5 = try write(place, "s5.txt", more)
    let replacing = try calibrate(place, ["swing", file5, "--keep", "--format", "json"])
    let rows = replacing.text.split(separator: "\n")
    #expect(rows.count == 24, "\(replacing.errors)")
    for row in rows {
      #expect(row.contains("\"deviation\":5.00,") && row.contains("\"stored\":2.00,"), "\(row)")
      #expect(row.contains("\"change\":3.00"), "\(row)")
    }
    let last = try calibrate(place, ["swing", try write(place, "s.txt", swing), "--keep"])
    #expect(last.text.contains("largest change -3.0 degrees"), "\(last.text)")
    #expect(last.text.contains("stored is a compass swing, made "), "\(last.text)")
    let status = try calibrate(place, ["status"])
    #expect(status.text.contains("deviation: coefficients") && status.text.contains(place.state))
    let card = try calibrate(place, ["deviation"]).text
    #expect(card.contains("coefficients  A +2.0"))
    #expect(card.contains("a compass swing, made ") && card.contains("sigma up to 1.5 degrees"))
    // The curve: 2 of 5 degrees to the right of zero, on all 24 headings.
    let marks = card.split(separator: "\n").filter { $0.hasSuffix("|    *") }
    #expect(marks.count == 24, "\(card)")
    #expect(!FileManager.default.fileExists(atPath: "/nowhere"))
    // The simulated board uses it: a hard iron of 10 µT that it does not have.
    let heading = try lodestar.run(
      ["heading", "--count", "1", "--format", "json"], environment: place.environment)
    #expect(heading.text.contains("\"calibration\":\"good\""), "\(heading.text)")
    #expect(daemon.end(SIGTERM) == 0)
    // Stored in the daemon's state, so that the next daemon uses it too.
    let next = try place.daemon()
    #expect(try iron(calibrate(place, ["status", "--format", "json"])) == 10)
    next.end(SIGTERM)
  }

  @Test("the policy's refusal is reported before anything is done")
  func refused() throws {
    let place = try Place()
    let policy = try write(place, "policy.yaml", "calibration: deny\n")
    let daemon = try place.daemon(environment: ["LODESTAR_POLICY": policy])
    let run = try calibrate(place, ["import", try write(place, "c.json", Self.plain(1))])
    #expect(run.status == 69 && run.errors.contains("calibration refused"), "\(run.errors)")
    for command in [["guide"], ["accelerometer", "--keep", "--seconds", "600"]] {
      let run = try calibrate(place, command)
      #expect(run.status == 69 && run.errors.contains("calibration refused"), "\(run.errors)")
    }
    #expect(try calibrate(place, ["status"]).status == 69)
    daemon.end(SIGTERM)
  }

  @Test("the daemon's samples feed the commands; named sources stay in the program")
  func samples() throws {
    let place = try Place()
    let daemon = try place.daemon()
    let level = try calibrate(place, ["accelerometer", "--seconds", "3"])
    // The simulated boat never rests.
    #expect(level.status == 1 && level.errors.contains("never at rest"), "\(level.errors)")
    let mount = try calibrate(place, ["mount", "--seconds", "4", "--format", "json"])
    #expect(
      mount.text.contains("\"accepted\"") || mount.errors.contains("field samples"),
      "\(mount.errors)")
    let guide = try RunningProgram(
      lodestar, ["calibrate", "--format", "json"], environment: place.environment)
    #expect(
      eventually {
        guide.output.split(separator: "\n").last?.contains("\"simulated\":true") == true
          && guide.output.contains("\"samples\":1")
      }, "\(guide.output) \(guide.errors)")
    // A named board stays in the program, with the state of its user.
    let boards = SharedData.repository.appendingPathComponent("Boards").path
    let file = try write(place, "c.json", Self.plain(5))
    let local = try lodestar.run(
      ["calibrate", "import", file, "--board", "gy-91"],
      environment: place.environment.merging([
        "LODESTAR_STATE": place.folder + "/own", "LODESTAR_BOARDS": boards,
      ]) { $1 })
    #expect(local.status == 0 && !local.errors.contains("the daemon uses it"), "\(local.errors)")
    #expect(FileManager.default.fileExists(atPath: place.folder + "/own/calibration"))
    daemon.end(SIGKILL)
    #expect(guide.status(within: 20) == 1)
    #expect(guide.output.contains("has ended"), "\(guide.output)")
  }

  @Test("a daemon that is killed while it stores loses no calibration that it has confirmed")
  func killed() throws {
    let place = try Place()
    var generator = SeededGenerator(seed: 11)
    let said = place.folder + "/said"
    /// The greatest number that a client has reported.
    func confirmed() -> Int {
      let text = String(
        decoding: FileManager.default.contents(atPath: said) ?? Data(), as: UTF8.self)
      let numbers = text.split(separator: "\n").compactMap { line in
        line.components(separatedBy: "stored as number ").dropFirst().first.flatMap {
          Int($0.prefix { $0.isNumber })
        }
      }
      return numbers.max() ?? 0
    }
    for round in 0..<6 {
      let daemon = try place.daemon()
      let file = try write(place, "c.json", Self.plain(Double(round)))
      let before = confirmed()
      let client = try RunningProgram(
        BuiltProgram.shell,
        ["-c", "while \"\(lodestar.path)\" calibrate import \"\(file)\" 2>> \(said); do :; done"],
        environment: place.environment)
      #expect(eventually { confirmed() >= before + 2 })
      Thread.sleep(forTimeInterval: .random(in: 0...0.15, using: &generator))
      daemon.end(SIGKILL)
      #expect(client.status(within: 30) != nil)
      let next = try place.daemon()
      let run = try calibrate(place, ["history", "--format", "json"])
      let line = Data((run.text.split(separator: "\n").first ?? "{}").utf8)
      let newest = try JSONSerialization.jsonObject(with: line) as? [String: Any]
      let generation = newest?["generation"] as? Int ?? 0
      #expect(generation >= confirmed() && generation <= confirmed() + 1, "\(run.errors)")
      #expect(!run.errors.contains("not used"), "\(run.errors)")
      #expect(next.end(SIGTERM) == 0)
    }
  }
}

/// Whether this process may mount in a namespace of its own.
private let mayMount: Bool = {
  do {
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = ["-m", "true"]
    process.standardError = FileHandle.nullDevice
    try process.start()
    process.waitOrKill()
    return process.terminationStatus == 0
  } catch {
    return false
  }
}()

@Suite("lodestar serve with a state that cannot be written", .timeLimit(.minutes(30)))
struct ReadOnlyStateTests {
  @Test(
    "a read-only state at the start: it serves, reports it, and stores nothing",
    .enabled(if: mayMount, "needs root and unshare for a read-only mount"))
  func readOnly() throws {
    let place = try Place()
    try FileManager.default.createDirectory(
      atPath: place.state, withIntermediateDirectories: true)
    let daemon = try RunningProgram(
      BuiltProgram.shell,
      [
        "-c",
        """
        exec unshare -m sh -c 'mount -t tmpfs -o size=1m tmpfs "$1" && mount -o remount,ro "$1" \
          && exec "$0" serve --simulate --gpsd-port 0 --http-port 0 --state "$1/deep"' \
          "\(lodestar.path)" "\(place.state)"
        """,
      ], environment: place.environment)
    #expect(
      eventually { daemon.errors.contains("open: ") || !daemon.isRunning }, "\(daemon.errors)")
    let lines = daemon.errors.split(separator: "\n").filter { $0.contains("Read-only") }
    #expect(lines.count == 1, "\(daemon.errors)")
    #expect(lines.first?.contains("serving without it") == true)
    let heading = try lodestar.run(["heading", "--count", "2"], environment: place.environment)
    #expect(heading.status == 0 && heading.text.split(separator: "\n").count == 2)
    #expect(heading.errors.contains("the daemon does not store its state"), "\(heading.errors)")
    let file = place.folder + "/c.json"
    try Data("{\"softIron\":[[1,0,0],[0,1,0],[0,0,1]],\"hardIron\":[1,2,3]}".utf8).write(
      to: URL(fileURLWithPath: file))
    let kept = try lodestar.run(["calibrate", "import", file], environment: place.environment)
    #expect(kept.status == 74 && kept.errors.contains("Read-only file system"), "\(kept.errors)")
    #expect(daemon.end(SIGTERM) == 0)
  }

  /// The answer of a daemon's port to a request of its status.
  private static func status(_ port: Int) throws(NetworkError) -> String {
    let deadline = MonotonicClock.now.advanced(bySeconds: 20)
    let socket = try StreamSocket(host: "127.0.0.1", port: port, until: deadline)
    try socket.write(
      Array("GET /api/v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), until: deadline)
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = try socket.read(into: &bytes, until: deadline)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }

  @Test("a file in place of the state folder: it serves, and the web status has the reason")
  func fileInPlace() throws {
    let place = try Place()
    try Data().write(to: URL(fileURLWithPath: place.state))
    let port = 20_000 + Int.random(in: 0..<20_000)
    let daemon = try place.daemon(["--simulate", "--http-port", "\(port)"])
    #expect(daemon.errors.contains("cannot use as a folder"), "\(daemon.errors)")
    var text = ""
    #expect(
      eventually {
        do { text = try Self.status(port) } catch { return false }
        return text.hasSuffix("}")
      })
    #expect(text.contains("\"storageFault\"") && text.contains("Not a directory"), "\(text)")
    #expect(daemon.end(SIGTERM) == 0)
  }
}
