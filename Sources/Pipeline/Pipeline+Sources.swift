import Quantities

/// The states of the sources of headings and positions.
extension Pipeline {
  /// Completes an estimate of a source that is played: a recording's rows alone do not say which
  /// sensors the board has.
  /// - Parameters:
  ///   - e: The estimate; without its states.
  ///   - hasHeading: Whether the board has a magnetometer or another compass.
  ///   - hasReceiver: Whether it has a receiver.
  package func describeSources(_ e: inout Estimate, hasHeading: Bool, hasReceiver: Bool) {
    e.headingState = headingState(e, isExpected: hasHeading)
    e.positionState = positionState(e, isExpected: hasReceiver)
  }

  /// Accuracy (95 %) from which a heading without compass samples is not reported.
  private static let uselessAccuracy = Angle(degrees: 90)

  /// Whether a heading without recent compass samples has become too inaccurate to be reported.
  func isExpired(_ accuracy: Angle?) -> Bool {
    guard let newest = newestCompassSample, age(of: newest) > SourceState.Age.lostField else {
      return false
    }
    return accuracy.map { $0 >= Self.uselessAccuracy } ?? true
  }

  /// The time of the newest sample of a magnetometer or another compass.
  private var newestCompassSample: Timestamp? {
    let other = compass?.newest.timestamp
    guard let own = field?.at else { return other }
    return max(own, other ?? own)
  }

  private func headingState(_ e: Estimate, isExpected: Bool) -> SourceState? {
    let newest = newestCompassSample
    guard e.magneticHeading == nil, e.trueHeading == nil else {
      if e.compassContradiction != nil || e.inputs?.headingFault != nil { return .contradicted }
      // The course gives the heading without a compass.
      if e.attitudeMode == .gyroscopeAccelerometerAndCourse { return .live }
      return newest.map { age(of: $0) > SourceState.Age.lateField } ?? false ? .late : .live
    }
    guard let newest else { return isExpected ? .awaited : nil }
    // Fields arrive, but the filter has no heading from them yet.
    return age(of: newest) <= SourceState.Age.lostField ? .awaited : .lost
  }

  private func positionState(_ e: Estimate, isExpected: Bool) -> SourceState? {
    guard !isReceiverResting else { return nil }
    guard let fix = place.fix, fix.position != nil else { return isExpected ? .awaited : nil }
    let age = age(of: fix.timestamp)
    if age > PlaceOfFix.longestAge { return .lost }
    if age > outage { return .late }
    return e.rejectedPosition == nil ? .live : .contradicted
  }
}
