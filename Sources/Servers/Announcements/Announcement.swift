import LinuxIO

/// A port of a server that programs of the network search for by its type.
struct Announcement: Equatable, Sendable {
  /// The service type, such as `_nmea-0183._tcp`.
  /// - Source: RFC 6763, section 7; IANA, Service Name and Transport Protocol Port Number Registry.
  var type: String
  var port: Int
  /// Where the port is reached; one of loopback is announced on this machine alone.
  var reach: ListeningReach
  /// The pairs `key=value` of the TXT record.
  var text: [String] = []
}

/// What the servers announce at present.
final class AnnouncementList: Sendable {
  private struct State {
    var announcements: [String: [Announcement]] = [:]
    var observer: (@Sendable ([Announcement]) -> Void)?

    var all: [Announcement] {
      announcements.sorted { $0.key < $1.key }.flatMap(\.value)
    }
  }

  private let state = Locked(State())

  /// Replaces what a server announces.
  func set(_ announcements: [Announcement], of server: String) {
    state.withLock { state in
      guard state.announcements[server] ?? [] != announcements else { return }
      state.announcements[server] = announcements
      state.observer?(state.all)
    }
  }

  /// Calls `observer` with all announcements, now and after each change. It must return at once.
  func observe(_ observer: (@Sendable ([Announcement]) -> Void)?) {
    state.withLock { state in
      state.observer = observer
      observer?(state.all)
    }
  }
}
