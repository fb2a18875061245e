import Foundation
import LinuxIO
import Quantities
import ReceiverProtocols
import ScriptedSource
import Servers
import TestSupport
import Testing

@Suite("The HTTP server")
struct HTTPServerTests {
  /// A port that was free a moment ago.
  private static func freePort() throws -> Int {
    try #require(try StreamListener(host: "127.0.0.1", port: 0, backlog: 1).port)
  }

  /// The answer to a request: its head and the beginning of its body, until a text arrives or the connection ends.
  private static func answer(
    _ port: Int, _ request: String, until part: String, _ rig: ServiceRig
  ) throws -> String {
    let deadline = MonotonicClock.now.advanced(bySeconds: 10)
    var socket: StreamSocket?
    // The library opens the port on a thread of its own.
    while socket == nil {
      do {
        socket = try StreamSocket(host: "127.0.0.1", port: port, until: deadline)
      } catch {
        guard MonotonicClock.now < deadline else { throw error }
      }
    }
    guard let socket else { return "" }
    try socket.write(Array((request + "\r\n\r\n").utf8), until: deadline)
    var (text, buffer) = ("", [UInt8](repeating: 0, count: 65_536))
    var number = 0
    while !text.contains(part), MonotonicClock.now < deadline {
      var fix = Estimate.fix(latitude: 54.5, longitude: 10.25, at: Double(number) * 0.1 + 1)
      fix.magneticHeading = MagneticHeading(Angle(degrees: 40))
      rig.publisher.send(fix)
      number += 1
      do throws(NetworkError) {
        let soon = MonotonicClock.now.advanced(bySeconds: 0.05)
        let count = try socket.read(into: &buffer, until: min(soon, deadline))
        text += String(decoding: buffer[..<count], as: UTF8.self)
      } catch  where error.kind == .timedOut {
      } catch { break }
    }
    return text
  }

  @Test("it serves the page, the newest estimate, metrics and live messages, and refuses changes")
  func requests() throws {
    let port = try Self.freePort()
    let rig = try ServiceRig {
      $0.http = StreamAddress(host: "127.0.0.1", port: port)
    }
    func get(_ path: String, until part: String, _ more: String = "") throws -> String {
      try Self.answer(port, "GET \(path) HTTP/1.1\r\nHost: localhost\(more)", until: part, rig)
    }
    let page = try get("/", until: "</html>")
    #expect(page.hasPrefix("HTTP/1.1 200") && page.contains("default-src 'self'"))
    #expect(try get("/api/v1/estimate", until: "\"magneticHeading\":40.0000").contains("54.5"))
    #expect(try get("/metrics", until: "lodestar_latitude_degrees 54.5").contains("# TYPE"))
    #expect(try get("/absent", until: "is not served here").hasPrefix("HTTP/1.1 404"))
    let live = try get(
      "/api/v1/stream", until: "\"type\":\"estimate\"",
      "\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")
    // The key and its answer are the example of RFC 6455, section 1.3.
    #expect(live.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
    #expect(live.contains("\"type\":\"source\"") && live.contains("\"type\":\"calibration\""))
    let post = try Self.answer(
      port, "POST /api/v1/calibration/begin HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0",
      until: "nothing can be changed", rig)
    #expect(post.hasPrefix("HTTP/1.1 405"))
    rig.daemon.stop()
  }

  @Test("a port that is in use is a warning that names the key")
  func taken() throws {
    let listener = try StreamListener(host: "127.0.0.1", port: 0, backlog: 1)
    let port = try #require(listener.port)
    let rig = try ServiceRig { $0.http = StreamAddress(host: "127.0.0.1", port: port) }
    #expect(eventually { rig.logged.all.contains { $0.contains("another port with http-port") } })
    rig.daemon.stop()
  }
}
