import HostProtocol
import Monitoring
import Quantities
import Synchronization

/// What the source has to measure: the combined demand of clients and monitoring.
final class SourceDemand: Sendable {
  private let sessions: HostSessions
  private let source: any HostSource
  private let monitoring = Mutex(FixDemand.none)
  private let updates = RepeatedWork()

  init(_ sessions: HostSessions, _ source: any HostSource) {
    (self.sessions, self.source) = (sessions, source)
  }

  /// Changes the demand of monitoring.
  func set(monitoring demand: FixDemand) {
    monitoring.withLock { $0 = demand }
    update()
  }

  /// Sets the source's demand after a change of a client's demand or access.
  func update() { updates.run { apply() } }

  private func apply() {
    var demand = monitoring.withLock { $0 }
    var (isNeeded, wantsSamples, wantsReceiver) = (demand != .none, false, false)
    var activities: Set<Activity> = []
    for session in sessions.all {
      session.withState { state in
        // A magnetic heading needs no fix.
        isNeeded = isNeeded || state.takesMagneticHeadingsOnly
        guard state.access.authorization.isGranted else { return }
        demand = FixDemand.most(demand, state.demand.fixDemand)
        if state.demand.fixes { activities.insert(state.demand.motion) }
        // A resting receiver sends nothing.
        if state.takesReceiver { demand = .continuous }
        isNeeded =
          isNeeded || !state.demand.isEmpty || state.takesSamples || state.takesReceiver
        wantsReceiver = wantsReceiver || state.takesReceiver
        wantsSamples = wantsSamples || state.takesSamples
      }
    }
    source.set(
      demand, isNeeded: isNeeded, wantsSamples: wantsSamples, wantsReceiver: wantsReceiver,
      activity: Activity.common(of: activities))
  }
}
