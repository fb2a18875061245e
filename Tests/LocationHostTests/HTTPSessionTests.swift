import LinuxIO
import Quantities
import Servers
import TestSupport
import Testing

/// A client's end of a session, with a clock that the test moves.
private final class SessionRig: HTTPHandler {
  private struct State {
    var requests: [(request: HTTPRequest, reply: HTTPReply)] = []
    var wakes = 0
  }

  private let state = Locked(State())
  let sockets = WebSockets()
  let events = Locked<[String]>([])

  init() {
    sockets.receive { [events] number, event in
      events.withLock { $0.append("\(number) \(event)") }
    }
  }

  var paths: [String] { state.withLock { $0.requests.map(\.request.path) } }
  var wakes: Int { state.withLock { $0.wakes } }

  func session(_ number: Int = 1) -> HTTPSession {
    HTTPSession(
      self, sockets,
      StreamClient(number: number, host: "192.0.2.7") { [self] in state.withLock { $0.wakes += 1 } }
    )
  }

  func handle(_ request: HTTPRequest, _ reply: HTTPReply) {
    state.withLock { $0.requests.append((request, reply)) }
  }

  func refusal(_ status: HTTPStatus, _ reason: String) -> HTTPResponse {
    HTTPResponse(status, body: Array(reason.utf8))
  }

  /// Answers the request of a number with a text.
  func answer(_ number: Int, _ text: String = "") {
    state.withLock { $0.requests[number].reply }.send(HTTPResponse(.ok, body: Array(text.utf8)))
  }

  func upgrade(_ number: Int) {
    state.withLock { $0.requests[number].reply }.upgrade(["subscribe": "all"])
  }
}

extension HTTPSession {
  fileprivate mutating func send(_ text: String, _ second: Double = 0) throws -> String {
    try send(Array(text.utf8), second)
  }

  fileprivate mutating func send(_ bytes: [UInt8], _ second: Double = 0) throws -> String {
    String(decoding: try receive(bytes[...], at: Self.at(second)), as: UTF8.self)
  }

  /// What is ready at a second, while some output waits.
  fileprivate mutating func output(_ second: Double = 0, waiting: Int = 0) throws -> String {
    let traffic = StreamTraffic(now: Self.at(second), waitingBytes: waiting)
    return String(decoding: try advance(traffic), as: UTF8.self)
  }

  fileprivate static func at(_ second: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_000_000_000).advanced(bySeconds: second)
  }
}

extension StreamRefusal {
  fileprivate var text: String { String(decoding: output, as: UTF8.self) }
}

@Suite("Connections of HTTP", .timeLimit(.minutes(30)))
struct HTTPSessionTests {
  private static let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"
  private static let upgrade =
    "GET /s HTTP/1.1\r\nHost: a\r\nConnection: keep-alive, Upgrade\r\nUpgrade: WebSocket\r\n"
    + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"

  private let rig = SessionRig()

  private func refusal(_ body: () throws -> Void) -> StreamRefusal? {
    thrownError(StreamRefusal.self, body)
  }

  @Test("a request that is answered later delays those after it, and answers have their order")
  func pipelining() throws {
    var session = rig.session()
    #expect(try session.send(Self.get + Self.get.replacing("/a", with: "/b") + "GET /c").isEmpty)
    #expect(rig.paths == ["/a"] && !session.isReading)
    #expect(try session.output().isEmpty)
    rig.answer(0, "first")
    #expect(rig.wakes == 1)
    let first = try session.output()
    #expect(first.hasPrefix("HTTP/1.1 200 OK\r\n") && first.hasSuffix("\r\n\r\nfirst"))
    #expect(first.contains("Content-Length: 5\r\n") && first.contains("Connection: keep-alive\r\n"))
    #expect(rig.paths == ["/a", "/b"])
    rig.answer(1, "second")
    rig.answer(1, "not sent")
    #expect(try session.output().hasSuffix("second") && session.isReading)
    #expect(try session.send(" HTTP/1.1\r\nHost: a\r\n\r\n").isEmpty)
    #expect(rig.paths == ["/a", "/b", "/c"])
  }

  @Test("no further request is begun while much output waits")
  func backlog() throws {
    var session = rig.session()
    _ = try session.send(Self.get + Self.get)
    rig.answer(0)
    _ = try session.output(waiting: 17_000)
    #expect(rig.paths.count == 1 && session.isStalled)
    _ = try session.output()
    #expect(rig.paths.count == 2 && !session.isStalled)
  }

  @Test("the connection ends after an answer of HTTP/1.0, and HEAD has the length alone")
  func ends() throws {
    var session = rig.session()
    _ = try session.send("HEAD / HTTP/1.0\r\n\r\n")
    rig.answer(0, "text")
    let end = refusal { _ = try session.output() }
    #expect(end?.text.hasSuffix("Content-Length: 4\r\nConnection: close\r\n\r\n") == true)
    #expect(end?.end.note == nil)
  }

  @Test("a body that the client announces is asked for, unless it is too long")
  func expectation() throws {
    let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: "
    var session = rig.session()
    #expect(try session.send(head + "2\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
    #expect(try session.send("a").isEmpty && rig.paths.isEmpty)
    #expect(try session.send("b").isEmpty && rig.paths == ["/"])
    var other = rig.session(2)
    #expect(try other.send(head + "2\r\n\r\nab").isEmpty)
    var long = rig.session(3)
    let end = refusal { _ = try long.send(head + "20000\r\n\r\n") }
    #expect(end?.text.hasPrefix("HTTP/1.1 413 Content Too Large\r\n") == true)
    #expect(
      end?.end.note == "a client was disconnected: a request of more than 16384 bytes")
  }

  @Test("a request whose head arrives byte by byte is ended 20 s after its first byte")
  func slow() throws {
    var session = rig.session()
    for (second, letter) in "GET / HTTP/1.1\r\nHost".enumerated() {
      #expect(try session.send(String(letter), Double(second)).isEmpty)
      #expect(try session.output(Double(second)).isEmpty)
    }
    let end = refusal { _ = try session.output(20.5) }
    #expect(end?.text.hasPrefix("HTTP/1.1 408 ") == true)
    #expect(end?.end.note == "a client was disconnected: no complete request within 20 s")
  }

  @Test("a request that is not answered within 20 s is refused, one that is has 20 s again")
  func unanswered() throws {
    var session = rig.session()
    _ = try session.send(Self.get)
    rig.answer(0)
    _ = try session.output(15)
    #expect(try session.send(Self.get, 30).isEmpty)
    #expect(try session.output(49).isEmpty)
    #expect(refusal { _ = try session.output(51) }?.text.hasPrefix("HTTP/1.1 503 ") == true)
  }

  @Test("an idle connection is closed after 60 s without a line, one that does not read after 10 s")
  func idle() {
    let session = rig.session()
    func end(unread: Double, idle: Double) -> StreamEnd? {
      session.end(
        StreamTraffic(now: HTTPSession.at(0), unreadSeconds: unread, idleSeconds: idle))
    }
    #expect(end(unread: 9, idle: 59) == nil)
    #expect(end(unread: 0, idle: 61) == StreamEnd(note: nil))
    #expect(end(unread: 11, idle: 11)?.note == "a client was disconnected: it does not read")
  }

  // MARK: WebSockets

  private func webSocket(_ number: Int = 1) throws -> HTTPSession {
    var session = rig.session(number)
    _ = try session.send(Self.upgrade)
    rig.upgrade(rig.paths.count - 1)
    // The key and its answer are the example of RFC 6455, section 1.3.
    #expect(
      try session.output()
        == "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n")
    #expect(session.isWebSocket)
    return session
  }

  /// A frame with a mask of zeros.
  private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [first, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
  }

  @Test("a connection becomes a WebSocket, with the frames that came with its request")
  func upgraded() throws {
    var session = rig.session()
    _ = try session.send(Array(Self.upgrade.utf8) + Self.frame(0x89, [65]))
    rig.upgrade(0)
    #expect(try session.output().hasSuffix("=\r\n\r\n\u{FFFD}\u{1}A"))
    rig.sockets.send(Array("hello".utf8))
    #expect(try session.output().hasSuffix("\u{5}hello") && rig.sockets.count == 1)
    _ = try session.send(Self.frame(1, [66]) + Self.frame(0x80, [67]))
    #expect(rig.events.withLock { $0 }.contains { $0.hasSuffix("text([66, 67])") })
  }

  @Test("a request that asks for no WebSocket, or for a wrong one, is refused and may be repeated")
  func handshake() throws {
    var session = rig.session()
    for (text, status) in [
      (Self.get, "426"), (Self.upgrade.replacing("Version: 13", with: "Version: 12"), "426"),
      (Self.upgrade.replacing("Upgrade: W", with: "X: W"), "426"),
      (Self.upgrade.replacing("dGhl", with: "####"), "400"),
      (Self.upgrade.replacing("dGhlIHNh", with: ""), "400"),
    ] {
      _ = try session.send(text)
      rig.upgrade(rig.paths.count - 1)
      #expect(try session.output().hasPrefix("HTTP/1.1 \(status) "), "\(text)")
    }
    #expect(rig.sockets.count == 0)
  }

  @Test(
    "a frame without a mask, a text that is not UTF-8 and a message that is too long close it",
    arguments: [
      ([0x81, 1, 65], 1002), ([0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007),
      ([0x81, 0xFE, 0x40, 1, 0, 0, 0, 0], 1009), ([0x88, 0x81, 0, 0, 0, 0, 3], 1002),
    ] as [([UInt8], Int)])
  func faults(bytes: [UInt8], status: Int) throws {
    var session = try webSocket()
    let end = refusal { _ = try session.send(bytes) }
    #expect(end?.output == [0x88, 2, UInt8(status >> 8), UInt8(status & 255)])
    #expect(end?.end.note?.hasPrefix("a WebSocket was closed: ") == true)
  }

  @Test("a close is answered, a last message closes, and places are limited")
  func closing() throws {
    var sessions = try (1...WebSockets.most).map { try webSocket($0) }
    var other = rig.session(1000)
    _ = try other.send(Self.upgrade)
    rig.upgrade(rig.paths.count - 1)
    #expect(try other.output().hasPrefix("HTTP/1.1 503 "))
    let end = refusal { _ = try sessions[0].send(Self.frame(0x88, [3, 232])) }
    #expect(end?.output == [0x88, 2, 3, 232] && end?.end.note == nil)
    rig.sockets.send([65], to: 2, isLast: true)
    rig.sockets.send([66], to: 2)
    let last = refusal { _ = try sessions[1].output() }
    #expect(last?.output == [0x81, 1, 65, 0x88, 2, 3, 240])
  }

  @Test("a silent WebSocket receives pings, and is closed after 60 s or with 64 KiB of output")
  func silence() throws {
    var session = try webSocket()
    #expect(try session.output(19).isEmpty)
    #expect(try session.output(21) == "\u{FFFD}\0")
    #expect(try session.output(22).isEmpty)
    func end(_ second: Double, _ waiting: Int = 0) -> StreamEnd? {
      session.end(StreamTraffic(now: HTTPSession.at(second), waitingBytes: waiting))
    }
    #expect(end(59) == nil && end(61) == StreamEnd(note: nil))
    #expect(
      end(0, 70_000)?.note == "a WebSocket was closed: its client does not read")
  }
}
