import FlyingFox

extension HTTPResponse {
  /// The answer to a request of the header fields alone.
  var withoutContent: HTTPResponse {
    get async throws {
      var head = self
      head.headers[.contentLength] = "\(try await bodyData.count)"
      head.payload = .httpBody(HTTPBodySequence())
      return head
    }
  }
}
