import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

/// The places of one daemon, and daemons at them.
private final class Place {
  let folder: String
  var socket: String { folder + "/s" }
  var state: String { folder + "/state" }
  var environment: [String: String] {
    // No daemon of this machine, and no policy of its administrator, has to do with a test.
    ["LODESTAR_SOCKET": socket, "LODESTAR_POLICY": ""]
  }

  init() throws {
    // The path of a Unix socket is short.
    folder = "/tmp/lsc-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit {
    do { try FileManager.default.removeItem(atPath: folder) } catch { print("left: \(folder)") }
  }

  /// Starts a daemon and waits until it serves.
  func daemon(
    _ arguments: [String] = ["--simulate"], environment more: [String: String] = [:]
  ) throws -> RunningProgram {
    let daemon = try RunningProgram(
      lodestar, ["serve", "--state", state] + arguments,
      environment: environment.merging(more) { $1 })
    #expect(
      eventually { daemon.errors.contains("open: ") || !daemon.isRunning }, "\(daemon.errors)")
    return daemon
  }

  /// A connection that has said who it is.
  func connection(_ application: String = "org.example.test") throws -> TestSocket {
    let socket = try TestSocket(connectingTo: socket)
    socket.send(
      "{\"type\":\"hello\",\"body\":{\"version\":1,\"application\":\"\(application)\",\"client\":\"test\",\"pid\":1}}\n"
    )
    #expect(socket.line(with: "\"welcome\"") != nil)
    return socket
  }
}

@Suite("lodestar serve")
struct ServeCommandTests {
  @Test("two programs stream from one simulated daemon, and all that comes is labelled")
  func stream() throws {
    let place = try Place()
    let daemon = try place.daemon()
    #expect(daemon.errors.contains("serving at \(place.socket)"))
    #expect(daemon.errors.contains("open: SIMULATED"))
    let other = try RunningProgram(
      lodestar, ["location", "--count", "1", "--format", "json"], environment: place.environment)
    let text = try lodestar.run(["heading", "--count", "3"], environment: place.environment)
    #expect(text.status == 0 && text.errors.isEmpty, "\(text.errors)")
    let lines = text.text.split(separator: "\n")
    #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("SIMULATED") })
    #expect(other.status(within: 10) == 0)
    let object =
      try JSONSerialization.jsonObject(with: Data(other.output.utf8)) as? [String: Any]
    #expect(object?["simulated"] as? Bool == true && object?["fix"] as? String == "simulated")
    #expect(daemon.end(SIGTERM) == 0)
    #expect(!FileManager.default.fileExists(atPath: place.socket))
  }

  @Test("the daemon's rate is the one that was asked for")
  func rate() throws {
    let place = try Place()
    let daemon = try place.daemon()
    let run = try lodestar.run(
      ["heading", "--daemon", "--rate", "5", "--count", "4", "--format", "json"],
      environment: place.environment)
    let times = try run.text.split(separator: "\n").map { line -> Double in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return object?["t"] as? Double ?? .nan
    }
    #expect(times.count == 4)
    for (a, b) in zip(times, times.dropFirst()) { #expect(b - a >= 0.19) }
    daemon.end(SIGTERM)
  }

  @Test("killed and started again, a program goes on by itself and says that it had to wait")
  func killed() throws {
    let place = try Place()
    var daemon = try place.daemon()
    let client = try RunningProgram(
      lodestar, ["heading", "--rate", "20", "--count", "60", "--format", "json"],
      environment: place.environment)
    #expect(eventually { client.output.split(separator: "\n").count > 5 })
    daemon.end(SIGKILL)
    #expect(FileManager.default.fileExists(atPath: place.socket))
    daemon = try place.daemon()
    #expect(client.status(within: 15) == 0)
    #expect(client.output.split(separator: "\n").count == 60)
    #expect(client.errors.contains("has ended") && client.errors.contains("the daemon is back"))
    daemon.end(SIGTERM)
  }

  @Test("regions and events outlive a kill; what was acknowledged does not come again")
  func monitoring() throws {
    let place = try Place()
    var daemon = try place.daemon()
    var socket = try place.connection()
    let region =
      "{\"identifier\":\"here\",\"notifiesOnEntry\":true,\"notifiesOnExit\":true,\"condition\":{\"circle\":{\"center\":{\"latitude\":54.45,\"longitude\":10.25},\"radiusMetres\":500}}}"
    socket.send(
      "{\"type\":\"listen\",\"body\":true}\n{\"type\":\"monitor\",\"id\":1,\"body\":{\"startRegion\":{\"_0\":\(region)}}}\n"
    )
    #expect(socket.line(with: "regionStarted")?.contains("\"sequence\":1") == true)
    daemon.end(SIGKILL)
    daemon = try place.daemon()
    socket = try place.connection()
    socket.send("{\"type\":\"listen\",\"body\":true}\n{\"type\":\"registrations\",\"id\":2}\n")
    #expect(socket.line(with: "regionStarted")?.contains("\"sequence\":1") == true)
    socket.send("{\"type\":\"monitor\",\"id\":3,\"body\":{\"acknowledge\":{\"sequence\":1}}}\n")
    #expect(socket.line(with: "\"id\":3")?.contains("\"done\"") == true)
    daemon.end(SIGKILL)
    daemon = try place.daemon()
    socket = try place.connection()
    socket.send("{\"type\":\"listen\",\"body\":true}\n")
    #expect(socket.line(with: "regionStarted", within: 1) == nil)
    socket.send("{\"type\":\"registrations\",\"id\":4}\n")
    #expect(socket.line(with: "\"id\":4")?.contains("\"here\"") == true)
    daemon.end(SIGTERM)
  }

  @Test("a second daemon at the same socket ends with status 69 and says what to do")
  func second() throws {
    let place = try Place()
    let daemon = try place.daemon()
    let run = try lodestar.run(
      ["serve", "--simulate", "--state", place.folder + "/other"], environment: place.environment)
    #expect(run.status == 69 && run.errorLines.count == 1)
    #expect(run.errors.contains("another daemon answers") && run.errors.contains("--socket"))
    #expect(daemon.isRunning && FileManager.default.fileExists(atPath: place.socket))
    daemon.end(SIGTERM)
  }

  @Test("systemd is told when it is ready, that it is alive, and that it ends")
  func notifications() throws {
    let place = try Place()
    let notify = try TestSocket(datagramsAt: place.folder + "/n")
    let daemon = try place.daemon(
      environment: [
        "NOTIFY_SOCKET": place.folder + "/n", "WATCHDOG_USEC": "400000", "JOURNAL_STREAM": "1:2",
      ])
    var told: [String] = []
    #expect(
      eventually {
        told += notify.datagrams()
        return told.filter { $0 == "WATCHDOG=1" }.count >= 3
          && told.contains { $0.hasPrefix("STATUS=SIMULATED, magnetometer, receiver") }
      })
    #expect(told.first == "READY=1")
    kill(daemon.pid, SIGHUP)
    #expect(
      eventually {
        told += notify.datagrams()
        return told.contains { $0.hasPrefix("RELOADING=1") }
      })
    #expect(daemon.end(SIGTERM) == 0)
    told += notify.datagrams()
    #expect(told.contains("STOPPING=1"))
    #expect(daemon.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("<") })
  }

  @Test("a recording is served at a pace, and its end is told")
  func replay() throws {
    let place = try Place()
    var rows = "t,lat,lon,alt,hacc,speed,course\n"
    for second in 0..<100 { rows += "\(second),48,\(11 + Double(second) * 1e-5),500,5,1,90\n" }
    let file = try TemporaryFile(Data(rows.utf8), suffix: ".csv")
    let daemon = try place.daemon(["--replay", file.path, "--pace", "20"])
    let run = try lodestar.run(
      ["location", "--count", "20", "--format", "json"], environment: place.environment)
    #expect(run.status == 0 && run.text.split(separator: "\n").count == 20)
    #expect(eventually(within: 15) { daemon.errors.contains("the recording has ended") })
    #expect(daemon.isRunning)
    daemon.end(SIGTERM)
  }

  @Test(
    "without a sensor it waits and says what is missing",
    .enabled(if: AttachedHardware.isAbsent, "this machine has a bus or a receiver"))
  func noSensor() throws {
    let place = try Place()
    let daemon = try RunningProgram(
      lodestar, ["serve", "--state", place.state], environment: place.environment)
    #expect(eventually { daemon.errors.contains("no sensor found") })
    let client = try RunningProgram(
      lodestar, ["heading", "--count", "1"], environment: place.environment)
    #expect(eventually { client.errors.contains("the daemon waits: no sensor found") })
    #expect(client.end(SIGTERM) == 128 + SIGTERM)
    #expect(daemon.end(SIGINT) == 0)
  }

  @Test(
    "the options of a file hold where the command line says nothing, and its faults have a line")
  func config() throws {
    let place = try Place()
    let file = place.folder + "/serve.yaml"
    try "simulate: true\nmode: 0600\n".write(toFile: file, atomically: true, encoding: .utf8)
    let daemon = try place.daemon(["--config", file])
    #expect(daemon.errors.contains("open: SIMULATED"))
    let mode =
      try FileManager.default.attributesOfItem(atPath: place.socket)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    daemon.end(SIGTERM)
    for (text, words) in [
      ("simulate: true\nsail: up\n", ":2: unknown key 'sail'"),
      ("mount: sideways\n", ":1: mount: 'sideways'"), ("simulate: perhaps\n", "true or false"),
    ] {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
      let run = try lodestar.run(
        ["serve", "--config", file, "--state", place.state], environment: place.environment)
      #expect(run.status == 1 && run.errors.contains(words), "\(run.errors)")
    }
  }

  @Test("options that cannot be meant are refused with status 64")
  func usage() throws {
    for arguments in [
      ["serve", "--simulate", "--replay", "x.csv"], ["serve", "--pace", "-1"],
      ["serve", "--simulate", "--pace", "2"], ["heading", "--daemon", "--simulate"],
      ["heading", "--daemon", "--qnh", "1013"],
    ] {
      let run = try lodestar.run(arguments, environment: ["LODESTAR_SOCKET": "none"])
      #expect(run.status == 64, "\(arguments): \(run.status) \(run.errors)")
    }
    let none = try lodestar.run(
      ["heading", "--daemon", "--count", "1"], environment: ["LODESTAR_SOCKET": "/nowhere/s"])
    #expect(none.status == 69 && none.errors.contains("lodestar serve"))
  }
}
