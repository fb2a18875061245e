import Quantities

/// An estimate as one JSON object, without a line end; unknown values are absent.
///
/// Degrees with four decimals (place: nine, 0.1 mm), metres and metres per second with three, `t` in
/// seconds with nine, `time` as ISO 8601 UTC with milliseconds. The same estimate gives the same bytes on
/// every machine.
public enum EstimateJSON {
  /// The object's bytes.
  public static func object(_ estimate: Estimate) -> [UInt8] {
    var text: [UInt8] = []
    // The size of a typical object, so that it is allocated once.
    text.reserveCapacity(1024)
    var json = JSONWriter(appendingTo: &text)
    json.add("t", nanoseconds: estimate.timestamp.nanoseconds)
    json.add("time", estimate.utc)
    json.add(
      "magneticHeading", estimate.magneticHeading?.angle.degreesBelowTurn(decimals: 4), decimals: 4)
    json.add("trueHeading", estimate.trueHeading?.angle.degreesBelowTurn(decimals: 4), decimals: 4)
    json.add("headingAccuracy", estimate.headingAccuracy?.degrees, decimals: 4)
    if estimate.isLevelKnown, let angles = estimate.attitude?.attitudeAngles {
      json.add("roll", angles.roll.degrees, decimals: 4)
      json.add("pitch", angles.pitch.degrees, decimals: 4)
    }
    json.add("rateOfTurn", estimate.rateOfTurn?.degreesPerSecond, decimals: 4)
    json.add("accelerationNorth", estimate.acceleration?.x, decimals: 4)
    json.add("accelerationEast", estimate.acceleration?.y, decimals: 4)
    json.add("accelerationDown", estimate.acceleration?.z, decimals: 4)
    json.add("heave", estimate.heaveMetres, decimals: 3)
    json.add("deviation", estimate.deviation?.degrees, decimals: 3)
    json.add("latitude", estimate.position?.latitude.degrees, decimals: 9)
    json.add("longitude", estimate.position?.longitude.degrees, decimals: 9)
    json.add("horizontalAccuracy", estimate.horizontalAccuracyMetres, decimals: 3)
    json.add("altitude", estimate.altitudeMetres, decimals: 3)
    json.add("ellipsoidalAltitude", estimate.ellipsoidalAltitudeMetres, decimals: 3)
    json.add("verticalAccuracy", estimate.verticalAccuracyMetres, decimals: 3)
    json.add("verticalSpeed", estimate.verticalSpeedMetresPerSecond, decimals: 3)
    json.add("speed", estimate.speedMetresPerSecond, decimals: 3)
    json.add("course", estimate.course?.degreesBelowTurn(decimals: 4), decimals: 4)
    json.add("fix", estimate.fixKind?.rawValue)
    json.add("calibration", estimate.calibration?.rawValue)
    json.add("disturbance", estimate.disturbance?.rawValue)
    json.add("fieldStrength", estimate.earthField?.total, decimals: 3)
    json.add("dip", estimate.earthField?.dip.degrees, decimals: 3)
    json.add("modelFieldStrength", estimate.modelField?.total, decimals: 3)
    json.add("modelDip", estimate.modelField?.dip.degrees, decimals: 3)
    if let mode = estimate.attitudeMode, mode != .none { json.add("attitudeMode", mode.rawValue) }
    if estimate.isSimulated { json.add("simulated", true) }
    json.close(into: &text)
    return text
  }
}
