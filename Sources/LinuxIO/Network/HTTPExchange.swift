import CCurl

/// POST requests by libcurl to one server, with limits of time and size. Consecutive ones use one
/// connection where the server permits it. Used from one thread.
package final class HTTPExchange {
  /// Timeout of a connection, seconds. TCP retries after 1, 3 and 7 s (RFC 6298: 1 s, doubled each
  /// time).
  private static let longestConnecting = 10.0

  /// Why there is no answer.
  package enum Fault: Error {
    case noMemory
    /// The answer of this status exceeds the limit; 0 where there was no status.
    case tooLarge(status: Int)
    case timedOut
    /// libcurl's message.
    case notHTTP(String)
    /// libcurl's message.
    case failed(String)
  }

  /// The answer.
  package struct Answer {
    package var status: Int
    /// The `Retry-After` header.
    package var retryAfter: String?
    package var body: [UInt8]
  }

  private let exchange: OpaquePointer
  private let userAgent: String
  private let authorities: String?

  /// Makes an exchange.
  /// - Parameters:
  ///   - library: libcurl.
  ///   - userAgent: The name of the program.
  ///   - headers: Lines such as `Accept: text/plain`.
  ///   - authorities: A file with the trusted certificates (PEM); nil for the system's.
  /// - Throws: `noMemory`.
  package init(
    _ library: CurlLibrary, userAgent: String, headers: [String], authorities: String? = nil
  ) throws(Fault) {
    guard let exchange = ccurl_begin(library.functions) else { throw .noMemory }
    (self.exchange, self.userAgent, self.authorities) = (exchange, userAgent, authorities)
    for line in headers where !ccurl_add_header(exchange, line) { throw .noMemory }
  }

  deinit { ccurl_end(exchange) }

  /// Sends a request and waits for the answer.
  /// - Parameters:
  ///   - body: The content.
  ///   - url: Where to.
  ///   - seconds: Timeout of the whole exchange.
  ///   - sizeLimit: Most bytes of the answer's content, and of its header.
  /// - Returns: The answer, with any status.
  /// - Throws: Why there is no answer.
  package func post(
    _ body: [UInt8], to url: String, seconds: Double, sizeLimit: Int
  ) throws(Fault) -> Answer {
    var received = ccurl_answer()
    var outcome = CCURL_FAILED
    let content = [UInt8](unsafeUninitializedCapacity: sizeLimit) { buffer, count in
      received.body = buffer.baseAddress
      received.limit = buffer.count
      outcome = post(body, url, seconds, &received)
      count = received.size
    }
    switch outcome {
    case CCURL_DONE:
      let pause = received.has_retry_after ? text(of: received.retry_after) : nil
      return Answer(status: received.status, retryAfter: pause, body: content)
    case CCURL_TOO_LARGE: throw .tooLarge(status: received.status)
    case CCURL_TIMED_OUT: throw .timedOut
    case CCURL_NOT_HTTP: throw .notHTTP(text(of: received.fault))
    default: throw .failed(text(of: received.fault))
    }
  }

  private func post(
    _ body: [UInt8], _ url: String, _ seconds: Double, _ received: inout ccurl_answer
  ) -> ccurl_outcome {
    url.withCString { url in
      userAgent.withCString { userAgent in
        withOptional(authorities) { authorities in
          body.withUnsafeBufferPointer { bytes in
            var request = ccurl_request(
              url: url, user_agent: userAgent, body: bytes.baseAddress, body_size: bytes.count,
              connect_milliseconds: Self.milliseconds(min(seconds, Self.longestConnecting)),
              total_milliseconds: Self.milliseconds(seconds), authorities: authorities)
            return ccurl_post(exchange, &request, &received)
          }
        }
      }
    }
  }

  /// Calls with the text's characters, or with NULL.
  private func withOptional<Result>(
    _ text: String?, _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    text.map { $0.withCString { body($0) } } ?? body(nil)
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
