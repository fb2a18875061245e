import CCurl
import Foundation
import LinuxIO
import Quantities

/// One POST request with limits of size and time.
package struct HTTPPost: Sendable {
  /// The answer.
  package struct Answer: Sendable {
    package var status: Int
    /// The `Retry-After` header.
    package var retryAfter: String?
    package var body: Data
  }

  /// Timeout of the connection, seconds. TCP retries after 1, 3 and 7 s (RFC 6298: 1 s, doubled
  /// each time).
  static let longestConnecting = 10.0

  var url: URL
  var userAgent: String
  /// Lines such as `Accept: text/plain`.
  var headers: [String]
  var body: Data
  /// Timeout of the whole exchange, seconds.
  var seconds: Double
  /// Most bytes of the answer's content, and of its header.
  var sizeLimit: Int

  /// Makes one.
  package init(
    url: URL, userAgent: String, headers: [String], body: Data, seconds: Double, sizeLimit: Int
  ) {
    self.url = url
    self.userAgent = userAgent
    self.headers = headers
    self.body = body
    self.seconds = seconds
    self.sizeLimit = sizeLimit
  }

  /// Sends the request and waits for the answer.
  /// - Parameter library: libcurl.
  /// - Returns: The answer, with any status.
  /// - Throws: Why there is no answer.
  package func answer(by library: CurlLibrary) throws(WiFiError) -> Answer {
    guard let exchange = ccurl_begin(library.functions) else {
      throw WiFiError(.unreachable("memory is short"))
    }
    defer { ccurl_end(exchange) }
    for line in headers where !ccurl_add_header(exchange, line) {
      throw WiFiError(.unreachable("memory is short"))
    }
    var received = ccurl_answer()
    var outcome = CCURL_FAILED
    let content = [UInt8](unsafeUninitializedCapacity: sizeLimit) { buffer, count in
      received.body = buffer.baseAddress
      received.limit = buffer.count
      outcome = post(exchange, &received)
      count = received.size
    }
    switch outcome {
    case CCURL_DONE:
      let pause = received.has_retry_after ? text(of: received.retry_after) : nil
      return Answer(status: received.status, retryAfter: pause, body: Data(content))
    case CCURL_TOO_LARGE: throw WiFiError(.badAnswer("more than \(sizeLimit) bytes"))
    case CCURL_TIMED_OUT: throw WiFiError(.unreachable("no answer within \(seconds) s"))
    case CCURL_NOT_HTTP:
      throw WiFiError(.badAnswer("it is not HTTP: \(text(of: received.fault))"))
    default: throw WiFiError(.unreachable(text(of: received.fault)))
    }
  }

  private func post(
    _ exchange: OpaquePointer, _ received: inout ccurl_answer
  ) -> ccurl_outcome {
    let bytes = Array(body)
    return url.absoluteString.withCString { url in
      userAgent.withCString { userAgent in
        bytes.withUnsafeBufferPointer { bytes in
          var request = ccurl_request(
            url: url, user_agent: userAgent, body: bytes.baseAddress, body_size: bytes.count,
            connect_milliseconds: Self.milliseconds(min(seconds, Self.longestConnecting)),
            total_milliseconds: Self.milliseconds(seconds))
          return ccurl_post(exchange, &request, &received)
        }
      }
    }
  }

  /// Milliseconds, at least 1, because 0 means no limit, and at most one day.
  private static func milliseconds(_ seconds: Double) -> Int {
    seconds > 0.001 ? Int(bounded: (min(seconds, 86_400) * 1000).rounded(.up)) : 1
  }

  private func text<Characters>(of characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}
