import HostProtocol
import LinuxIO
import Monitoring

/// An application's monitoring and its clients.
struct MonitoredApplication {
  var monitoring: any ApplicationMonitoring
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
  /// True while the access allows no events.
  var isSilenced = false
  /// True once the receiver was removed: the open monitors have to be opened again.
  var hasLostMonitors = false
  /// Whether a client of the application has been here since the daemon's start.
  var hasBeenJoined = false
}

/// A client that is connected, whether or not its application is monitored for.
struct MonitoringClient {
  var key: ApplicationKey
  var peer: PeerCredentials
  /// Receives the number of the application's journal before anything that comes from it.
  var onJournal: @Sendable (UInt64) -> Void
}
