import Foundation
import TestSupport
import Testing

private let lodestar = BuiltProgram("lodestar")

@Suite("lodestar location --gpsd", .timeLimit(.minutes(30)))
struct GPSDCommandTests {
  /// A daemon that sends a fix every 50 ms.
  private func daemon() throws -> ScriptedServer {
    try ScriptedServer { client, _ in
      client.send(#"{"class":"VERSION","release":"9","proto_major":4,"proto_minor":0}"# + "\r\n")
      guard client.awaits("?WATCH=") else { return }
      for tenth in 0..<600 {
        let (second, rest) = (10 + tenth / 10 % 50, tenth % 10)
        client.send(
          #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2026-06-01T12:00:\#(second).\#(rest)Z","#
            + #""lat":57.5,"lon":11.5,"altMSL":10,"eph":6,"epv":8}"# + "\r\n")
        if client.pause(0.05) { return }
      }
    }
  }

  @Test(
    "fixes of a daemon are printed, with a warning of its newer protocol",
    .enabled(if: AttachedHardware.isAbsent, "this machine has a bus or a receiver"))
  func location() throws {
    let server = try daemon()
    let run = try lodestar.run(
      ["location", "--gpsd", "127.0.0.1:\(server.port)", "--count", "3", "--format", "json"])
    #expect(run.status == 0)
    let lines = run.text.split(separator: "\n")
    #expect(lines.count == 3)
    for line in lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["fix"] as? String == "3D")
      #expect((object?["latitude"] as? Double).map { abs($0 - 57.5) < 1e-6 } == true)
      // As the daemon sends it.
      #expect((object?["horizontalAccuracy"] as? Double).map { $0 <= 6.2 } == true)
    }
    #expect(run.errors.contains("speaks protocol 4"))
    #expect(run.errors.contains("fixes come from gpsd://127.0.0.1:\(server.port)/dev/a"))
    server.stop()
  }

  @Test("invalid options are refused with status 64, a daemon that does not run with 69")
  func refusals() throws {
    for arguments in [["--gpsd", "boat:x"], ["--gpsd", "localhost", "--simulate"]] {
      let run = try lodestar.run(["location"] + arguments)
      #expect(run.status == 64, "\(arguments): \(run.errors)")
    }
    guard AttachedHardware.isAbsent else { return }
    let port = try RefusingPort()
    let run = try lodestar.run(["location", "--gpsd", "127.0.0.1:\(port.number)"])
    #expect(run.status == 69 && run.errors.contains("is gpsd running? systemctl status gpsd"))
  }
}
