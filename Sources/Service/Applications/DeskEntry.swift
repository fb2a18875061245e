import Monitoring
import ServiceProtocol

/// An application's desk, and who of the application is here.
struct DeskEntry {
  var desk: any ApplicationDesk
  var journal: UInt64
  var record: ApplicationRecord?
  var plan: LaunchPlan
  /// The sessions that are connected, and which of them takes events.
  var sessions: Set<Int> = []
  var listener: (session: Int, body: @Sendable (MonitoringEvent) -> Void)?
  /// The monitors that a session has opened.
  var monitors: [Int: Set<String>] = [:]
  /// The groups of the client that was here last.
  var groups: Set<UInt32> = []
  /// True while the listener is told nothing, by the policy.
  var isSilenced = false
  /// Whether a client of the application has been here since the daemon's start.
  var hasBeenJoined = false
}

/// A client that is connected, whether or not its application has a desk.
struct DeskClient {
  var key: ApplicationKey
  var peer: UnixSocket.Peer
  /// Hears the number of the application's journal before anything that comes from it.
  var onJournal: @Sendable (UInt64) -> Void
}
