public import JSON
public import Quantities

/// An estimate as a JSON object, exact to the last bit. Unknown values are absent, unknown keys are
/// ignored. Values have SI units, angles are in radians.
///
/// A new stored property of `Estimate` needs one line in `fields`; a test checks this.
public enum EstimateCoding {
  package static let fields: [EstimateField] = [
    EstimateField("timestamp", always: \.timestamp, .instant),
    EstimateField("utc", \.utc, .civil),
    EstimateField("attitude", \.attitude, .attitude),
    EstimateField("isLevelKnown", always: \.isLevelKnown, .flag),
    EstimateField("magneticHeading", \.magneticHeading, .magneticHeading),
    EstimateField("trueHeading", \.trueHeading, .trueHeading),
    EstimateField("headingAccuracy", \.headingAccuracy, .angle),
    EstimateField("trueHeadingAccuracy", \.trueHeadingAccuracy, .angle),
    EstimateField("deviation", \.deviation, .angle),
    EstimateField("compassContradiction", \.compassContradiction, .angle),
    EstimateField("tiltContradiction", \.tiltContradiction, .angle),
    EstimateField("antennas", word: \.antennas),
    EstimateField("inputs", word: \.inputs),
    EstimateField("isDeclinationOutOfDate", always: \.isDeclinationOutOfDate, .flag),
    EstimateField("rateOfTurn", \.rateOfTurn, .angularSpeed),
    EstimateField("declination", \.declination, .angle),
    EstimateField("attitudeMode", word: \.attitudeMode),
    EstimateField("acceleration", \.acceleration, .vector),
    EstimateField("heaveMetres", \.heaveMetres, .number),
    EstimateField("waveHeightMetres", \.waveHeightMetres, .number),
    EstimateField("wavePeakPeriodSeconds", \.wavePeakPeriodSeconds, .number),
    EstimateField("waveMeanPeriodSeconds", \.waveMeanPeriodSeconds, .number),
    EstimateField("waveDirection", \.waveDirection, .angle),
    EstimateField("pressureTendencyHectopascal", \.pressureTendencyHectopascal, .number),
    EstimateField("pressureCharacteristic", \.pressureCharacteristic, .count),
    EstimateField("earthField", \.earthField, .earthField),
    EstimateField("modelField", \.modelField, .earthField),
    EstimateField("field", \.field, .field),
    EstimateField("fixKind", word: \.fixKind),
    EstimateField("position", \.position, .position),
    EstimateField("horizontalAccuracyMetres", \.horizontalAccuracyMetres, .number),
    EstimateField("altitudeMetres", \.altitudeMetres, .number),
    EstimateField("qnhHectopascal", \.qnhHectopascal, .number),
    EstimateField("ellipsoidalAltitudeMetres", \.ellipsoidalAltitudeMetres, .number),
    EstimateField("verticalAccuracyMetres", \.verticalAccuracyMetres, .number),
    EstimateField("verticalSpeedMetresPerSecond", \.verticalSpeedMetresPerSecond, .number),
    EstimateField("speedMetresPerSecond", \.speedMetresPerSecond, .number),
    EstimateField("course", \.course, .angle),
    EstimateField("velocity", \.velocity, .velocity),
    EstimateField(
      "positionCovarianceSquareMetres", \.positionCovarianceSquareMetres, .symmetricMatrix),
    EstimateField(
      "velocityCovarianceSquareMetresPerSecondSquared",
      \.velocityCovarianceSquareMetresPerSecondSquared, .symmetricMatrix),
    EstimateField("speedAccuracyMetresPerSecond", \.speedAccuracyMetresPerSecond, .number),
    EstimateField("courseAccuracy", \.courseAccuracy, .angle),
    EstimateField("horizontalDilution", \.horizontalDilution, .number),
    EstimateField("verticalDilution", \.verticalDilution, .number),
    EstimateField("correctionAgeSeconds", \.correctionAgeSeconds, .number),
    EstimateField("fixTimestamp", \.fixTimestamp, .instant),
    EstimateField("outageSeconds", \.outageSeconds, .number),
    EstimateField("rejectedPosition", \.rejectedPosition, .position),
    EstimateField("rejectedAccuracyMetres", \.rejectedAccuracyMetres, .number),
    EstimateField("satellitesUsed", \.satellitesUsed, .count),
    EstimateField("motionState", word: \.motionState),
    EstimateField("motionProbability", \.motionProbability, .number),
    EstimateField("motionSince", \.motionSince, .instant),
    EstimateField("headingState", word: \.headingState),
    EstimateField("headingStateSince", \.headingStateSince, .instant),
    EstimateField("positionState", word: \.positionState),
    EstimateField("positionStateSince", \.positionStateSince, .instant),
    EstimateField("calibration", word: \.calibration),
    EstimateField("disturbance", word: \.disturbance),
    EstimateField("isSimulated", always: \.isSimulated, .flag),
  ]

  /// Appends the object.
  public static func append(_ estimate: Estimate, to line: inout [UInt8]) {
    var json = JSONWriter(appendingTo: &line)
    for field in fields { field.write(estimate, &json) }
    json.close(into: &line)
  }

  /// The object as text.
  public static func text(_ estimate: Estimate) -> String {
    var text: [UInt8] = []
    append(estimate, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads a text that contains one object.
  /// - Throws: `JSONFault` if the text is not an object, has no timestamp, or has a value of a
  ///   wrong type.
  public static func estimate(text: String) throws(JSONFault) -> Estimate {
    let result = Array(text.utf8).withUnsafeBufferPointer { bytes in
      var json = JSONReader(bytes)
      let estimate = read(&json)
      return json.result(estimate)
    }
    return try result.get()
  }

  /// Reads an object; nil if the reader has a fault.
  static func read(_ json: inout JSONReader) -> Estimate? {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 0))
    var hasTimestamp = false
    var likely = 0
    guard json.beginObject() else { return nil }
    while let key = json.nextKey() {
      guard let field = field(key, &likely) else {
        json.skip()
        continue
      }
      fields[field].read(&estimate, &json)
      if field == 0 { hasTimestamp = true }
    }
    if !hasTimestamp { json.refuse("expected an estimate with a timestamp") }
    return json.isBroken ? nil : estimate
  }

  /// The field of a key; nil for an unknown key. Keys usually have the order in which they are
  /// written, so the next field is compared first.
  private static func field(_ key: JSONText, _ likely: inout Int) -> Int? {
    while likely < fields.count {
      defer { likely += 1 }
      if key.is(fields[likely].key) { return likely }
    }
    return fields.firstIndex { key.is($0.key) }
  }
}
