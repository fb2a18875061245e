import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

/// The socket and state of one daemon.
final class Place {
  let folder: String
  var socket: String { folder + "/s" }
  var state: String { folder + "/state" }
  var environment: [String: String] {
    // Independent of this machine's daemon and policy.
    ["LODESTAR_SOCKET": socket, "LODESTAR_POLICY": ""]
  }

  init() throws {
    // The length of a Unix socket's path is limited.
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

  /// A connection after the hello message.
  func connection(_ application: String = "org.example.test") throws -> TestSocket {
    let socket = try TestSocket(connectingTo: socket)
    socket.send(
      "{\"type\":\"hello\",\"body\":{\"version\":1,\"application\":\"\(application)\",\"client\":\"test\",\"pid\":1}}\n"
    )
    #expect(socket.line(with: "\"welcome\"") != nil)
    return socket
  }
}

@Suite("lodestar serve", .timeLimit(.minutes(30)))
struct ServeCommandTests {
  @Test("two programs stream from one simulated daemon, and all output is labelled")
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

  @Test(
    "SIGHUP and SIGTERM during the start are a reload and an orderly end", arguments: [true, false])
  func earlySignals(reloads: Bool) throws {
    let place = try Place()
    // A daemon that is made waits for the lock of the socket's folder.
    let folder = open(place.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    #expect(folder >= 0 && flock(folder, LOCK_EX) == 0)
    let daemon = try RunningProgram(
      lodestar, ["serve", "--simulate", "--state", place.state], environment: place.environment)
    #expect(eventually { daemon.catches(SIGHUP) && daemon.catches(SIGTERM) })
    kill(daemon.pid, reloads ? SIGHUP : SIGTERM)
    close(folder)
    if reloads {
      #expect(
        eventually { daemon.errors.contains("the policy was read again") }, "\(daemon.errors)")
      #expect(daemon.end(SIGTERM) == 0)
    } else {
      #expect(daemon.status(within: 15) == 0, "\(daemon.errors)")
      #expect(daemon.errors.contains("ending"))
    }
    #expect(!FileManager.default.fileExists(atPath: place.socket))
  }

  @Test("the daemon sends at the requested rate")
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

  @Test("after a kill and restart of the daemon a program continues and reports the gap")
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
    #expect(client.errors.contains("has ended") && client.errors.contains("reconnected"))
    daemon.end(SIGTERM)
  }

  @Test("regions and events outlive a kill; acknowledged events are not delivered again")
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

  @Test("a second daemon at the same socket ends with status 69 and a remedy")
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

  @Test("the daemon notifies systemd of readiness, watchdog, reload and stop")
  func notifications() throws {
    let place = try Place()
    let notify = try TestSocket(datagramsAt: place.folder + "/n")
    let daemon = try place.daemon(
      environment: [
        "NOTIFY_SOCKET": place.folder + "/n", "WATCHDOG_USEC": "400000", "JOURNAL_STREAM": "1:2",
      ])
    var received: [String] = []
    #expect(
      eventually {
        received += notify.datagrams()
        return received.filter { $0 == "WATCHDOG=1" }.count >= 3
          && received.contains { $0.hasPrefix("STATUS=SIMULATED, magnetometer, receiver") }
      })
    #expect(received.first == "READY=1")
    kill(daemon.pid, SIGHUP)
    #expect(
      eventually {
        received += notify.datagrams()
        return received.contains { $0.hasPrefix("RELOADING=1") }
      })
    #expect(daemon.end(SIGTERM) == 0)
    received += notify.datagrams()
    #expect(received.contains("STOPPING=1"))
    #expect(daemon.errors.split(separator: "\n").allSatisfy { $0.hasPrefix("<") })
  }

  @Test("a recording is served at the given pace, and its end is reported")
  func replay() throws {
    let place = try Place()
    var rows = "t,lat,lon,alt,hacc,speed,course\n"
    // Fifteen seconds: the client may start late on a busy machine.
    for second in 0..<300 { rows += "\(second),48,\(11 + Double(second) * 1e-5),500,5,1,90\n" }
    let file = try TemporaryFile(Data(rows.utf8), suffix: ".csv")
    let daemon = try place.daemon(["--replay", file.path, "--pace", "20"])
    let run = try lodestar.run(
      ["location", "--count", "20", "--format", "json"], environment: place.environment)
    #expect(run.status == 0 && run.text.split(separator: "\n").count == 20)
    #expect(eventually(within: 30) { daemon.errors.contains("the recording has ended") })
    #expect(daemon.isRunning)
    daemon.end(SIGTERM)
  }

  @Test(
    "without a sensor the daemon waits and reports what is missing",
    .enabled(if: AttachedHardware.isAbsent, "this machine has a bus or a receiver"))
  func noSensor() throws {
    let place = try Place()
    let daemon = try RunningProgram(
      lodestar, ["serve", "--state", place.state], environment: place.environment)
    #expect(eventually { daemon.errors.contains("no sensor found") })
    let client = try RunningProgram(
      lodestar, ["heading", "--count", "1"], environment: place.environment)
    #expect(eventually { client.errors.contains("the daemon waits: no sensor found") })
    #expect(eventually { client.catches(SIGTERM) })
    #expect(client.end(SIGTERM) == 128 + SIGTERM)
    #expect(daemon.end(SIGINT) == 0)
  }

  @Test(
    "a file sets options that the command line does not, and its errors have a line number")
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
    try Data("simulate: true\n# \u{FF}".unicodeScalars.map { UInt8($0.value) }).write(
      to: URL(fileURLWithPath: file))
    let run = try lodestar.run(
      ["serve", "--config", file, "--state", place.state], environment: place.environment)
    #expect(
      run.errors == "lodestar: \(file): cannot be read: not UTF-8 text, line 2\n", "\(run.errors)")
  }

  @Test("a socket's folder that cannot be created is an error with the system's message")
  func impossibleFolder() throws {
    let place = try Place()
    let run = try lodestar.run(
      ["serve", "--simulate", "--state", place.state, "--socket", "/dev/null/run/s"],
      environment: place.environment)
    #expect(run.exited && run.status != 0 && run.errorLines.count == 1)
    #expect(run.errors.contains("the folder cannot be created: Not a directory"), "\(run.errors)")
  }

  @Test("invalid combinations of options are refused with status 64")
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
