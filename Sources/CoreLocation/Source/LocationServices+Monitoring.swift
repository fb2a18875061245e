internal import HostProtocol
internal import Monitoring

// The interface of the program's monitoring for its managers.
extension LocationServices {
  /// Subscribes a session to events of regions and visits. Waiting events are delivered at once.
  func listen(_ session: ManagerSession) {
    queue.async { [self, weak session] in
      let observation = monitoring.listenForRegions { [weak session] in session?.receive($0) }
      session?.store(observation)
    }
  }

  /// Subscribes a session to significant changes.
  func joinSignificantChanges(_ session: ManagerSession) {
    let key = ObjectIdentifier(session)
    shared.withLock { _ = $0.significantChangeConsumers.insert(key) }
    queue.async { [self, weak session] in
      // A service that runs already does not report its first place again.
      if monitoring.registrations().significantChanges, let known = lastKnownLocation() {
        session?.post { $0.delegateQueue.post(.locations([known])) }
      }
      let observation = monitoring.listenForSignificantChanges { [weak session] in
        session?.receive($0)
      }
      session?.storeSignificantChanges(observation)
    }
  }

  /// Removes a session from the users of significant changes.
  /// - Returns: True where no session uses them any more.
  func leaveSignificantChanges(_ session: ManagerSession) -> Bool {
    let key = ObjectIdentifier(session)
    return shared.withLock { shared in
      shared.significantChangeConsumers.remove(key)
      return shared.significantChangeConsumers.isEmpty
    }
  }

  /// Performs a command of monitoring, once the authorization is determined.
  /// - Parameters:
  ///   - command: The command.
  ///   - refused: Called with the reason where the program is not authorized.
  func monitor(_ command: MonitoringCommand, refused: @escaping @Sendable (CLError) -> Void) {
    queue.async { [self] in
      client.monitoring.perform(command) { fault in
        let code: CLError.Code = fault.code == .bluetooth ? .regionMonitoringFailure : .denied
        refused(
          CLError(
            code,
            userInfo: [NSLocalizedDescriptionKey: fault.message, NSUnderlyingErrorKey: fault]))
      }
    }
  }

  /// The monitored regions, those of earlier runs included.
  var monitoredRegions: Set<CLRegion> {
    // On the queue, after all earlier commands.
    let regions = queue.sync { monitoring.registrations().regions }
    return Set(regions.values.map(CLRegion.make))
  }
}
