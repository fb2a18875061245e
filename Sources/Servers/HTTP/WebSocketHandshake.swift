import Formats
import FoundationEssentials

/// The begin of a WebSocket.
/// - Source: RFC 6455, section 4.2.
enum WebSocketHandshake {
  /// The only version.
  static let version = "13"
  /// The random bytes of a key.
  private static let keyCount = 16

  /// The answer that makes a connection a WebSocket.
  /// - Throws: `HTTPRefusal` for a request of another kind, after which the connection goes on.
  static func response(
    to request: HTTPRequest, subprotocol: String?
  ) throws(HTTPRefusal) -> HTTPResponse {
    let fields = request.fields
    guard request.method == "GET", request.isVersion11,
      fields.list("Upgrade", has: "websocket"), fields.list("Connection", has: "upgrade"),
      fields["Sec-WebSocket-Version"] == version
    else {
      throw HTTPRefusal(
        status: .upgradeRequired, reason: "only WebSocket version \(version) is supported")
    }
    let keys = fields.values(of: "Sec-WebSocket-Key")
    guard keys.count == 1, Data(base64Encoded: keys[0])?.count == keyCount else {
      throw HTTPRefusal(status: .badRequest, reason: "Sec-WebSocket-Key is not 16 bytes in base64")
    }
    return HTTPResponse(
      .switchingProtocols,
      [
        ("Upgrade", "websocket"), ("Connection", "Upgrade"),
        ("Sec-WebSocket-Accept", WebSocketKey.answer(to: keys[0])),
      ] + (subprotocol.map { [("Sec-WebSocket-Protocol", $0)] } ?? []))
  }
}
