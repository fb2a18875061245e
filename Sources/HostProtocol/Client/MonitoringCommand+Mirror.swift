import Monitoring

extension MonitoringCommand {
  /// Whether it is an answer that is wanted and nothing that lasts.
  var isQuestion: Bool { if case .requestState = self { true } else { false } }

  /// Whether it stands in the place of an earlier command: one about the same.
  func undoes(_ other: MonitoringCommand) -> Bool {
    slot != nil && slot == other.slot
  }

  /// Where the last command is the one that counts; nil for what adds up.
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

  /// What a command is about; nil where it is about nothing that another could undo.
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
