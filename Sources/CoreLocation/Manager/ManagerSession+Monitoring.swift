internal import Engine
internal import Monitoring

// Significant changes, visits and regions: requested from the program's monitoring, reported to
// every manager.
extension ManagerSession {
  func startSignificantChanges() {
    let isNew = state.withLock { state in
      defer { state.wantsSignificantChanges = true }
      return !state.wantsSignificantChanges
    }
    guard isNew else { return }
    services.joinSignificantChanges(self)
    monitor(.startSignificantChanges)
  }

  func stopSignificantChanges() {
    let observation = state.withLock { state in
      defer { (state.wantsSignificantChanges, state.significantChangesObservation) = (false, nil) }
      return state.significantChangesObservation
    }
    observation?.cancel()
    // Another manager of the program may still use the service.
    if services.leaveSignificantChanges(self) { monitor(.stopSignificantChanges) }
  }

  /// Stores the observation of monitoring events until the manager is deinitialized.
  func store(_ observation: Observation) {
    state.withLock { $0.monitoringObservation = observation }
  }

  /// Stores the observation of significant changes until the program stops the service. If the
  /// program has stopped it already, cancels the observation.
  func storeSignificantChanges(_ observation: Observation) {
    let isWanted = state.withLock { state in
      if state.wantsSignificantChanges { state.significantChangesObservation = observation }
      return state.wantsSignificantChanges
    }
    if !isWanted { observation.cancel() }
  }

  func startVisits() { monitor(.startVisits) }
  func stopVisits() { monitor(.stopVisits) }

  func startMonitoring(_ region: CLRegion) {
    monitor(region) { .startRegion($0) }
  }

  func stopMonitoring(_ region: CLRegion) {
    monitor(.stopRegion(identifier: region.identifier), of: region)
  }

  func requestState(_ region: CLRegion) {
    monitor(region) { .requestState($0) }
  }

  /// Receives an event of the program's monitoring.
  func receive(_ event: MonitoringEvent) { post { $0.delegateQueue.post(.monitoring(event)) } }

  func fail(_ region: CLRegion?, _ error: CLError) {
    post { $0.delegateQueue.post(.monitoringFailed(region, error)) }
  }

  private func monitor(
    _ region: CLRegion, _ command: (MonitoredRegion) -> MonitoringCommand
  ) {
    do throws(MonitoringFault) {
      monitor(command(try MonitoredRegion(region)), of: region)
    } catch {
      fail(region, CLError(monitoring: error))
    }
  }

  private func monitor(_ command: MonitoringCommand, of region: CLRegion? = nil) {
    services.monitor(command) { [weak self] refusal in
      guard let self else { return }
      if let region {
        let code = refusal.code == .denied ? CLError.Code.regionMonitoringDenied : refusal.code
        fail(region, CLError(code, userInfo: refusal.userInfo))
      } else {
        post { $0.delegateQueue.post(.failure(refusal)) }
      }
    }
  }
}
