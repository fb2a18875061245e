import Foundation
import LinuxIO
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar corrections", .timeLimit(.minutes(30)))
struct CorrectionsCommandTests {
  private static let table = """
    STR;NORTH;Oslo;RTCM 3.2;1005(1),1077(1);2;GPS+GLO;EUREF;NOR;59.91;10.75;0;0;Test;none;B;N;9600;x\r
    STR;SOUTH;Bern\u{1B}[2J;RTCM 3.3;1006(5);2;GPS;EUREF;CHE;46.95;7.44;1;0;Test;none;N;Y;4800;x\r
    ENDSOURCETABLE\r

    """
  /// A 1005 of station 2003, as RTCM 10403.1 prints it.
  private static let frame: [UInt8] = [
    0xD3, 0x00, 0x13, 0x3E, 0xD7, 0xD3, 0x02, 0x02, 0x98, 0x0E, 0xDE, 0xEF, 0x34, 0xB4, 0xBD,
    0x62, 0xAC, 0x09, 0x41, 0x98, 0x6F, 0x33, 0x36, 0x0B, 0x98,
  ]

  /// A caster with the mount point NORTH for `user:right`.
  private func caster() throws -> ScriptedServer {
    try ScriptedServer { client, _ in
      guard let request = client.text(until: "\r\n\r\n") else { return }
      if request.hasPrefix("GET / ") {
        return client.send(
          "HTTP/1.1 200 OK\r\nContent-Type: gnss/sourcetable\r\n\r\n" + Self.table)
      }
      guard request.contains("Basic \(Data("user:right".utf8).base64EncodedString())\r\n") else {
        return client.send("HTTP/1.1 401 Unauthorized\r\n\r\n")
      }
      client.send("ICY 200 OK\r\n\r\n")
      for _ in 0..<3 { client.send(Self.frame) }
      _ = client.awaits("\u{0}never")
    }
  }

  private func objects(_ run: BuiltProgram.Outcome) throws -> [[String: Any]] {
    try run.text.split(separator: "\n").map {
      try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
  }

  @Test("the list has the nearest first, without control characters, as text and as JSON")
  func list() throws {
    let caster = try caster()
    defer { caster.stop() }
    let arguments = ["corrections", "--list", "ntrip://127.0.0.1:\(caster.port)"]
    let text = try lodestar.run(arguments + ["--location", "47,7.5"])
    #expect(text.status == 0, "\(text.errors)")
    let lines = text.text.split(separator: "\n")
    #expect(lines.count == 3 && lines[0].hasPrefix("mount point      km  format"))
    #expect(lines[1].hasPrefix("SOUTH") && lines[1].contains("position+fee"))
    #expect(lines[2].hasPrefix("NORTH") && lines[2].contains("password"))
    #expect(!text.text.contains("\u{1B}"))
    let json = try objects(try lodestar.run(arguments + ["--format", "json"]))
    #expect(json.map { $0["mountPoint"] as? String } == ["NORTH", "SOUTH"])
    #expect(json[0]["systems"] as? [String] == ["GPS", "GLO"])
    #expect(json[0]["latitude"] as? Double == 59.91 && json[0]["needsPosition"] as? Bool == false)
    #expect(json[0]["time"] is String && json[0]["distance"] == nil)
  }

  @Test("a source is counted, from the command line and from a board file")
  func check() throws {
    let caster = try caster()
    defer { caster.stop() }
    let folder = try TemporaryFolder()
    try folder.write("user:right\n", "/secret")
    let mode = try BuiltProgram.shell.run(["-c", "chmod 600 \"$0\"", folder.path + "/secret"])
    #expect(mode.status == 0)
    let address = "ntrip://127.0.0.1:\(caster.port)/NORTH"
    let secret = folder.path + "/secret"
    try folder.write(
      "board: B\nreceiver: {port: /dev/x, corrections: {source: '\(address)', credentials: \(secret)}}\n",
      "/b.yaml")
    let text = try lodestar.run([
      "corrections", address, "--credentials", secret, "--seconds", "1", "--location", "38.8,-77",
    ])
    #expect(text.status == 0, "\(text.errors)")
    #expect(text.text.hasPrefix("\(address): 3 messages, 0.1 kB in "), "\(text.text)")
    #expect(text.text.contains("1005      3"))
    #expect(text.text.contains("station 2003 at 38.80476, -77.06477, 5.7 km away"), "\(text.text)")
    let run = try lodestar.run([
      "corrections", "--board", folder.path + "/b.yaml", "--seconds", "1", "--format", "json",
    ])
    let json = try #require(try objects(run).first)
    #expect(json["source"] as? String == address && json["frames"] as? Int == 3)
    #expect(json["station"] as? Int == 2003 && json["bytes"] as? Int == 75)
    let messages = try #require(json["messages"] as? [[String: Any]])
    #expect(messages.count == 1 && messages[0]["received"] as? Int == 3)
  }

  @Test("a file with messages is counted")
  func file() throws {
    let file = try TemporaryFile(Data(Self.frame + Self.frame), suffix: ".rtcm3")
    let run = try lodestar.run(["corrections", file.path])
    #expect(run.status == 0 && run.text.contains(": 2 messages"), "\(run.errors)")
    let empty = try TemporaryFile(Data(), suffix: ".rtcm3")
    #expect(try lodestar.run(["corrections", empty.path]).status == 69)
  }

  @Test("what does not work is one line with the reason, and a status")
  func faults() throws {
    let caster = try caster()
    defer { caster.stop() }
    let address = "ntrip://127.0.0.1:\(caster.port)"
    let cases: [([String], Int32, String)] = [
      ([address + "/NORTH"], 69, "requires user and password"),
      (["--check", address], 64, "name a mount point"),
      (["--list", "tcp://127.0.0.1:1"], 64, "only a caster"),
      (["tcp://127.0.0.1:1"], 69, "connection refused"),
      (["ntrip://user:secret@h/X"], 64, "--credentials FILE"),
      (["http://h"], 64, "expected a file, a serial port"), (["/dev/ttyUSB0"], 64, "'baud'"),
      (["--list", "--check", address], 64, "not both"),
      ([address, "--send-position"], 64, "--location"), ([address, "--seconds", "0"], 64, "1 to"),
      ([address + "/X", "--credentials", "/nowhere/c"], 69, "/nowhere/c: cannot"),
    ]
    for (arguments, status, words) in cases {
      let run = try lodestar.run(["corrections"] + arguments)
      #expect(run.status == status && run.output.isEmpty, "\(arguments): \(run.status) \(run.text)")
      #expect(run.errors.contains(words), "\(arguments): \(run.errors)")
      #expect(run.errors.hasPrefix("lodestar: "))
    }
  }
}
