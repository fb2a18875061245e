import Board
import Configuration
import Foundation
import LinuxIO
import LocationHost
import Pipeline
import Quantities
import TestSupport
import Testing

/// The data flow from a Signal K server to estimates, with a scripted server.
@Suite("Fixes of a Signal K server", .serialized, .timeLimit(.minutes(30)))
struct SignalKSourceTests {
  private static let greeting =
    #"{"name":"signalk-server","version":"2.8.3","self":"vessels.urn:mrn:imo:mmsi:234567890"}"#
    + "\r\n"

  private static func delta(_ source: String, _ latitude: Double, second: Int) -> String {
    #"{"context":"vessels.urn:mrn:imo:mmsi:234567890","updates":[{"$source":"\#(source)","#
      + #""timestamp":"2026-06-01T12:00:\#(10 + second).000Z","values":[{"path":"navigation.position","#
      + #""value":{"latitude":\#(latitude),"longitude":11.5}},{"path":"navigation.gnss.horizontalDilution","#
      + #""value":1},{"path":"navigation.headingMagnetic","value":1.5}]}]}"# + "\r\n"
  }

  private func player(_ board: Board, _ notices: Notices) throws -> EstimatePlayer {
    var configuration = PipelineConfiguration()
    configuration.board = board
    let player = try EstimatePlayer(
      attached: configuration, hardware: LinuxHardware(refusesOwnServers: false))
    player.onNotice { notices.add($0) }
    player.start()
    return player
  }

  private func latitude(_ player: EstimatePlayer) -> Double? {
    player.latest?.position.map { ($0.latitude.degrees * 1000).rounded() / 1000 }
  }

  @Test("subscribes, reads split lines, names its own values, connects again and stops at once")
  func stream() throws {
    let notices = Notices()
    let server = try ScriptedServer { client, number in
      client.send(Self.greeting)
      guard number > 0, client.awaits("\"navigation.position\",\"policy\":\"instant\"") else {
        return
      }
      if number == 1 {
        for character in Self.delta("gps.GN", 57.5, second: 0) { client.send(String(character)) }
        client.send(Self.delta("lodestar.gnss", 10, second: 0) + "rubbish\r\n{\"updates\":[")
        _ = client.pause(0.5)
      } else {
        client.send(Self.delta("gps.GN", 57.6, second: 3))
        while client.isConnected, !client.pause(0.1) {}
        notices.add("the client has gone")
      }
    }
    let url = "signalk://127.0.0.1:\(server.port)"
    let player = try player(Board(name: "desk", receiver: Board.Receiver(port: url)), notices)
    #expect(eventually { latitude(player) == 57.5 })
    #expect(player.boardStatus?.receiverSource == url + "/gps.GN")
    #expect(eventually { notices.has("values of lodestar.gnss are this program's own") })
    #expect(eventually { notices.has("the Signal K server closed the connection") })
    #expect(eventually { latitude(player) == 57.6 })
    #expect(player.boardStatus?.receiverFault == nil)
    player.stop()
    #expect(eventually { notices.has("the client has gone") })
    server.stop()
  }

  @Test("is a compass beside another receiver")
  func compass() throws {
    let server = try ScriptedServer { client, number in
      client.send(Self.greeting)
      guard number > 0, client.awaits("subscribe") else { return }
      var second = 0
      while client.isConnected {
        client.send(Self.delta("can0.12", 57.5, second: second))
        second = (second + 1) % 50
        if client.pause(0.2) { return }
      }
    }
    var board = Board(name: "desk", receiver: nil)
    board.compass = Board.Compass(port: "signalk://127.0.0.1:\(server.port)")
    let player = try player(board, Notices())
    defer { player.stop() }
    #expect(
      eventually {
        player.latest?.magneticHeading.map { abs($0.angle.radians - 1.5) < 0.001 } ?? false
      })
    #expect(player.latest?.position == nil)
    server.stop()
  }

  @Test("a server that reads nothing delays the end by nothing")
  func deaf() throws {
    let notices = Notices()
    let server = try ScriptedServer { client, _ in
      client.send(Self.greeting)
      notices.add("the client has come")
      while client.isConnected, !client.pause(0.05) {}
      notices.add("the client has gone")
    }
    defer { server.stop() }
    // The demand of an application that needs no fix: a receiver at a port would sleep.
    let rest = SharedReceiverRest()
    rest.want(.none)
    let board = try AttachedBoard(
      Board(
        name: "desk", receiver: Board.Receiver(port: "signalk://127.0.0.1:\(server.port)")),
      hardware: LinuxHardware(refusesOwnServers: false), rest: rest)
    #expect(eventually { notices.has("the client has come") })
    #expect(board.undoSeconds == 0)
    let start = MonotonicClock.now
    board.stop()
    #expect(MonotonicClock.now.seconds(since: start) < 1)
  }

  /// Whether no server listens at a port any more.
  private func isRefused(at port: UInt16) -> Bool {
    do throws(NetworkError) {
      _ = try StreamSocket(
        host: "127.0.0.1", port: Int(port), until: MonotonicClock.now.advanced(bySeconds: 1))
      return false
    } catch {
      return error.kind == .refused
    }
  }

  @Test("a missing server as the only source is an error with the remedy")
  func refused() throws {
    let server = try ScriptedServer { _, _ in }
    let port = server.port
    server.stop()
    #expect(eventually { isRefused(at: port) })
    var text = ""
    let board = Board(name: "desk", receiver: Board.Receiver(port: "signalk://127.0.0.1:\(port)"))
    do { _ = try player(board, Notices()) } catch { text = "\(error)" }
    #expect(text.hasPrefix("signalk://127.0.0.1:\(port): connection refused: is the Signal K"))
  }
}
