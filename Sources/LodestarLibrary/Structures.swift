import CLodestar
import Quantities

extension lodestar_heading {
  /// The size in the first version of ABI 1, which ends with this member: every later version
  /// serves callers that were built with it.
  static let firstSize = (MemoryLayout.offset(of: \lodestar_heading.roll) ?? 0) + 8

  /// The heading of an estimate.
  init(_ estimate: Estimate) {
    self.init()
    state = code(estimate.headingState)
    is_simulated = estimate.isSimulated ? 1 : 0
    utc = estimate.utc?.nanosecondsSince1970 ?? 0
    let isGone = estimate.headingState?.isGone == true
    func degrees(_ angle: Angle?) -> Double { isGone ? .nan : angle?.degrees ?? .nan }
    from_true = degrees(estimate.trueHeading?.angle.wrappedToTurn)
    from_magnetic = degrees(estimate.magneticHeading?.angle.wrappedToTurn)
    true_accuracy = degrees(estimate.trueHeadingAccuracy)
    magnetic_accuracy = degrees(estimate.headingAccuracy)
    let level = estimate.isLevelKnown ? estimate.attitude?.attitudeAngles : nil
    pitch = degrees(level?.pitch)
    roll = degrees(level?.roll)
  }
}

extension lodestar_fix {
  /// The size in the first version of ABI 1.
  static let firstSize = (MemoryLayout.offset(of: \lodestar_fix.course_accuracy) ?? 0) + 8

  /// The position of an estimate.
  init(_ estimate: Estimate) {
    self.init()
    state = code(estimate.positionState)
    is_simulated = estimate.isSimulated ? 1 : 0
    let place = estimate.positionState?.isGone == true ? nil : estimate.position
    func known(_ value: Double?) -> Double { place == nil ? .nan : value ?? .nan }
    if place != nil, let now = estimate.utc {
      let time = estimate.fixTimestamp ?? estimate.timestamp
      // The position of an estimate is carried on to its time, and an older one has its own.
      utc = now.advanced(bySeconds: time.seconds(since: estimate.timestamp)).nanosecondsSince1970
    }
    latitude = known(place?.latitude.degrees)
    longitude = known(place?.longitude.degrees)
    altitude = known(estimate.altitudeMetres)
    ellipsoidal_altitude = known(estimate.ellipsoidalAltitudeMetres)
    horizontal_accuracy = known(estimate.horizontalAccuracyMetres)
    vertical_accuracy = known(estimate.verticalAccuracyMetres)
    speed = known(estimate.speedMetresPerSecond)
    speed_accuracy = known(estimate.speedAccuracyMetresPerSecond)
    course = known(estimate.course?.wrappedToTurn.degrees)
    course_accuracy = known(estimate.courseAccuracy?.degrees)
  }
}

/// The number of a state in lodestar.h.
private func code(_ state: SourceState?) -> Int32 {
  let code =
    switch state {
    case nil: LODESTAR_NONE
    case .live: LODESTAR_LIVE
    case .late: LODESTAR_LATE
    case .lost: LODESTAR_LOST
    case .contradicted: LODESTAR_CONTRADICTED
    case .ended: LODESTAR_ENDED
    case .awaited: LODESTAR_AWAITED
    }
  return Int32(code)
}
