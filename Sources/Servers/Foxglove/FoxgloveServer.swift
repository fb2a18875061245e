import Formats
import LinuxIO
import LocationHost

/// Live messages for Foxglove by its WebSocket protocol.
final class FoxgloveServer: Server {
  /// The name in the policy, `org.lodestar.foxglove`, and of its keys.
  static let name = "foxglove"

  private let server: StreamServer
  private let hub: FoxgloveHub

  /// Makes a server; nil without a port.
  init?(_ settings: FoxgloveSettings, _ context: ServerContext) throws(ServerFault) {
    let hub = FoxgloveHub(context)
    let service = HTTPService(
      name: Self.name, content: "the WebSocket of Foxglove",
      handler: FoxglovePages(BrowserGuard(names: settings.names)), sockets: hub.sockets,
      announced: ([], []))
    guard let server = try service.server(at: settings.address, context) else { return nil }
    (self.server, self.hub) = (server, hub)
  }

  var ports: [String: Int] { server.ports }

  func start() {
    hub.start()
    server.start()
  }

  func stop() {
    server.stop()
    hub.stop()
  }
}

/// Makes each request of a known protocol a WebSocket.
private struct FoxglovePages: HTTPHandler {
  /// The pages of Foxglove's own applications: in the user's browser, and of the desktop, whose
  /// pages are files of the user's machine.
  /// - Source: Foxglove Studio, `StudioWindow.ts`.
  private static let ownPages = ["https://app.foxglove.dev", "file://"]

  let browsers: BrowserGuard

  init(_ browsers: BrowserGuard) { self.browsers = browsers }

  func handle(_ request: HTTPRequest, _ reply: HTTPReply) {
    let origin = request.fields["Origin"]
    if let fault = browsers.fault(
      host: request.host, origin: Self.ownPages.contains(origin ?? "") ? nil : origin)
    {
      return reply.send(refusal(.forbidden, fault))
    }
    let offered = request.fields.values(of: "Sec-WebSocket-Protocol").flatMap {
      $0.split(separator: ",").map { $0.filter { $0 != " " } }
    }
    guard let chosen = FoxgloveMessage.subprotocols.first(where: offered.contains) else {
      return reply.send(
        refusal(
          .badRequest,
          "open this address in Foxglove, which asks for \(FoxgloveMessage.subprotocols.joined(separator: " or "))"
        ))
    }
    reply.upgrade(subprotocol: chosen)
  }

  func refusal(_ status: HTTPStatus, _ reason: String) -> HTTPResponse {
    HTTPResponse(
      status, [("Content-Type", "text/plain; charset=utf-8")], body: Array("\(reason)\n".utf8))
  }
}
