import FlyingFox
import LinuxIO

extension WebSockets {
  /// Answers the request of a WebSocket, and takes its connection from the library once the answer is sent.
  /// - Parameters:
  ///   - request: The request.
  ///   - attributes: Passed to the event of its opening.
  /// - Returns: The answer of the handshake.
  /// - Throws: What the library throws.
  func upgrade(
    _ request: HTTPRequest, _ attributes: [String: String] = [:]
  ) async throws -> HTTPResponse {
    let end = HandOver(sockets: self, client: request.remoteAddress, attributes: attributes)
    return try await WebSocketHTTPHandler(handler: end).handleRequest(request)
  }
}

/// Frames for the library: none, until the WebSocket is closed. The library requests the first after it has
/// sent the answer, and reads nothing, because nothing requests the client's frames.
private struct HandOver: WSHandler {
  let sockets: WebSockets
  let client: HTTPRequest.Address?
  let attributes: [String: String]

  func makeFrames(
    for client: AsyncThrowingStream<WSFrame, any Error>
  ) async throws -> AsyncStream<WSFrame> {
    AsyncStream {
      guard let socket = takeConnection() else { return nil }
      await withCheckedContinuation { continuation in
        sockets.add(socket, attributes) { continuation.resume() }
      }
      return nil
    }
  }

  private func takeConnection() -> StreamSocket? {
    switch client {
    case .ip4(let host, let port), .ip6(let host, let port):
      sockets.connections.takeWebSocket(host: host, port: Int(port))
    case .unix, nil: nil
    }
  }
}
