import Monitoring

extension MonitoringCommand {
  /// True if the command only requests an event and registers nothing.
  var isQuestion: Bool { if case .requestState = self { true } else { false } }

  /// True if the command changes what is registered, which a host stores.
  var changesRegistrations: Bool {
    switch self {
    case .startRegion, .stopRegion, .startVisits, .stopVisits, .startSignificantChanges,
      .stopSignificantChanges, .addCondition, .removeCondition:
      true
    case .requestState, .openMonitor, .closeMonitor, .acknowledge: false
    }
  }

  /// True if the command replaces an earlier one about the same registration.
  func undoes(_ other: MonitoringCommand) -> Bool {
    slot != nil && slot == other.slot
  }

  /// The registration that the command sets. Of several commands with the same slot only the last
  /// one counts; nil if each one counts.
  var slot: [String]? {
    switch self {
    case .startRegion, .stopRegion: subject.map { ["region"] + $0 }
    case .addCondition, .removeCondition: subject.map { ["condition"] + $0 }
    case .startVisits, .stopVisits: ["visits"]
    case .startSignificantChanges, .stopSignificantChanges: ["significant"]
    case .openMonitor(let name), .closeMonitor(let name): ["monitor", name]
    case .requestState, .acknowledge: nil
    }
  }

  /// The identifiers of the registration; nil for a command without identifiers.
  var subject: [String]? {
    switch self {
    case .startRegion(let region): [region.identifier]
    case .stopRegion(let identifier): [identifier]
    case .addCondition(let monitor, let identifier, _, _): [monitor, identifier]
    case .removeCondition(let monitor, let identifier): [monitor, identifier]
    default: nil
    }
  }
}
