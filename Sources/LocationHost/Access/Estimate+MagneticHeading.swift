import Quantities

extension Estimate {
  /// The magnetic heading alone: what an application receives without the authorization for
  /// locations. Nothing in it depends on the place: no position, no true north, no field.
  var magneticHeadingOnly: Estimate {
    var heading = Estimate(timestamp: timestamp)
    heading.copyMagneticHeading(of: self)
    return heading
  }

  /// Copies the time and what describes the magnetic heading and does not depend on the place.
  mutating func copyMagneticHeading(of other: Estimate) {
    utc = other.utc
    attitude = other.attitude
    isLevelKnown = other.isLevelKnown
    magneticHeading = other.magneticHeading
    headingAccuracy = other.headingAccuracy
    rateOfTurn = other.rateOfTurn
    attitudeMode = other.attitudeMode
    calibration = other.calibration
    disturbance = other.disturbance
    headingState = other.headingState
    headingStateSince = other.headingStateSince
    isSimulated = other.isSimulated
  }
}
