import Quantities

/// An estimate as one small JSON object for a broker; unknown values are absent.
///
/// The keys are those of `EstimateJSON`, with as many decimals as the accuracy of a good sensor needs: half the
/// bytes for each of many subscribers. Degrees (place: seven decimals, 11 mm), metres, metres a second, hectopascal.
public enum StateJSON {
  /// The object's bytes.
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - hectopascal: The newest static pressure; nil if none is known.
  /// - Returns: The object, without a line end.
  public static func object(_ estimate: Estimate, hectopascal: Double? = nil) -> [UInt8] {
    var text: [UInt8] = []
    // The size of a typical object, so that it is allocated once.
    text.reserveCapacity(512)
    var json = JSONWriter(appendingTo: &text)
    json.add("time", estimate.utc)
    json.add(
      "magneticHeading", estimate.magneticHeading?.angle.degreesBelowTurn(decimals: 1), decimals: 1)
    json.add("trueHeading", estimate.trueHeading?.angle.degreesBelowTurn(decimals: 1), decimals: 1)
    json.add("headingAccuracy", estimate.headingAccuracy?.degrees, decimals: 1)
    if estimate.isLevelKnown, let angles = estimate.attitude?.attitudeAngles {
      json.add("roll", angles.roll.degrees, decimals: 1)
      json.add("pitch", angles.pitch.degrees, decimals: 1)
    }
    json.add("rateOfTurn", estimate.rateOfTurn?.degreesPerSecond, decimals: 1)
    json.add("latitude", estimate.position?.latitude.degrees, decimals: 7)
    json.add("longitude", estimate.position?.longitude.degrees, decimals: 7)
    json.add("horizontalAccuracy", estimate.horizontalAccuracyMetres, decimals: 2)
    json.add("altitude", estimate.altitudeMetres, decimals: 2)
    json.add("verticalAccuracy", estimate.verticalAccuracyMetres, decimals: 2)
    json.add("speed", estimate.speedMetresPerSecond, decimals: 2)
    json.add("course", estimate.course?.degreesBelowTurn(decimals: 1), decimals: 1)
    json.add("fix", estimate.fixKind?.rawValue)
    json.add("satellites", estimate.satellitesUsed)
    json.add("pressure", hectopascal, decimals: 2)
    json.add("calibration", estimate.calibration?.rawValue)
    json.add("disturbance", estimate.disturbance?.rawValue)
    if estimate.isSimulated { json.add("simulated", true) }
    json.close(into: &text)
    return text
  }
}
