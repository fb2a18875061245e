import LinuxIO

/// The server of the web page, the JSON interface, metrics, and the WebSocket of live data.
final class HTTPWebServer: Server {
  /// The name in the policy, `org.lodestar.http`, in messages, and of the keys `http-port` and `http-address`.
  private static let name = "http"

  private let port: HTTPPort
  private let live: LiveData
  private let announcement: Announcement
  private let announcements: AnnouncementList

  /// Makes a server; nil without a port.
  init?(_ address: StreamAddress, _ context: ServerContext) throws(ServerFault) {
    guard let number = address.port else { return nil }
    let connections = HTTPConnections(Self.name, port: number, log: context.log)
    let live = LiveData(Self.name, context, connections)
    guard
      let port = try HTTPPort(
        Self.name, at: address, serving: "the web page", HTTPPages(live), connections, context.log)
    else { return nil }
    (self.port, self.live, announcements) = (port, live, context.announcements)
    announcement = Announcement(
      type: "_http._tcp", port: number, reach: ListeningReach(host: address.host),
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
  }

  func stop() {
    live.stop()
    port.stop()
  }
}
