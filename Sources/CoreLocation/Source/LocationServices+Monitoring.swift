internal import Engine
internal import Monitoring

// The program's monitoring, as its managers use it.
extension LocationServices {
  /// Lets a session hear of regions and visits; what waited for somebody comes at once.
  func listen(_ session: ManagerSession) {
    queue.async { [self, weak session] in
      let observation = monitoring.listenForRegions { [weak session] in session?.hear($0) }
      session?.keep(observation)
    }
  }

  /// Lets a session hear of significant changes.
  func joinSignificantChanges(_ session: ManagerSession) {
    let key = ObjectIdentifier(session)
    shared.withLock { _ = $0.significantChangeUsers.insert(key) }
    queue.async { [self, weak session] in
      // Where the service runs already, nobody else would tell the first place.
      if monitoring.registrations().significantChanges, let known = lastKnownLocation() {
        session?.post { $0.mailbox.post(.locations([known])) }
      }
      let observation = monitoring.listenForSignificantChanges { [weak session] in
        session?.hear($0)
      }
      session?.keepSignificantChanges(observation)
    }
  }

  /// A session wants significant changes no more.
  /// - Returns: True where no other does.
  func leaveSignificantChanges(_ session: ManagerSession) -> Bool {
    let key = ObjectIdentifier(session)
    return shared.withLock { shared in
      shared.significantChangeUsers.remove(key)
      return shared.significantChangeUsers.isEmpty
    }
  }

  /// Does what a program asks of monitoring, once it is decided whether it may; `refused` is called with the
  /// reason where it may not.
  func monitor(_ command: MonitoringCommand, refused: @escaping @Sendable (CLError) -> Void) {
    queue.async { [self] in decide(command, refused) }
  }

  private func decide(
    _ command: MonitoringCommand, _ refused: @escaping @Sendable (CLError) -> Void
  ) {
    switch status {
    case .notDetermined:
      shared.withLock { shared in
        // In their order; of the same twice only the later.
        shared.undecided.removeAll { $0.0 == command }
        shared.undecided.append((command, refused))
      }
    case .authorizedAlways where !canMonitor(command):
      refused(
        refusal("no Bluetooth adapter can hear the beacons", .regionMonitoringFailure))
    case .authorizedAlways where authority.accuracy == .fullAccuracy || !command.needsPlace:
      monitoring.perform(command)
    case _ where !command.starts:
      // Whoever may not monitor may always stop.
      monitoring.perform(command)
    case .authorizedAlways:
      refused(refusal("regions need full accuracy; the policy gives this program the area"))
    case .authorizedWhenInUse:
      refused(refusal("this needs the authorization 'always'; the program has 'when in use'"))
    case .restricted: refused(restriction)
    case .denied: refused(denial)
    }
  }

  /// A region of beacons needs an adapter, any other what `significantLocationChangeMonitoringAvailable` says;
  /// a place may still come, an adapter hardly.
  private func canMonitor(_ command: MonitoringCommand) -> Bool {
    guard case .startRegion(let region) = command, case .beacon = region.condition else {
      return true
    }
    return canRange
  }

  /// What was asked before it was decided whether the program may.
  func decideUndecided() {
    let undecided = shared.withLock { shared in
      defer { shared.undecided = [] }
      return shared.undecided
    }
    for (command, refused) in undecided { decide(command, refused) }
  }

  /// The regions that are monitored, those of an earlier run included.
  var monitoredRegions: Set<CLRegion> {
    // After whatever was asked before this.
    let regions = queue.sync { monitoring.registrations().regions }
    return Set(regions.values.map(CLRegion.make))
  }
}

extension MonitoringCommand {
  /// True for what asks for something to begin.
  fileprivate var starts: Bool {
    switch self {
    case .startRegion, .requestState, .startVisits, .startSignificantChanges, .addCondition: true
    case .stopRegion, .stopVisits, .stopSignificantChanges, .openMonitor, .closeMonitor,
      .removeCondition, .acknowledge:
      false
    }
  }

  /// True for what cannot be told from the area alone.
  fileprivate var needsPlace: Bool {
    switch self {
    case .startRegion, .requestState, .addCondition: true
    default: false
    }
  }
}
