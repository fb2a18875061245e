import HostProtocol
import Monitoring

extension MonitoringCommand {
  /// The error of a command that needs access if the access or the machine does not allow it; nil
  /// if it is allowed.
  func refusal(
    by access: GrantedAccess, of key: ApplicationKey, _ adapter: AdapterCheck
  ) -> HostFault? {
    let cause = access.fault.map { ": \($0)" } ?? ""
    switch access.authorization {
    case .notDetermined:
      return HostFault(.undecided, "\(key.id): the authorization is not decided; request it first")
    case .restricted, .denied:
      return HostFault(.access, "\(key.id) has no access to locations: \(access.refusal)")
    case .whenInUse where needsAlways:
      return HostFault(
        .access,
        "\(key.id) has the authorization 'when in use'; this command requires 'always'\(cause)")
    case .always, .whenInUse: break
    }
    if access.accuracy == .reduced, needsPlace {
      return HostFault(
        .access,
        "\(key.id) has reduced accuracy by the policy; regions require full accuracy\(cause)")
    }
    guard case .startRegion(let region) = self, case .beacon = region.condition else {
      return nil
    }
    return adapter.fault.map { HostFault(.bluetooth, "beacons cannot be monitored: \($0)") }
  }

  /// Whether the command needs access to locations. Commands that stop something do not. Opening a
  /// monitor does not: its events are checked later.
  var needsAccess: Bool {
    if case .openMonitor = self { false } else { !onlyRemoves }
  }

  /// Whether the command has no effect without registrations.
  var onlyRemoves: Bool {
    switch self {
    case .stopRegion, .stopVisits, .stopSignificantChanges, .closeMonitor, .removeCondition,
      .acknowledge:
      true
    case .startRegion, .requestState, .startVisits, .startSignificantChanges, .openMonitor,
      .addCondition:
      false
    }
  }

  /// Whether the command requires the authorization `always`.
  private var needsAlways: Bool {
    switch self {
    case .startRegion, .requestState, .startVisits, .startSignificantChanges: true
    default: false
    }
  }

  /// Whether the command requires full accuracy.
  private var needsPlace: Bool {
    switch self {
    case .startRegion, .requestState: true
    default: false
    }
  }
}
