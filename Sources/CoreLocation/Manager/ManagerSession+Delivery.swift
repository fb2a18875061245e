internal import Monitoring

// One letter, one call of the delegate.
extension ManagerSession {
  func deliver(
    _ letter: Letter, of manager: CLLocationManager, to delegate: (any CLLocationManagerDelegate)?
  ) {
    switch letter {
    case .authorization:
      delegate?.locationManagerDidChangeAuthorization(manager)
    case .locations(let locations):
      delegate?.locationManager(manager, didUpdateLocations: locations)
      previousLocation = locations.last
    case .failure(let error):
      delegate?.locationManager(manager, didFailWithError: error)
    case .heading(let heading):
      delegate?.locationManager(manager, didUpdateHeading: heading)
    case .calibrationQuestion:
      let answer = delegate?.locationManagerShouldDisplayHeadingCalibration(manager) ?? false
      state.withLock { $0.question.answer(answer) }
      if answer { services.displayCalibration(for: self) }
    case .paused:
      delegate?.locationManagerDidPauseLocationUpdates(manager)
    case .resumed:
      delegate?.locationManagerDidResumeLocationUpdates(manager)
    case .deferralFinished(let error):
      delegate?.locationManager(manager, didFinishDeferredUpdatesWithError: error)
    case .monitoring(let event):
      // Without a delegate it waits for the next one.
      guard let delegate else { return }
      deliver(event, of: manager, to: delegate)
      services.monitoring.delivered(event)
    case .monitoringFailed(let region, let error):
      delegate?.locationManager(manager, monitoringDidFailFor: region, withError: error)
    case .ranged(let ranged):
      delegate?.locationManager(
        manager, didRange: ranged.beacons, satisfying: ranged.constraint)
    case .rangingFailed(let constraint, let error):
      delegate?.locationManager(manager, didFailRangingFor: constraint, error: error)
    }
  }

  private func deliver(
    _ event: MonitoringEvent, of manager: CLLocationManager,
    to delegate: any CLLocationManagerDelegate
  ) {
    switch event.kind {
    case .regionStarted(let region):
      delegate.locationManager(manager, didStartMonitoringFor: .make(region))
    case .regionFailed(let region, let fault):
      delegate.locationManager(
        manager, monitoringDidFailFor: region.map(CLRegion.make),
        withError: CLError(monitoring: fault))
    case .regionState(let region, let state):
      delegate.locationManager(
        manager, didDetermineState: CLRegionState(state), for: .make(region))
    case .entered(let region):
      delegate.locationManager(manager, didEnterRegion: .make(region))
    case .exited(let region):
      delegate.locationManager(manager, didExitRegion: .make(region))
    case .visit(let visit):
      delegate.locationManager(manager, didVisit: CLVisit(visit))
    case .significantChange(let fix):
      let location = CLLocation(fix)
      delegate.locationManager(manager, didUpdateLocations: [location])
      previousLocation = location
    case .condition:
      break
    }
  }
}
