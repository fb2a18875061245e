import Formats
import TestSupport
import Testing

@Suite("Frames of a WebSocket", .timeLimit(.minutes(30)))
struct WebSocketFramesTests {
  /// A client's frame with the mask 1, 2, 3, 4.
  private static func frame(_ first: UInt8, _ payload: [UInt8], size: Int? = nil) -> [UInt8] {
    let count = size ?? payload.count
    var bytes = [first]
    if count < 126 {
      bytes.append(0x80 | UInt8(count))
    } else {
      bytes.append(0x80 | 127)
      for place in (0..<8).reversed() {
        bytes.append(UInt8(truncatingIfNeeded: count >> (8 * place)))
      }
    }
    return bytes + [1, 2, 3, 4]
      + payload.enumerated().map { $0.element ^ [1, 2, 3, 4][$0.offset % 4] }
  }

  private static func read(
    _ bytes: [UInt8], longest: Int = 1000, piece: Int = 3
  ) throws -> [WebSocketReader.Message] {
    var reader = WebSocketReader(longest: longest)
    var messages: [WebSocketReader.Message] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      reader.append(bytes[start..<min(start + piece, bytes.count)])
      while let message = try reader.next() { messages.append(message) }
    }
    return messages
  }

  @Test(
    "a close with a status that no client may send is malformed", arguments: [0, 999, 1005, 2999])
  func status(_ status: Int) {
    let bytes = [0x88, 0x82, 1, 2, 3, 4, UInt8(status >> 8) ^ 1, UInt8(status & 255) ^ 2]
    #expect(throws: WebSocketReader.Fault.self) { try Self.read(bytes) }
  }

  @Test("what precedes a malformed frame counts, in any pieces", arguments: [1, 3, 100])
  func beforeFault(_ piece: Int) throws {
    // A ping, then a reserved kind.
    let bytes: [UInt8] = [0x89, 0x81, 0, 0, 0, 0, 7, 0x83, 0x80, 0, 0, 0, 0]
    var (reader, messages) = (WebSocketReader(longest: 1000), [WebSocketReader.Message]())
    do throws(WebSocketReader.Fault) {
      for start in stride(from: 0, to: bytes.count, by: piece) {
        reader.append(bytes[start..<min(start + piece, bytes.count)])
        while let message = try reader.next() { messages.append(message) }
      }
      Issue.record("no fault")
    } catch {
      #expect(error.status == 1002)
    }
    #expect(messages == [.ping([7])])
  }

  @Test("a server's frames have the lengths of the specification and no mask")
  func written() {
    // RFC 6455, section 5.7: "Hello".
    #expect(
      WebSocketFrame.text(Array("Hello".utf8)) == [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f])
    #expect(
      Array(WebSocketFrame.text([UInt8](repeating: 65, count: 256)).prefix(4)) == [
        0x81, 0x7E, 1, 0,
      ])
    #expect(
      Array(WebSocketFrame.text([UInt8](repeating: 65, count: 65_536)).prefix(10))
        == [0x81, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0])
    #expect(WebSocketFrame.pong([7]) == [0x8A, 1, 7])
    #expect(WebSocketFrame.close(1000) == [0x88, 2, 0x03, 0xE8])
  }

  @Test(
    "messages in one frame, in several with a ping between them, and a close are read in any pieces"
  )
  func read() throws {
    // RFC 6455, section 5.7: a masked "Hello".
    let hello: [UInt8] = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58]
    let text =
      hello + Self.frame(1, [65, 66]) + Self.frame(0x89, [9]) + Self.frame(0x80, [67])
      + Self.frame(0x8A, []) + Self.frame(0x82, [0]) + Self.frame(0x88, [3, 232])
    for piece in [1, 2, 5, 1000] {
      let expected: [WebSocketReader.Message] = [
        .text(Array("Hello".utf8)), .ping([9]), .text([65, 66, 67]), .binary([0]), .close,
      ]
      #expect(try Self.read(text, piece: piece) == expected)
    }
  }

  @Test(
    "a message that is too long ends the connection at its length, or at the frame that exceeds it")
  func length() throws {
    let fault = thrownError(WebSocketReader.Fault.self) {
      try Self.read(Self.frame(0x81, [], size: 1 << 30))
    }
    #expect(fault?.status == 1009)
    let endless = [0x81, 0xFF] + [UInt8](repeating: 0xFF, count: 8)
    #expect(throws: WebSocketReader.Fault.self) { try Self.read(endless) }
    let part = Self.frame(0, [UInt8](repeating: 65, count: 100))
    let begin = Self.frame(1, [65])
    #expect(throws: WebSocketReader.Fault.self) {
      try Self.read(begin + part + part, longest: 150)
    }
    #expect(try Self.read(begin + part, longest: 150).isEmpty)
  }

  @Test("a message of more than 64 parts or with an empty part ends the connection")
  func parts() throws {
    let begin = Self.frame(1, [])
    let part = Self.frame(0, [65])
    func parts(_ count: Int) -> [UInt8] {
      begin + [[UInt8]](repeating: part, count: count - 2).flatMap { $0 } + Self.frame(0x80, [])
    }
    #expect(try Self.read(parts(64) + parts(64)).count == 2)
    let many = thrownError(WebSocketReader.Fault.self) { try Self.read(parts(65)) }
    #expect(many?.status == 1009)
    let empty = thrownError(WebSocketReader.Fault.self) {
      try Self.read(begin + part + Self.frame(0, []))
    }
    #expect(empty?.status == 1008)
  }

  @Test(
    "frames that the specification forbids end the connection",
    arguments: [
      [0x81, 0x01, 65], [0xC1, 0x80], [0x83, 0x80], [0x09, 0x80], [0x89, 0xFE],
      [0x80, 0x80, 0, 0, 0, 0], [0x01, 0x80, 0, 0, 0, 0, 0x81, 0x80, 0, 0, 0, 0],
    ] as [[UInt8]])
  func forbidden(bytes: [UInt8]) throws {
    let fault = thrownError(WebSocketReader.Fault.self) { try Self.read(bytes, piece: 100) }
    #expect(fault?.status == 1002)
  }
}
