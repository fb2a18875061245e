import Foundation
import LinuxIO
import LocationHost
import Quantities
import ScriptedSource
import Servers
import TestSupport
import Testing

/// A raw client of a daemon's port.
private final class WebClient {
  private let socket: StreamSocket
  private(set) var received = ""
  private(set) var hasEnded = false

  init(_ rig: ServiceRig, _ option: String = "http-port", host: String = "127.0.0.1") throws {
    let port = try #require(rig.daemon.serverPorts[option])
    socket = try StreamSocket(
      host: host, port: port, until: MonotonicClock.now.advanced(bySeconds: 5))
  }

  /// Sends a text; a client that was disconnected need not notice.
  func send(_ text: String) { send(Array(text.utf8)) }

  func send(_ bytes: [UInt8]) {
    do throws(NetworkError) {
      try socket.write(bytes, until: MonotonicClock.now.advanced(bySeconds: 5))
    } catch { hasEnded = true }
  }

  func get(_ path: String, _ fields: String = "") {
    send("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
  }

  /// Sends nothing more.
  func finish() { socket.finishWriting() }

  /// Limits what the kernel accepts for the client.
  func limitInput() {
    var size: Int32 = 4096
    setsockopt(socket.file, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Reads what has arrived, without waiting.
  func readArrived() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    do throws(NetworkError) {
      let count = try socket.read(into: &buffer)
      received += String(decoding: buffer[..<count], as: UTF8.self)
    } catch { hasEnded = true }
  }

  /// What has arrived until it contains a text or the daemon ends the connection.
  func text(with part: String) -> String {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let deadline = MonotonicClock.now.advanced(bySeconds: 30)
    while !received.contains(part), !hasEnded, MonotonicClock.now < deadline {
      do throws(NetworkError) {
        let count = try socket.read(into: &buffer, until: deadline)
        received += String(decoding: buffer[..<count], as: UTF8.self)
      } catch { hasEnded = true }
    }
    return received
  }

  /// All that arrives until the daemon ends the connection.
  func all() -> String { text(with: "no text has this") }
}

@Suite("The port of HTTP", .timeLimit(.minutes(30)))
struct HTTPPortTests {
  private func rig(_ change: (inout ServeConfiguration) -> Void = { _ in }) throws -> ServiceRig {
    try ServiceRig {
      $0.http.address = StreamAddress(host: "127.0.0.1", port: 0)
      $0.signalK.address = StreamAddress(host: "127.0.0.1", port: 0)
      change(&$0)
    }
  }

  private static let upgrade =
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"

  private static func estimate(_ number: Int) -> Estimate {
    var estimate = Estimate.fix(latitude: 54.5, longitude: 10.25, at: Double(number + 1))
    estimate.magneticHeading = MagneticHeading(Angle(degrees: 40))
    return estimate
  }

  @Test("each file of the page is served whole, and HEAD has its length")
  func page() throws {
    let rig = try rig()
    let folder = SharedData.repository.appendingPathComponent("Sources/CWebPage/Page")
    for name in ["index.html", "page.js", "drawings.js", "page.css", "icon.svg"] {
      let content = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      let client = try WebClient(rig)
      client.get("/\(name)", "Connection: close\r\n")
      let text = client.all()
      #expect(text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Security-Policy: default-src 'self'"))
      #expect(text.hasSuffix("\r\n\r\n" + content), "\(name)")
      let head = try WebClient(rig)
      head.send("HEAD /\(name) HTTP/1.0\r\n\r\n")
      #expect(head.all().contains("Content-Length: \(content.utf8.count)\r\nConnection: close\r\n"))
    }
    rig.daemon.stop()
  }

  /// A WebSocket that has received an estimate.
  private func viewer(_ rig: ServiceRig) throws -> WebClient {
    let viewer = try WebClient(rig)
    viewer.get("/api/v1/stream", Self.upgrade)
    #expect(viewer.text(with: "calibration").contains(" 101 "))
    sendEstimates(rig, from: 0, to: viewer) { viewer.received.contains("\"type\":\"estimate\"") }
    return viewer
  }

  /// Sends estimates, which a viewer reads, until something holds.
  private func sendEstimates(
    _ rig: ServiceRig, from first: Int, to viewer: WebClient, until holds: () -> Bool
  ) {
    var number = first
    #expect(
      eventually {
        rig.publisher.send(Self.estimate(number))
        number += 1
        viewer.readArrived()
        return holds()
      })
  }

  @Test("pipelined requests are answered in their order, also those that wait for other threads")
  func pipelining() throws {
    let rig = try rig()
    let viewer = try viewer(rig)
    let client = try WebClient(rig)
    let paths = ["/api/v1/estimate", "/api/v1/status", "/absent", "/theme.js", "/metrics"]
    client.send(
      paths.map { "GET \($0) HTTP/1.1\r\nHost: localhost\r\n\r\n" }.joined()
        + "GET /icon.svg HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    let text = client.all()
    let parts = [
      "\"magneticHeading\":40", "\"version\"", "'/absent' is not served", "themechange",
      "lodestar_magnetic_heading_degrees 40", "</svg>",
    ]
    var rest = text[...]
    for part in parts {
      let found = rest.range(of: part)
      #expect(found != nil, "\(part) in \(text)")
      rest = rest[(found?.upperBound ?? rest.startIndex)...]
    }
    rig.daemon.stop()
    #expect(!viewer.all().isEmpty && viewer.hasEnded)
  }

  @Test("all requests that were sent before the client ended its output are answered")
  func halfClosed() throws {
    let rig = try rig()
    let client = try WebClient(rig)
    client.send(
      String(repeating: "GET /drawings.js HTTP/1.1\r\nHost: localhost\r\n\r\n", count: 40))
    client.finish()
    #expect(client.all().ranges(of: "HTTP/1.1 200 OK").count == 40)
    rig.daemon.stop()
  }

  @Test(
    "a malformed, ambiguous or too long request is refused at once, and its connection closed",
    arguments: [
      ("GET / HTTP/1.1\r\n\r\n", "400"),
      ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\ngarbage\r\n", "400"),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9223372036854775808\r\n\r\n", "400"),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: five\r\n\r\n", "400"),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", "400"),
      ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 16384\r\n\r\n", "413"),
      (
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
        "400"
      ),
      ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", "400"),
      ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", "400"),
      ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", "400"),
      ("GET / HTTP/1.1\r\nHost: a\0\r\n\r\n", "400"),
    ])
  func refused(request: String, status: String) throws {
    let rig = try rig()
    for option in ["http-port", "signalk-port"] {
      let client = try WebClient(rig, option)
      client.send(request)
      let text = client.all()
      #expect(client.hasEnded && text.hasPrefix("HTTP/1.1 \(status) "), "\(text)")
      #expect(text.contains("Content-Type: application/json\r\n") && text.hasSuffix("}"))
    }
    rig.daemon.stop()
  }

  @Test("a refusal arrives although the client goes on with its body")
  func discarded() throws {
    let rig = try rig()
    let client = try WebClient(rig)
    client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n")
    client.send(String(repeating: "x", count: 100_000))
    #expect(client.all().hasPrefix("HTTP/1.1 413 "))
    rig.daemon.stop()
  }

  @Test("a request by another name in .local is refused, as is one of a page of another origin")
  func hosts() throws {
    let rig = try rig()
    for option in ["http-port", "signalk-port"] {
      for (host, status) in [("evil.local", "403"), ("127.0.0.1", "200"), ("localhost:1", "200")] {
        let client = try WebClient(rig, option)
        client.send("GET /signalk HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        let found = option == "http-port" && status == "200" ? "404" : status
        #expect(client.text(with: "}").hasPrefix("HTTP/1.1 \(found) "), "\(option) \(host)")
      }
    }
    let client = try WebClient(rig)
    client.get("/api/v1/stream", Self.upgrade + "Origin: http://evil.example\r\n")
    #expect(client.text(with: "}").hasPrefix("HTTP/1.1 403 "))
    rig.daemon.stop()
  }

  @Test("a body in chunks is read, and one beyond 4096 bytes is refused")
  func bodies() throws {
    let rig = try rig()
    let head = "POST /api/v1/token HTTP/1.1\r\nHost: localhost\r\nX-Lodestar: 1\r\n"
    let client = try WebClient(rig)
    client.send(
      head + "Transfer-Encoding: chunked\r\n\r\n9\r\n{\"code\":\"\r\n3\r\n1\"}\r\n0\r\n\r\n")
    #expect(client.text(with: "}").hasPrefix("HTTP/1.1 401 "))
    client.send(head + "Content-Length: 5000\r\n\r\n" + String(repeating: "x", count: 5000))
    #expect(client.text(with: "at most 4096 bytes").contains("HTTP/1.1 413 "))
    rig.daemon.stop()
  }

  @Test("of more than 128 connections the one idle longest is closed, and WebSockets do not count")
  func connections() throws {
    let rig = try rig()
    let viewer = try WebClient(rig)
    viewer.get("/api/v1/stream", Self.upgrade)
    #expect(viewer.text(with: "calibration").contains(" 101 "))
    let clients = try (0..<128).map { _ in try WebClient(rig) }
    clients[127].get("/api/v1/status")
    #expect(clients[127].text(with: "}}").contains(" 200 "))
    // The first one is no longer the one that is idle longest.
    clients[0].get("/api/v1/status")
    #expect(clients[0].text(with: "}}").contains(" 200 "))
    let next = try WebClient(rig)
    next.get("/api/v1/status")
    #expect(next.text(with: "}}").contains(" 200 "))
    #expect(clients[1].all().isEmpty && clients[1].hasEnded)
    for client in [clients[0], clients[2]] {
      client.get("/icon.svg")
      #expect(client.text(with: "</svg>").contains("</svg>"))
    }
    #expect(
      rig.logged.all.contains {
        $0.contains("http: more than 128 connections: the one idle longest was closed")
      })
    rig.daemon.stop()
  }

  @Test(
    "a WebSocket that does not read is closed with one line, and others receive and are answered")
  func stopped() throws {
    let rig = try rig()
    let deaf = try WebClient(rig)
    deaf.limitInput()
    deaf.get("/api/v1/stream", Self.upgrade)
    #expect(deaf.text(with: "calibration").contains(" 101 "))
    let good = try viewer(rig)
    // "ab" as a masked ping.
    good.send([0x89, 0x82, 0, 0, 0, 0, 97, 98])
    #expect(good.text(with: "\u{FFFD}\u{2}ab").contains("\u{FFFD}\u{2}ab"))
    sendEstimates(rig, from: 1000, to: good) {
      rig.logged.all.contains {
        $0.contains("http: a WebSocket was closed: its client does not read")
      }
    }
    #expect(!good.hasEnded)
    rig.daemon.stop()
    // 1001: the server ends.
    #expect(good.all().hasSuffix("\u{2}\u{3}\u{FFFD}") && good.hasEnded)
  }

  @Test("a port that is taken is one warning with its owner, and is served once it is free")
  func taken() throws {
    var listener: StreamListener? = try StreamListener(host: "127.0.0.1", port: 0)
    let port = try #require(listener?.port)
    let rig = try rig { $0.http.address.port = port }
    let warnings = {
      rig.logged.all.filter {
        $0.contains("http: port \(port) is in use by ")
          && $0.hasSuffix(
            "the web page is not served; stop that program, or choose another port with http-port")
      }
    }
    #expect(warnings().count == 1)
    _ = listener
    listener = nil
    // It is tried again every ten seconds.
    #expect(
      eventually {
        do {
          let client = try WebClient(rig)
          client.get("/icon.svg")
          return client.text(with: "</svg>").contains("</svg>")
        } catch { return false }
      })
    #expect(warnings().count == 1)
    rig.daemon.stop()
  }
}
