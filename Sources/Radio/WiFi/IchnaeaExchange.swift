import LinuxIO

/// One request to a service and its answer.
enum IchnaeaExchange {
  /// The user agent, as services require.
  static let userAgent = "Lodestar (Core Location for Linux)"
  /// Seconds that a resolver may exceed the timeout before it is abandoned.
  static let resolverGrace = 1.0

  /// Sends the request and waits for the answer.
  /// - Parameters:
  ///   - request: The request.
  ///   - configuration: The service.
  ///   - library: libcurl.
  /// - Returns: Latitude and longitude in degrees, and the radius in metres.
  /// - Throws: Why there is no position.
  static func ask(
    _ request: IchnaeaRequest, _ configuration: WiFiConfiguration, _ library: CurlLibrary
  ) throws(WiFiError) -> (latitude: Double, longitude: Double, radius: Double) {
    let seconds = configuration.timeoutSeconds
    // A redirection would send the access points to another server: it is not followed.
    let post = HTTPPost(
      url: configuration.requestURL, userAgent: userAgent,
      // Without the last, libcurl would wait for "100 Continue" before a longer request.
      headers: ["Content-Type: application/json", "Accept: application/json", "Expect:"],
      body: try request.body, seconds: seconds, sizeLimit: IchnaeaAnswer.sizeLimit)
    let result = Deadline(seconds: seconds + resolverGrace).result {
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
