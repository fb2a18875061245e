import Formats
import Testing

@Suite("A client of a WebSocket", .timeLimit(.minutes(30)))
struct WebSocketClientTests {
  @Test("the answer to the key is that of the specification")
  func key() {
    // RFC 6455, section 1.3.
    #expect(WebSocketKey.answer(to: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
  }

  private static func key(of request: [UInt8]) throws -> String {
    let text = String(decoding: request, as: UTF8.self)
    let line = text.split(separator: "\r\n").first { $0.hasPrefix("Sec-WebSocket-Key: ") }
    return String(try #require(line).dropFirst("Sec-WebSocket-Key: ".count))
  }

  @Test("opens with the right answer, in any pieces, and reads the frames behind it")
  func opens() throws {
    for piece in [1, 5, 1000] {
      var client = WebSocketClient(longest: 100)
      let key = try Self.key(of: client.request("/a", host: "boat:3000"))
      let answer =
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nsec-websocket-accept: "
        + WebSocketKey.answer(to: key) + "\r\n\r\n"
      let hello = WebSocketFrame.text(Array("Hello".utf8))
      let bytes = Array(answer.utf8) + hello + WebSocketFrame.ping
      var messages: [WebSocketReader.Message] = []
      for start in stride(from: 0, to: bytes.count, by: piece) {
        try client.append(bytes[start..<min(start + piece, bytes.count)]) { messages.append($0) }
      }
      #expect(client.isOpen && messages == [.text(Array("Hello".utf8)), .ping([])])
    }
  }

  @Test(
    "another answer is refused with its reason",
    arguments: [
      ("HTTP/1.1 401 Unauthorized\r\n\r\n", "401 Unauthorized"),
      ("HTTP/1.1 500 \u{1B}[2J\u{7}\r\n\r\n", "HTTP/1.1 500  [2J "),
      ("HTTP/1.1 101 X\r\nSec-WebSocket-Accept: AAAA\r\n\r\n", "does not fit"),
      (String(repeating: "x", count: 9000), "not that of an HTTP server"),
    ])
  func refuses(answer: String, reason: String) {
    var client = WebSocketClient(longest: 100)
    do throws(WebSocketClient.Refusal) {
      try client.append(Array(answer.utf8)[...]) { _ in }
      Issue.record("accepted")
    } catch {
      #expect(error.reason.contains(reason))
    }
  }

  @Test("a client's frames are masked with a key of their own, and a server reads them")
  func masked() throws {
    let text = Array("{\"subscribe\":[]}".utf8)
    var reader = WebSocketReader(longest: 100)
    reader.append(WebSocketFrame.masked(text)[...])
    reader.append(WebSocketFrame.maskedPong([7])[...])
    #expect(try reader.next() == .text(text))
    #expect(WebSocketFrame.masked(text) != WebSocketFrame.masked(text))
    // A server's frame must not be masked.
    var own = WebSocketReader(longest: 100, isOfServer: true)
    own.append(WebSocketFrame.masked(text)[...])
    #expect(throws: WebSocketReader.Fault.self) { try own.next() }
  }
}
