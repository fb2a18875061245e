import LinuxIO

/// The server of the web page, the JSON interface, metrics, and the WebSocket of live data.
final class HTTPWebServer: Server {
  /// The name in the policy, `org.lodestar.http`, in messages, and of the keys `http-port` and `http-address`.
  private static let name = "http"

  private let port: HTTPPort
  private let live: LiveData
  private let announcement: Announcement
  private let announcements: AnnouncementList
  private let tokens: HTTPTokens
  private let settings: HTTPSettings

  /// Makes a server; nil without a port.
  init?(_ settings: HTTPSettings, _ context: ServerContext) throws(ServerFault) {
    let tokens = HTTPTokens(context)
    guard let number = settings.port else {
      tokens.setAddress(nil)
      return nil
    }
    let connections = HTTPConnections(Self.name, port: number, log: context.log)
    let live = LiveData(
      Self.name, settings, tokens, WebSockets(Self.name, connections, log: context.log), context)
    guard
      let port = try HTTPPort(
        Self.name, at: settings.address, serving: "the web page", HTTPPages(live, tokens, settings),
        connections, context.log)
    else { return nil }
    (self.port, self.live, self.tokens, self.settings) = (port, live, tokens, settings)
    announcements = context.announcements
    announcement = Announcement(
      type: "_http._tcp", port: number, reach: ListeningReach(host: settings.address.host),
      text: ["path=/"])
  }

  var ports: [String: Int] { port.ports }

  func start() {
    live.start()
    port.start { [announcement, announcements] isListening in
      // On its own machine the page needs no search.
      let isAnnounced = isListening && !announcement.reach.isLoopback
      announcements.set(isAnnounced ? [announcement] : [], of: Self.name)
    }
    tokens.setAddress(settings.served)
  }

  func stop() {
    live.stop()
    port.stop()
  }
}
