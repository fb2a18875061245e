import FoundationEssentials
import Quantities

/// A client's end of a WebSocket: the request, the check of the answer, and then the messages. It
/// has no socket, and stores at most one answer of 8 KiB or one message.
/// - Source: RFC 6455, sections 4.1 and 5.
package struct WebSocketClient: Sendable {
  /// Why the connection cannot be used.
  package struct Refusal: Error, Equatable, Sendable {
    /// The reason, in some words.
    package let reason: String
  }

  /// Limit of the answer, bytes.
  private static let longestAnswer = 8192

  private let key: String
  private let longest: Int
  /// The bytes of an answer that is not complete.
  private var answer: [UInt8] = []
  private var reader: WebSocketReader
  /// Whether the server has agreed.
  package private(set) var isOpen = false

  /// Makes a client whose messages have at most `longest` bytes.
  package init(longest: Int) {
    key = Data((0..<16).map { _ in UInt8.random(in: 0...255) }).base64EncodedString()
    self.longest = longest
    reader = WebSocketReader(longest: longest, isOfServer: true)
  }

  /// The request to send first.
  package func request(_ path: String, host: String) -> [UInt8] {
    let fields = [
      "GET \(path) HTTP/1.1", "Host: \(host)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: \(key)",
    ]
    return Array((fields.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  /// Adds received bytes and calls `body` with each complete message.
  package mutating func append(
    _ bytes: ArraySlice<UInt8>, _ body: (WebSocketReader.Message) -> Void
  ) throws(Refusal) {
    if isOpen { reader.append(bytes) } else if try !open(bytes) { return }
    do throws(WebSocketReader.Fault) {
      while let message = try reader.next() { body(message) }
    } catch {
      throw Refusal(reason: error.description)
    }
  }

  /// Reads the answer; false until it is complete.
  private mutating func open(_ bytes: ArraySlice<UInt8>) throws(Refusal) -> Bool {
    answer += bytes
    guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else {
      guard answer.count <= Self.longestAnswer else {
        throw Refusal(reason: "its answer is not that of an HTTP server")
      }
      return false
    }
    let lines = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
      .split(separator: "\r\n", omittingEmptySubsequences: false)
    let words = lines[0].split(separator: " ", maxSplits: 2)
    guard words.count > 1, words[0].hasPrefix("HTTP/1."), words[1] == "101" else {
      throw Refusal(
        reason: "its answer is '\(String(printable: lines[0]))' in place of a WebSocket")
    }
    let accepted = lines.dropFirst().contains { line in
      guard let colon = line.firstIndex(of: ":") else { return false }
      return line[..<colon].lowercased() == "sec-websocket-accept"
        && line[line.index(after: colon)...].trimmed
          == WebSocketKey.answer(to: key)
    }
    guard accepted else { throw Refusal(reason: "its answer does not fit the WebSocket's key") }
    isOpen = true
    reader.append(answer[end.upperBound...])
    answer = []
    return true
  }
}
