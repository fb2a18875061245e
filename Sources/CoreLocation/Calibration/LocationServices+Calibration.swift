internal import Pipeline
internal import Quantities

/// The calibration of the shared source. All of it is serialized on the services' queue.
extension LocationServices {
  /// The states of the calibration. The source is opened to read the first one.
  func calibrationStates() -> AsyncStream<CLHeadingCalibration.State> {
    queue.async { [self] in
      if case .failure = probe() { return calibration.update { .uncalibrated } }
      calibrationHasChanged()
    }
    return calibration.stream()
  }

  /// The calibration in use; nil for none. The source is opened to read it.
  var calibrationInUse: CalibrationInUse? {
    queue.sync {
      _ = probe()
      return client.publisher.calibrator?.inUse
    }
  }

  /// Begins a session for the program; `use` is nil for that of the board's activity.
  func beginCalibration(for use: CalibrationUse?) async throws(CLError) {
    let failure: CLError? = await withCheckedContinuation { done in
      queue.async { [self] in begin(for: nil, use) { done.resume(returning: $0) } }
    }
    if let failure { throw failure }
  }

  /// Begins a session that a manager displays.
  func displayCalibration(for session: ManagerSession) {
    queue.async { [self] in
      // The display may have been dismissed before. Without a magnetometer there is nothing to
      // display.
      guard session.isCalibrationDisplayed else { return }
      begin(for: session) { _ in }
    }
  }

  /// Ends a manager's display. A session that was only displayed ends with the last display.
  func endCalibrationDisplay(of session: ManagerSession) {
    queue.async { [self] in
      if calibration.endDisplay(of: session) { client.publisher.calibrator?.cancel() }
    }
  }

  /// Ends the session.
  func cancelCalibration() {
    queue.async { [self] in
      // A session whose beginning never reached the host ends with the next report, too.
      calibration.confirmSession()
      client.publisher.calibrator?.cancel()
    }
  }

  /// Discards the calibration in use.
  func resetCalibration() {
    queue.async { [self] in
      _ = probe()
      client.publisher.calibrator?.reset()
    }
  }

  /// Ends the session with its calibration.
  /// - Parameter completion: Called later with the error; nil for success.
  func finishCalibration(completion: @escaping @Sendable (CLError?) -> Void) {
    queue.async { [self] in
      guard status.isAuthorized else { return completion(refusal) }
      if case .failure(let error) = probe() { return completion(error.denial) }
      guard let calibrator = client.publisher.calibrator else {
        return completion(CLError(.headingFailure))
      }
      do throws(CalibrationFault) {
        try calibrator.finish()
        completion(nil)
      } catch {
        completion(.calibration("\(error)"))
      }
    }
  }

  /// Uses a calibration and stores it.
  /// - Parameters:
  ///   - parameters: The calibration.
  ///   - completion: Called later with the error; nil for success.
  func useCalibration(
    _ parameters: CLMagnetometerCalibration, completion: @escaping @Sendable (CLError?) -> Void
  ) {
    queue.async { [self] in
      guard status.isAuthorized else { return completion(refusal) }
      if case .failure(let error) = probe() { return completion(error.denial) }
      guard let calibrator = client.publisher.calibrator else {
        return completion(CLError(.headingFailure))
      }
      guard let new = parameters.inUse else {
        return completion(
          .calibration("the calibration cannot be used: its soft iron must have 3 rows"))
      }
      do throws(CalibrationFault) {
        try calibrator.use(new)
        completion(nil)
      } catch {
        completion(.calibration("\(error)"))
      }
    }
  }

  /// Begins a session. `completion` is called once, on any thread, with the error; nil for success.
  private func begin(
    for session: ManagerSession?, _ use: CalibrationUse? = nil,
    completion: @escaping @Sendable (CLError?) -> Void
  ) {
    guard status.isAuthorized else { return completion(refusal) }
    if case .failure(let error) = open() { return completion(error.denial) }
    guard let calibrator = client.publisher.calibrator else {
      releaseIfUnused()
      return completion(CLError(.headingFailure))
    }
    calibration.addReason(session)
    if case .collecting = calibrator.standing { calibration.confirmSession() }
    client.beginCalibration(for: use) { [self] fault in
      // A display lasts until it is dismissed, also without a magnetometer; not without the
      // permission.
      guard let fault, session == nil || fault.code == .access else { return completion(nil) }
      queue.async { [self] in
        // A display has no other error than this line.
        if session != nil { ProgramMessages.say("\(fault)") }
        calibration.confirmSession()
        endSession(isLost: false)
        completion(refusal(fault.message))
      }
    }
  }

  /// Ends the displays of a session that has ended.
  private func endSession(isLost: Bool) {
    guard let displays = calibration.removeReasons(isLost: isLost) else { return }
    for session in displays { session.calibrationDisplayIsOver() }
    releaseIfUnused()
  }

  // MARK: From the host

  /// The calibration has changed its state, or belongs to another source.
  func calibrationHasChanged() {
    let calibrator = client.publisher.calibrator
    let source = client.source
    // A source that the host has closed because nothing uses it keeps its last calibration.
    if calibrator != nil || source.isOpen || source.fault != nil {
      calibration.update { calibrator.map { .init($0.standing) } ?? .uncalibrated }
    }
    if case .collecting = calibrator?.standing { calibration.confirmSession() }
    queue.async { [self] in
      // Read again: a session may have begun since.
      let calibrator = client.publisher.calibrator
      if case .collecting = calibrator?.standing { return }
      endSession(isLost: calibrator == nil)
    }
  }
}

extension CLError {
  /// The error of a calibration that was not used or not stored.
  static func calibration(_ reason: String) -> CLError {
    CLError(.headingFailure, userInfo: [NSLocalizedDescriptionKey: reason])
  }
}
