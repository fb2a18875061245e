import LinuxIO
import Monitoring

/// An application's monitoring and its clients.
struct MonitoredApplication {
  var monitoring: any ApplicationMonitoring
  var journal: UInt64
  var record: ApplicationRecord?
  var plan: LaunchPlan
  /// The connected sessions.
  var sessions: Set<Int> = []
  /// The session that receives the events.
  var listener: (session: Int, body: @Sendable (MonitoringEvent) -> Void)?
  /// The open monitors of each session.
  var monitors: [Int: Set<String>] = [:]
  /// The claim of the newest client.
  var claim = Claim()
  /// True while the access allows no events.
  var isSilenced = false
  /// The events had no receiver meanwhile: the monitors must be opened again.
  var hasLostMonitors = false
  /// Whether a client of the application has connected since the daemon's start.
  var hasBeenJoined = false
}

/// A connected client; its application may have no monitoring.
struct MonitoringClient {
  var key: ApplicationKey
  var peer: PeerCredentials
  /// Receives the journal's number before any of its events.
  var onJournal: @Sendable (UInt64) -> Void
}
