import Formats
import Servers

/// The requests of HTTP: equal for every split of the bytes, within their limits, and read
/// unchanged when they are written again; and the messages of a WebSocket.
struct HTTPRequestBody: FuzzBody {
  private static let pieces = [1, 2, 7, 1000]

  private var parser = HTTPRequestParser()

  /// A request of the greatest length in two buffers, with the room that arrays reserve.
  var mostHeldBytes: Int { 131_072 }

  func check(_ input: UnsafeRawBufferPointer) throws(Violation) {
    let bytes = Array(input)
    let whole = Self.read(bytes, piece: bytes.count + 1)
    for piece in Self.pieces {
      try expect(Self.read(bytes, piece: piece) == whole, "another result in pieces of \(piece)")
    }
    for request in whole.requests {
      try expect(
        request.path.hasPrefix("/") || request.method == "CONNECT"
          || request.method == "OPTIONS" && request.path == "*",
        "the path '\(request.path)'")
      try expect(request.host != nil || !request.isVersion11, "a request without a host")
      try expect(
        request.body.count <= HTTPRequestParser.longestRequest
          && request.fields.count <= HTTPRequestParser.mostFields, "a request beyond the limits")
      try Self.checkWriting(request)
    }
    if let refusal = whole.refusal {
      try expect(
        !refusal.reason.isEmpty && refusal.status.code >= 400, "a refusal without a reason")
    }
    let messages = Self.messages(bytes, piece: bytes.count + 1)
    for piece in Self.pieces {
      try expect(
        Self.messages(bytes, piece: piece) == messages, "other messages in pieces of \(piece)")
    }
  }

  mutating func accumulate(_ input: UnsafeRawBufferPointer) {
    parser.append(Array(input)[...])
    do throws(HTTPRefusal) {
      while try parser.next() != nil {}
    } catch {
      parser = HTTPRequestParser()
    }
  }

  private struct Reading: Equatable {
    var requests: [HTTPRequest] = []
    var refusal: HTTPRefusal?
  }

  private static func read(_ bytes: [UInt8], piece: Int) -> Reading {
    var (parser, reading, rest) = (HTTPRequestParser(), Reading(), bytes[...])
    do throws(HTTPRefusal) {
      while !rest.isEmpty {
        parser.append(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        while let request = try parser.next() { reading.requests.append(request) }
      }
    } catch {
      reading.refusal = error
    }
    return reading
  }

  /// Checks that a request that is written with a length reads back.
  private static func checkWriting(_ request: HTTPRequest) throws(Violation) {
    var target = request.path + (request.query.isEmpty ? "" : "?" + request.query)
    if target.isEmpty { target = "*" }
    let text =
      "\(request.method) \(target) HTTP/1.1\r\nHost: \(request.host ?? "")\r\n"
      + "Content-Length: \(request.body.count)\r\n\r\n"
    let again = read(Array(text.utf8) + request.body, piece: 100_000).requests
    // The head may have become longer than the limit by the length.
    guard request.body.count < HTTPRequestParser.longestRequest / 2, target.utf8.count < 4000 else {
      return
    }
    try expect(
      again.count == 1 && again[0].path == (request.path.isEmpty ? "*" : request.path)
        && again[0].query == request.query && again[0].body == request.body
        && again[0].host == request.host ?? "", "\(text) reads back as \(again)")
  }

  private static func messages(_ bytes: [UInt8], piece: Int) -> [WebSocketReader.Message] {
    var (reader, messages, rest) = (
      WebSocketReader(longest: 1000), [WebSocketReader.Message](), bytes[...]
    )
    do throws(WebSocketReader.Fault) {
      while !rest.isEmpty {
        reader.append(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        while let message = try reader.next() { messages.append(message) }
      }
    } catch {
      // The messages before it count.
    }
    return messages
  }
}
