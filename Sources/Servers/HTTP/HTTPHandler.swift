import LinuxIO

/// Answers the requests of a port of HTTP.
package protocol HTTPHandler: Sendable {
  /// Answers a request by `reply`: at once, or later where the answer waits for the host or the
  /// disk. Called on the server's thread, so it must return at once.
  func handle(_ request: HTTPRequest, _ reply: HTTPReply)
  /// The answer to a request that the server itself refuses.
  func refusal(_ status: HTTPStatus, _ reason: String) -> HTTPResponse
}

/// The place of the answer to one request. Only the first call counts.
package final class HTTPReply: Sendable {
  /// What is done with the connection.
  package enum Outcome: Sendable {
    case response(HTTPResponse)
    /// The connection becomes a WebSocket, with attributes that its opening reports, and with one of
    /// the protocols that the request offers.
    case webSocket([String: String], subprotocol: String?)
  }

  private let state = Locked<(outcome: Outcome?, isGiven: Bool)>((nil, false))
  private let wake: @Sendable () -> Void

  init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

  /// Answers with a response.
  package func send(_ response: HTTPResponse) { give(.response(response)) }

  /// Makes the connection a WebSocket, where the request asks for one and there is a place.
  package func upgrade(_ attributes: [String: String] = [:], subprotocol: String? = nil) {
    give(.webSocket(attributes, subprotocol: subprotocol))
  }

  private func give(_ outcome: Outcome) {
    let isFirst = state.withLock { state in
      guard !state.isGiven else { return false }
      state = (outcome, true)
      return true
    }
    if isFirst { wake() }
  }

  /// The outcome, once.
  func removeOutcome() -> Outcome? {
    state.withLock { state in
      defer { state.outcome = nil }
      return state.outcome
    }
  }
}
