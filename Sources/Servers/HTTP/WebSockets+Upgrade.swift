import FlyingFox
import LinuxIO

extension WebSockets {
  /// Answers the request of a WebSocket, and takes its connection from the library once the answer is sent.
  func upgrade(_ request: HTTPRequest) async throws -> HTTPResponse {
    let query = Dictionary(
      request.query.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    let end = HandOver(sockets: self, client: request.remoteAddress, query: query)
    return try await WebSocketHTTPHandler(handler: end).handleRequest(request)
  }
}

/// Frames for the library: none, until the WebSocket is closed. The library requests the first after it has sent the answer,
/// and reads nothing, because nothing requests the client's frames.
private struct HandOver: WSHandler {
  let sockets: WebSockets
  let client: HTTPRequest.Address?
  let query: [String: String]

  func makeFrames(
    for client: AsyncThrowingStream<WSFrame, any Error>
  ) async throws -> AsyncStream<WSFrame> {
    AsyncStream {
      guard let socket = takeConnection() else { return nil }
      await withCheckedContinuation { continuation in
        sockets.add(socket, query: query) { continuation.resume() }
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
