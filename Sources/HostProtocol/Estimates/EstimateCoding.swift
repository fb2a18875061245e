public import Quantities

/// An estimate as a JSON object, exact to the last bit: what is not known is absent, an unknown key is passed
/// over. In SI units, angles in radians: nobody but the other end reads it.
///
/// A new stored property of `Estimate` wants one line in `fields`; a test fails until it has one.
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
    EstimateField("isDeclinationOutOfDate", always: \.isDeclinationOutOfDate, .flag),
    EstimateField("rateOfTurn", \.rateOfTurn, .angularSpeed),
    EstimateField("attitudeMode", word: \.attitudeMode),
    EstimateField("acceleration", \.acceleration, .vector),
    EstimateField("heaveMetres", \.heaveMetres, .number),
    EstimateField("earthField", \.earthField, .earthField),
    EstimateField("modelField", \.modelField, .earthField),
    EstimateField("field", \.field, .field),
    EstimateField("fixKind", word: \.fixKind),
    EstimateField("position", \.position, .position),
    EstimateField("horizontalAccuracyMetres", \.horizontalAccuracyMetres, .number),
    EstimateField("altitudeMetres", \.altitudeMetres, .number),
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
    EstimateField("satellitesUsed", \.satellitesUsed, .count),
    EstimateField("calibration", word: \.calibration),
    EstimateField("disturbance", word: \.disturbance),
    EstimateField("isSimulated", always: \.isSimulated, .flag),
  ]

  private static let index = Dictionary(
    uniqueKeysWithValues: fields.enumerated().map { ($1.name, $0) })

  /// Appends the object.
  public static func append(_ estimate: Estimate, to line: inout [UInt8]) {
    line.append(UInt8(ascii: "{"))
    var needsComma = false
    for field in fields {
      let mark = line.count
      if needsComma { line.append(UInt8(ascii: ",")) }
      line.append(contentsOf: field.key)
      if field.write(estimate, &line) {
        needsComma = true
      } else {
        line.removeLast(line.count - mark)
      }
    }
    line.append(UInt8(ascii: "}"))
  }

  /// The object as text.
  public static func text(_ estimate: Estimate) -> String {
    var text: [UInt8] = []
    append(estimate, to: &text)
    return String(decoding: text, as: UTF8.self)
  }

  /// Reads an object that is all there is.
  /// - Throws: `JSONFault` where it is none, has no timestamp, or holds a value of another kind.
  public static func estimate(from bytes: UnsafeRawBufferPointer) throws(JSONFault) -> Estimate {
    var json = JSONScanner(bytes)
    let estimate = try read(&json)
    try json.expectEnd()
    return estimate
  }

  /// Reads an object that is all there is.
  /// - Throws: As the other.
  public static func estimate(text: String) throws(JSONFault) -> Estimate {
    let result = Array(text.utf8).withUnsafeBytes { bytes -> Result<Estimate, JSONFault> in
      do throws(JSONFault) {
        return .success(try estimate(from: bytes))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  static func read(_ json: inout JSONScanner) throws(JSONFault) -> Estimate {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 0))
    var hasTimestamp = false
    var likely = 0
    try json.expect(UInt8(ascii: "{"))
    if !json.takes(UInt8(ascii: "}")) {
      repeat {
        let field = try next(&json, &likely)
        guard let field else {
          try json.skipValue()
          continue
        }
        try fields[field].read(&estimate, &json)
        if field == 0 { hasTimestamp = true }
      } while json.takes(UInt8(ascii: ","))
      try json.expect(UInt8(ascii: "}"))
    }
    guard hasTimestamp else { throw json.fault("an estimate with a timestamp") }
    return estimate
  }

  /// The field whose key comes next; nil for a key that is not known. Keys usually come in the order in which
  /// they are written, so the likely ones are tried before any is looked up.
  private static func next(
    _ json: inout JSONScanner, _ likely: inout Int
  ) throws(JSONFault) -> Int? {
    while likely < fields.count {
      defer { likely += 1 }
      if json.takes(key: fields[likely].key) { return likely }
    }
    let key = try json.string()
    try json.expect(UInt8(ascii: ":"))
    return index[key]
  }
}
