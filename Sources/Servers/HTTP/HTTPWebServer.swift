/// The server of the web page, the JSON interface, metrics, and the WebSocket of live data.
final class HTTPWebServer: Server {
  /// The name in the policy, `org.lodestar.http`, in messages, and of the keys `http-port` and
  /// `http-address`.
  private static let name = "http"

  private let server: StreamServer
  private let live: LiveData
  private let tokens: HTTPTokens
  private let settings: HTTPSettings

  /// Makes a server; nil without a port.
  init?(_ settings: HTTPSettings, _ context: ServerContext) throws(ServerFault) {
    let tokens = HTTPTokens(context)
    let live = LiveData(Self.name, settings, tokens, context)
    let service = HTTPService(
      name: Self.name, content: "the web page", handler: HTTPPages(live, tokens, settings),
      sockets: live.sockets, announced: (["_http._tcp"], ["path=/"]))
    guard let server = try service.server(at: settings.address, context) else {
      tokens.setAddress(nil)
      return nil
    }
    (self.server, self.live, self.tokens, self.settings) = (server, live, tokens, settings)
  }

  var ports: [String: Int] { server.ports }

  func start() {
    live.start()
    server.start()
    tokens.setAddress(settings.served)
  }

  func stop() {
    server.stop()
    live.stop()
  }
}
