import Board
import Configuration
import Formats
import LinuxIO
import Quantities
import TestSupport
import Testing

/// A Signal K session with the test's clock.
@Suite("A Signal K session", .timeLimit(.minutes(30)))
struct SignalKSessionTests {
  private struct Talk {
    var session: SignalKSession
    var rows: [SensorSamples] = []
    var seconds = 100.0
    var now: Timestamp { Timestamp(nanoseconds: UInt64(nanosecondsIn: seconds)) }

    init(_ address: SignalKAddress) {
      session = SignalKSession(address: address, startedAt: Timestamp(nanoseconds: 100_000_000_000))
    }

    mutating func receive(_ bytes: [UInt8]) {
      let now = self.now
      bytes.withUnsafeBytes { session.push($0, at: now) { rows.append($0) } }
    }
    mutating func receive(_ line: String) { receive(Array((line + "\r\n").utf8)) }
    mutating func output() -> [UInt8]? { session.output(at: now) }
    var fault: String? { session.fault(at: now)?.description }
  }

  private static func delta(_ source: String) -> String {
    #"{"updates":[{"$source":"\#(source)","values":[{"path":"navigation.position","#
      + #""value":{"latitude":57.5,"longitude":11.5}}]}]}"#
  }

  @Test("silence, a server without a receiver, own values and another source are named")
  func faults() {
    var talk = Talk(SignalKAddress(host: "boat"))
    #expect(talk.output().map { String(decoding: $0, as: UTF8.self).contains("subscribe") } == true)
    #expect(talk.output() == nil && talk.fault == nil)
    talk.seconds += 10
    #expect(talk.fault?.hasPrefix("signalk://boat:8375: no data for 10 s") == true)
    let named = Self.delta("gps.GN").replacing(
      "{\"updates\"", with: "{\"context\":\"vessels.a\",\"updates\"")
    talk.receive(named)
    #expect(talk.fault?.contains("has not named its own vessel") == true)
    talk.receive(#"{"self":"vessels.self","version":"1.7.0"}"#)
    #expect(talk.session.hasAnswered && !talk.session.hasReported)
    #expect(talk.fault?.contains("no position or heading for 10 s") == true)
    talk.receive(Self.delta("lodestar.gnss"))
    #expect(talk.fault?.contains("only this program's own values (lodestar.gnss)") == true)
    #expect(talk.session.removeNotices().count == 1 && talk.rows.isEmpty)
    talk.receive(Self.delta("gps.GN"))
    #expect(talk.rows.count == 1 && talk.fault == nil)
    #expect(talk.session.source == "signalk://boat:8375/gps.GN")
    var other = Talk(SignalKAddress(host: "boat", source: "can0.1"))
    other.receive(Self.delta("gps.GN"))
    other.seconds += 11
    other.receive(Self.delta("gps.GN"))
    #expect(other.fault?.contains("has no source can0.1, it has gps.GN") == true)
    #expect(other.rows.isEmpty)
  }

  @Test("a WebSocket is opened, subscribed, answers pings, and a refusal is named")
  func webSocket() throws {
    var talk = Talk(SignalKAddress(.webSocket, host: "boat"))
    let first = talk.output()
    let request = String(decoding: try #require(first), as: UTF8.self)
    #expect(request.hasPrefix("GET /signalk/v1/stream?subscribe=none HTTP/1.1\r\nHost: boat:3000"))
    #expect(talk.output() == nil)
    let line = request.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
    let key = String(try #require(line).dropFirst("Sec-WebSocket-Key: ".count))
    talk.receive(
      Array(
        ("HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: "
          + WebSocketKey.answer(to: key) + "\r\n\r\n").utf8))
    var server = WebSocketReader(longest: 4096)
    let second = talk.output()
    server.append(try #require(second)[...])
    guard case .text(let text) = try server.next() else { throw Missing() }
    #expect(String(decoding: text, as: UTF8.self).contains("\"context\":\"vessels.self\""))
    talk.receive(WebSocketFrame.text(Array(Self.delta("gps.GN").utf8)) + WebSocketFrame.ping)
    #expect(talk.rows.count == 1 && talk.session.refusal == nil)
    #expect(talk.output()?.first == 0x8A)
    talk.receive(WebSocketFrame.close(1000))
    #expect(talk.fault?.contains("the Signal K server closed the connection") == true)
    var refused = Talk(SignalKAddress(.webSocket, host: "boat"))
    refused.receive(Array("HTTP/1.1 401 Unauthorized\r\n\r\n".utf8))
    #expect(refused.fault?.contains("401 Unauthorized") == true)
    #expect(refused.fault?.contains("Allow Readonly Access") == true)
  }

  @Test("values that have come through this process's own server are not used")
  func ownServer() throws {
    let server = try ScriptedServer { _, _ in }
    defer { server.stop() }
    var talk = Talk(SignalKAddress(host: "localhost"))
    talk.receive(Self.delta("sk.127.0.0.1:\(server.port)"))
    #expect(talk.rows.isEmpty && talk.session.counts.own == 1)
    // The other machine's localhost is not this one.
    var other = Talk(SignalKAddress(host: "192.0.2.1"))
    other.receive(Self.delta("sk.127.0.0.1:\(server.port)"))
    #expect(other.rows.count == 1)
  }

  private struct Missing: Error {}
}
