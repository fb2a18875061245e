import Formats
import Quantities

/// One connection of a port of HTTP: requests, which are answered one after the other, until it has
/// become a WebSocket.
package struct HTTPSession {
  /// The longest time between the first byte of a request and the answer, seconds.
  private static let longestRequest = 20.0
  /// The longest time without any data, seconds.
  private static let longestSilence = 60.0
  /// The longest time in which the kernel accepts none of the waiting output, seconds.
  private static let longestUnread = 10.0
  /// Limit of the waiting output while the next request is begun, bytes.
  private static let mostWaiting = 16 * 1024

  private let handler: any HTTPHandler
  private let sockets: WebSockets?
  private let client: StreamClient
  private var parser = HTTPRequestParser()
  /// The request that is being answered.
  private var pending: (request: HTTPRequest, reply: HTTPReply)?
  /// The arrival of the first byte of the present request.
  private var requestBegin: Timestamp?
  /// Whether the next request may be complete already.
  package private(set) var isStalled = false
  private var webSocket: WebSocketSession?

  /// Makes a session of a new connection.
  /// - Parameters:
  ///   - handler: Answers the requests.
  ///   - sockets: Those of the port; nil where it has none.
  ///   - client: The client.
  package init(_ handler: any HTTPHandler, _ sockets: WebSockets?, _ client: StreamClient) {
    (self.handler, self.sockets, self.client) = (handler, sockets, client)
  }

  /// Whether the connection has become a WebSocket.
  package var isWebSocket: Bool { webSocket != nil }

  /// False while a request is being answered or waits: what the client sends meanwhile waits in the
  /// kernel, and so does its end.
  package var isReading: Bool { pending == nil && !isStalled }

  /// Handles received bytes.
  /// - Returns: The output.
  /// - Throws: `StreamRefusal`, after whose output the connection is closed.
  package mutating func receive(
    _ bytes: ArraySlice<UInt8>, at now: Timestamp
  ) throws(StreamRefusal) -> [UInt8] {
    if let output = try webSocket?.receive(bytes, at: now) { return output }
    parser.append(bytes)
    return try begin(at: now)
  }

  /// Continues with what is ready or due.
  /// - Returns: The output.
  /// - Throws: `StreamRefusal`, after whose output the connection is closed.
  package mutating func advance(_ traffic: StreamTraffic) throws(StreamRefusal) -> [UInt8] {
    let now = traffic.now
    if let output = try webSocket?.advance(at: now) { return output }
    var output: [UInt8] = []
    if let (request, reply) = pending, let outcome = reply.removeOutcome() {
      (pending, requestBegin) = (nil, nil)
      switch outcome {
      case .response(let response): output = try answer(request, response)
      case .webSocket(let attributes, let subprotocol):
        return try upgrade(request, attributes, subprotocol, at: now)
      }
    } else if let requestBegin, now.seconds(since: requestBegin) > Self.longestRequest {
      let seconds = Int(bounded: Self.longestRequest)
      throw pending == nil
        ? refusal(.requestTimeout, "no complete request within \(seconds) s")
        : refusal(.serviceUnavailable, "no answer to a request within \(seconds) s")
    }
    isStalled = pending == nil && parser.hasInput
    guard isStalled, traffic.waitingBytes + output.count <= Self.mostWaiting else { return output }
    do throws(StreamRefusal) {
      return output + (try begin(at: now))
    } catch {
      throw StreamRefusal(output: output + error.output, end: error.end)
    }
  }

  /// Hands the next request over, where it is complete.
  private mutating func begin(at now: Timestamp) throws(StreamRefusal) -> [UInt8] {
    isStalled = false
    if parser.hasInput { requestBegin = requestBegin ?? now }
    do throws(HTTPRefusal) {
      guard var request = try parser.next() else {
        return parser.removeContinueExpectation() ? Array("HTTP/1.1 100 Continue\r\n\r\n".utf8) : []
      }
      request.client = client.host
      let reply = HTTPReply(wake: client.wake)
      pending = (request, reply)
      handler.handle(request, reply)
      return []
    } catch {
      throw refusal(error.status, error.reason)
    }
  }

  private func answer(
    _ request: HTTPRequest, _ response: HTTPResponse
  ) throws(StreamRefusal) -> [UInt8] {
    let bytes = response.bytes(to: request)
    guard request.keepsAlive else { throw StreamRefusal(output: bytes, end: StreamEnd(note: nil)) }
    return bytes
  }

  private func refusal(_ status: HTTPStatus, _ reason: String) -> StreamRefusal {
    StreamRefusal(output: handler.refusal(status, reason).bytes(to: nil), reason: reason)
  }

  // MARK: WebSockets

  private mutating func upgrade(
    _ request: HTTPRequest, _ attributes: [String: String], _ subprotocol: String?,
    at now: Timestamp
  ) throws(StreamRefusal) -> [UInt8] {
    let accepted: HTTPResponse
    do throws(HTTPRefusal) {
      accepted = try WebSocketHandshake.response(to: request, subprotocol: subprotocol)
    } catch {
      var response = handler.refusal(error.status, error.reason)
      if error.status == .upgradeRequired {
        response.fields["Upgrade"] = "websocket"
        response.fields["Sec-WebSocket-Version"] = WebSocketHandshake.version
      }
      return try answer(request, response)
    }
    guard let sockets, sockets.open(client) else {
      return try answer(
        request, handler.refusal(.serviceUnavailable, "too many streams are open; close one"))
    }
    webSocket = WebSocketSession(client.number, sockets, at: now)
    sockets.report(client.number, .opened(attributes))
    let rest = parser.removeRest()
    let output = accepted.bytes(to: request)
    do throws(StreamRefusal) {
      let first = try webSocket?.receive(rest[...], at: now) ?? []
      return output + first + (try webSocket?.advance(at: now) ?? [])
    } catch {
      throw StreamRefusal(output: output + error.output, end: error.end)
    }
  }

  /// Why the connection is closed at once; nil while it goes on.
  package func end(_ traffic: StreamTraffic) -> StreamEnd? {
    if let webSocket { return webSocket.end(traffic) }
    if traffic.unreadSeconds > Self.longestUnread { return .disconnected("it does not read") }
    return traffic.idleSeconds > Self.longestSilence ? StreamEnd(note: nil) : nil
  }
}

extension HTTPSession: StreamSession {
  var standing: StreamStanding { isWebSocket ? .separate : .replaceable }

  mutating func receive(
    _ bytes: ArraySlice<UInt8>, _ state: StreamState
  ) throws(StreamRefusal) -> [UInt8] {
    try receive(bytes, at: state.now)
  }

  func shutdown() -> [UInt8] { isWebSocket ? WebSocketFrame.close(1001) : [] }

  func closed() {
    if isWebSocket { sockets?.close(client.number) }
  }
}
