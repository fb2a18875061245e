internal import Engine

/// The calibration of the source that every manager shares. All of it takes turns on the services' queue.
extension LocationServices {
  /// The states of the calibration; the source is opened to learn the first.
  func calibrationStates() -> AsyncStream<CLHeadingCalibration.State> {
    queue.async { [self] in
      if case .failure = probe() { states.update { .uncalibrated } }
    }
    return states.stream()
  }

  /// The calibration in use; nil for none. The source is opened to learn it.
  var calibrationInUse: CalibrationInUse? {
    queue.sync {
      _ = probe()
      return publisher?.calibrator?.inUse
    }
  }

  /// Begins a session for the program.
  func beginCalibration() async throws(CLError) {
    let failure: CLError? = await withCheckedContinuation { done in
      queue.async { [self] in done.resume(returning: begin { $0.isProgram = true }) }
    }
    if let failure { throw failure }
  }

  /// Begins a session that a manager displays.
  func displayCalibration(for session: ManagerSession) {
    queue.async { [self] in
      // A dismissal may have been quicker; and without a magnetometer there is nothing to display.
      guard session.isCalibrationDisplayed else { return }
      _ = begin { reasons in
        if !reasons.displays.contains(where: { $0 === session }) {
          reasons.displays.append(session)
        }
      }
    }
  }

  /// A manager displays the calibration no more; a session that was only displayed ends.
  func endCalibrationDisplay(of session: ManagerSession) {
    queue.async { [self] in
      let isLast = shared.withLock { shared in
        let count = shared.calibration.displays.count
        shared.calibration.displays.removeAll { $0 === session }
        return shared.calibration.displays.count < count && shared.calibration.isEmpty
      }
      if isLast { publisher?.calibrator?.cancel() }
    }
  }

  /// Ends the session.
  func cancelCalibration() { queue.async { [self] in publisher?.calibrator?.cancel() } }

  /// Lets the calibration in use go.
  func resetCalibration() {
    queue.async { [self] in
      _ = probe()
      publisher?.calibrator?.reset()
    }
  }

  /// Puts a calibration in use and keeps it.
  /// - Parameters:
  ///   - parameters: The calibration.
  ///   - answer: Hears how it went, later.
  func useCalibration(
    _ parameters: CLMagnetometerCalibration, answer: @escaping @Sendable (CLError?) -> Void
  ) {
    queue.async { [self] in
      guard status.isAuthorized else { return answer(refusal) }
      if case .failure(let error) = probe() { return answer(error.denial) }
      guard let calibrator = publisher?.calibrator else { return answer(CLError(.headingFailure)) }
      guard let new = parameters.inUse else {
        return answer(.calibration("the calibration cannot be used: its soft iron has not 3 rows"))
      }
      do throws(CalibrationFault) {
        try calibrator.use(new)
        answer(nil)
      } catch {
        answer(.calibration("\(error)"))
      }
    }
  }

  private func begin(_ reason: (inout CalibrationReasons) -> Void) -> CLError? {
    guard status.isAuthorized else { return refusal }
    if case .failure(let error) = open() { return error.denial }
    guard let calibrator = publisher?.calibrator else {
      releaseIfUnused()
      return CLError(.headingFailure)
    }
    shared.withLock { reason(&$0.calibration) }
    calibrator.begin()
    return nil
  }

  // MARK: From the source

  /// Listens to a source that was just opened.
  func listen(to publisher: any EstimatePublisher) -> Observation? {
    guard let calibrator = publisher.calibrator else {
      states.update { .uncalibrated }
      return nil
    }
    let observation = calibrator.observe { [weak self, weak calibrator] in
      if let self, let calibrator { calibrationChanged(calibrator) }
    }
    states.update { CLHeadingCalibration.State(calibrator.standing) }
    return observation
  }

  private func calibrationChanged(_ calibrator: any FieldCalibrator) {
    states.update { CLHeadingCalibration.State(calibrator.standing) }
    queue.async { [self] in
      if case .collecting = calibrator.standing { return }
      let ended = shared.withLock { shared in
        defer { shared.calibration = CalibrationReasons() }
        return shared.calibration
      }
      guard !ended.isEmpty else { return }
      for session in ended.displays { session.calibrationDisplayIsOver() }
      releaseIfUnused()
    }
  }
}

extension CLError {
  /// A calibration that was not used or not kept.
  static func calibration(_ reason: String) -> CLError {
    CLError(.headingFailure, userInfo: [NSLocalizedDescriptionKey: reason])
  }
}
