// The heading service.
extension ManagerSession {
  var heading: HeadingDelivery { state.withLock { $0.heading } }
  var reportedHeading: CLHeading? { state.withLock { $0.reportedHeading } }
  /// True while the program has allowed the calibration display and not dismissed it.
  package var isCalibrationDisplayed: Bool { state.withLock { $0.question.isDisplayed } }

  func setHeadingFilter(_ degrees: Double) {
    state.withLock { $0.heading.filterDegrees = degrees }
  }

  func setOrientation(_ orientation: CLDeviceOrientation) {
    state.withLock { $0.heading.orientation = orientation }
  }

  func setMount(_ mount: DeviceMount?) {
    state.withLock { $0.heading.mount = mount }
  }

  func startUpdatingHeading() {
    guard state.withLock({ $0.heading.start() }) else { return }
    services.attach(self)
  }

  func stopUpdatingHeading() {
    state.withLock { $0.heading.stop() }
    dismissCalibration()
    services.detach(self)
  }

  func dismissCalibration() {
    state.withLock { $0.question.dismiss() }
    services.endCalibrationDisplay(of: self)
  }

  /// The session that was displayed has ended.
  func calibrationDisplayIsOver() { state.withLock { $0.question.dismiss() } }
}
