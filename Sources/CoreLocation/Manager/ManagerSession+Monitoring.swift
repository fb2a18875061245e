internal import Engine
internal import Monitoring

// Significant changes, visits and regions: asked of the program's monitoring, told to every manager.
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
    let listening = state.withLock { state in
      defer { (state.wantsSignificantChanges, state.hearsSignificantChanges) = (false, nil) }
      return state.hearsSignificantChanges
    }
    listening?.cancel()
    // Another manager of the program may still want them.
    if services.leaveSignificantChanges(self) { monitor(.stopSignificantChanges) }
  }

  /// Keeps what is listened with, until the manager is gone.
  func keep(_ listening: Observation) { state.withLock { $0.listening = listening } }

  /// Likewise, until the program stops the service; at once where it has.
  func keepSignificantChanges(_ listening: Observation) {
    let isWanted = state.withLock { state in
      if state.wantsSignificantChanges { state.hearsSignificantChanges = listening }
      return state.wantsSignificantChanges
    }
    if !isWanted { listening.cancel() }
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

  /// An event of the program's monitoring.
  func hear(_ event: MonitoringEvent) { post { $0.mailbox.post(.monitoring(event)) } }

  func fail(_ region: CLRegion?, _ error: CLError) {
    post { $0.mailbox.post(.monitoringFailed(region, error)) }
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
        post { $0.mailbox.post(.failure(refusal)) }
      }
    }
  }
}
