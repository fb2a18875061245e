import FoundationEssentials
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
    do throws(HTTPExchange.Fault) {
      let exchange = try HTTPExchange(library, userAgent: userAgent, headers: headers)
      let answer = try exchange.post(
        Array(body), to: url.absoluteString, seconds: seconds, sizeLimit: sizeLimit)
      return Answer(
        status: answer.status, retryAfter: answer.retryAfter, body: Data(answer.body))
    } catch {
      switch error {
      case .noMemory: throw WiFiError(.unreachable("not enough memory"))
      case .tooLarge: throw WiFiError(.badAnswer("more than \(sizeLimit) bytes"))
      case .timedOut: throw WiFiError(.unreachable("no answer within \(seconds) s"))
      case .notHTTP(let text): throw WiFiError(.badAnswer("it is not HTTP: \(text)"))
      case .failed(let text): throw WiFiError(.unreachable(text))
      }
    }
  }
}
