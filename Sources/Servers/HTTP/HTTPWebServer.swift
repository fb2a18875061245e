/// The server of the web page, the JSON interface, metrics, and the WebSocket of live data.
final class HTTPWebServer: Server {
  /// The name in the policy, `org.lodestar.http`, in messages, and of the keys `http-port` and `http-address`.
  private static let name = "http"

  private let port: HTTPPort
  private let live: LiveData

  /// Makes a server; nil without a port.
  init?(_ address: StreamAddress, _ context: ServerContext) throws(ServerFault) {
    guard let number = address.port else { return nil }
    let connections = HTTPConnections(Self.name, port: number, log: context.log)
    let live = LiveData(Self.name, context, connections)
    guard
      let port = try HTTPPort(
        Self.name, at: address, serving: "the web page", HTTPPages(live), connections, context.log)
    else { return nil }
    (self.port, self.live) = (port, live)
  }

  var ports: [String: Int] { port.ports }

  func start() {
    live.start()
    port.start()
  }

  func stop() {
    live.stop()
    port.stop()
  }
}
