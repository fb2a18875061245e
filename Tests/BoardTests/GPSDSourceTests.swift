import Board
import Configuration
import Foundation
import LinuxIO
import LocationHost
import Pipeline
import Quantities
import TestSupport
import Testing

/// The data flow from a gpsd to estimates, with a scripted daemon and with the real one.
@Suite("Fixes of a gpsd", .serialized, .timeLimit(.minutes(30)))
struct GPSDSourceTests {
  private static let greeting =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"# + "\r\n"
  private static func list(_ device: String) -> String {
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(device)","activated":"2026-06-01T12:00:00Z"}]}"#
      + "\r\n"
  }
  private static func fix(_ device: String, _ latitude: Double, second: Int) -> String {
    #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2026-06-01T12:00:\#(10 + second)Z","#
      + #""lat":\#(latitude),"lon":11.5,"altMSL":10,"eph":6,"epv":8}"# + "\r\n"
  }

  private func player(_ url: String, _ notices: Notices) throws -> EstimatePlayer {
    var configuration = PipelineConfiguration()
    configuration.board = Board(name: "desk", receiver: Board.Receiver(port: url))
    let player = try EstimatePlayer(
      attached: configuration, hardware: LinuxHardware(refusesOwnServers: false))
    player.onNotice { notices.add($0) }
    player.start()
    return player
  }

  private func latitude(_ player: EstimatePlayer) -> Double? {
    player.latest?.position.map { ($0.latitude.degrees * 1000).rounded() / 1000 }
  }

  @Test("survives garbage, split lines, a dropped connection and a removed device")
  func scripted() throws {
    let server = try ScriptedServer { client, number in
      client.send(Self.greeting)
      // The first client is the board's test for a daemon.
      guard number > 0, client.awaits("?WATCH=") else { return }
      switch number {
      case 1:
        client.send(Self.list("/dev/a"))
        client.send(
          "garbage\r\n{\"class\":\"TPV\",\"mode\":3,\"lat\":1,\"lon\":2\r\n\u{0}\u{1}\r\n")
        let line = Self.fix("/dev/a", 57.5, second: 0)
        for character in line { client.send(String(character)) }
        // Two objects in one packet, and the beginning of a third that never ends.
        client.send(
          Self.fix("/dev/a", 57.501, second: 1) + Self.fix("/dev/a", 57.502, second: 2)
            + #"{"class":"TPV","device":"/dev/a","mode":3,"lat":1"#)
        _ = client.pause(0.5)
      default:
        client.send(Self.list("/dev/b"))
        client.send(Self.fix("/dev/b", 57.6, second: 3))
        guard !client.pause(1) else { return }
        client.send(#"{"class":"DEVICE","path":"/dev/b","activated":0}"# + "\r\n")
        client.send(Self.fix("/dev/c", 57.7, second: 5))
        while !client.pause(0.1) {}
      }
    }
    let notices = Notices()
    let player = try player("gpsd://127.0.0.1:\(server.port)", notices)
    defer { player.stop() }
    #expect(eventually { latitude(player) == 57.502 })
    #expect(player.latest?.horizontalAccuracyMetres.map { $0 < 10 } == true)
    #expect(player.boardStatus?.receiverSource == "gpsd://127.0.0.1:\(server.port)/dev/a")
    #expect(eventually { notices.has("gpsd closed the connection") })
    #expect(eventually { latitude(player) == 57.6 })
    #expect(eventually { notices.has("the receiver is back") })
    #expect(eventually { latitude(player) == 57.7 })
    #expect(eventually { notices.has("/dev/b") && notices.has("/dev/c") })
    #expect(player.boardStatus?.receiverFault == nil)
    server.stop()
  }

  @Test("a missing daemon as the only source is an error with the remedy")
  func refused() throws {
    let port = try RefusingPort()
    var text = ""
    do { _ = try player("gpsd://127.0.0.1:\(port.number)", Notices()) } catch { text = "\(error)" }
    #expect(text.hasPrefix("gpsd://127.0.0.1:\(port.number): connection refused: is gpsd running?"))
    #expect(text.contains("systemctl status gpsd"))
  }

  @Test("the environment variable selects a gpsd")
  func environment() throws {
    let choice = try SourceChoice(environment: "gpsd://boat:2948/dev/ttyACM0")
    #expect(choice == .gpsd(GPSDAddress(host: "boat", port: 2948, device: "/dev/ttyACM0")))
    #expect(throws: SourceError.unknownChoice("gpsd://boat:x")) {
      try SourceChoice(environment: "gpsd://boat:x")
    }
  }

  private func end(_ process: ChildProcess) {
    process.terminate()
    if !process.wait(atMost: 3) { process.send(SIGKILL) }
    process.waitOrKill()
  }

  private static let daemon = "/usr/sbin/gpsd"

  /// gpsd reads a recorded stream from a TCP port of the test's.
  @Test(
    "the real gpsd's fixes of a recorded receiver arrive",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: daemon),
      "gpsd is not installed (sudo apt install gpsd)"),
    .enabled(if: SharedData.directory != nil, "the reference logs are absent"))
  func real() throws {
    let log = try #require(SharedData.bytes("data/gnss/bt451.log"))
    let lines = String(decoding: log, as: UTF8.self).split(separator: "\n")
    let feed = try ScriptedServer { client, _ in
      for line in lines {
        client.send("\(line)\n")
        if client.pause(0.01) { return }
      }
      while !client.pause(0.1) {}
    }
    // A port that was free a moment ago.
    let free = try ScriptedServer { _, _ in }
    let port = free.port
    free.stop()
    Thread.sleep(forTimeInterval: 0.2)
    let process = ChildProcess()
    process.executableURL = URL(fileURLWithPath: Self.daemon)
    let device = "tcp://127.0.0.1:\(feed.port)"
    // Foreground; its devices are opened for the first client.
    process.arguments = ["-N", "-S", "\(port)", device]
    process.standardError = FileHandle.nullDevice
    try process.start()
    defer { end(process) }
    let notices = Notices()
    var player: EstimatePlayer?
    #expect(
      eventually {
        do { player = try self.player("gpsd://127.0.0.1:\(port)/\(device)", notices) } catch {}
        return player != nil
      })
    defer { player?.stop() }
    // The log's place, by gpsd's own regression output.
    #expect(
      eventually {
        guard let position = player?.latest?.position else { return false }
        return abs(position.latitude.degrees - 55.78) < 0.02
          && abs(position.longitude.degrees - 23.58) < 0.02
      })
    #expect(eventually { player?.latest?.altitudeMetres != nil })
    #expect(player?.boardStatus?.receiverSource == "gpsd://127.0.0.1:\(port)/\(device)")
    feed.stop()
  }
}
