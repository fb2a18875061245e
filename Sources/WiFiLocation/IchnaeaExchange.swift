import Foundation

/// One request to a service and its answer.
enum IchnaeaExchange {
  /// Who asks, as services want to know of their users.
  static let userAgent = "Lodestar (Core Location for Linux)"
  /// Seconds by which a resolver that hangs may exceed the time-out, before it is left alone.
  static let patience = 1.0

  /// Asks, and waits for the answer.
  /// - Parameters:
  ///   - request: What to ask.
  ///   - configuration: Whom.
  ///   - library: By which libcurl.
  /// - Returns: Latitude and longitude in degrees, and the radius in metres.
  /// - Throws: Why there is no position.
  static func ask(
    _ request: IchnaeaRequest, _ configuration: WiFiConfiguration, _ library: CurlLibrary
  ) throws(WiFiError) -> (latitude: Double, longitude: Double, radius: Double) {
    let seconds = configuration.timeoutSeconds
    // A redirection would tell somebody else which access points are here: its status is the answer.
    let post = HTTPPost(
      url: configuration.requestURL, userAgent: userAgent,
      // Without the last, libcurl would wait for leave to send a longer request.
      headers: ["Content-Type: application/json", "Accept: application/json", "Expect:"],
      body: try request.body, seconds: seconds, sizeLimit: IchnaeaAnswer.sizeLimit)
    let result = Deadline(seconds: seconds + patience).result {
      () -> Result<HTTPPost.Answer, WiFiError> in
      do throws(WiFiError) {
        return .success(try post.answer(by: library))
      } catch {
        return .failure(error)
      }
    }
    guard let result else { throw WiFiError(.unreachable("no answer within \(seconds) s")) }
    let answer = try result.get()
    return try IchnaeaAnswer.read(
      status: answer.status, retryAfter: answer.retryAfter, body: answer.body)
  }
}
