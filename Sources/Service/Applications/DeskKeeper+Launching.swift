import Foundation
import Monitoring

/// Applications are started for which an event waits.
extension DeskKeeper {
  func launchIfDue(_ key: ApplicationKey) {
    guard !isEnding, let entry = entries[key], entry.sessions.isEmpty,
      // A client that ran under a daemon before takes some seconds to come back.
      entry.hasBeenJoined || DispatchTime.now().uptimeNanoseconds >= graceEnd,
      entry.desk.pending.contains(where: { $0.kind.startsApplications }),
      access.access(of: key, groups: entry.groups).authorization == .always,
      let unit = access.policy.unit(for: key.id),
      entries[key]?.plan.isDue(at: Double(DispatchTime.now().uptimeNanoseconds) * 1e-9) == true
    else { return }
    launcher.launch(
      LaunchRequest(
        unit: unit, application: key,
        manager: entry.record?.manager ?? (key.uid == 0 ? .system : .user)))
  }
}

extension MonitoringEvent.Kind {
  /// Whether an application is started for it: for what happens in the world, not for an answer that it was to
  /// have while it ran.
  var startsApplications: Bool {
    switch self {
    case .entered, .exited, .visit, .significantChange, .condition: true
    case .regionStarted, .regionFailed, .regionState: false
    }
  }
}
