import Quantities

/// An estimate as one JSON object; what is not known is absent.
///
/// Keys and units: `t` s; `magneticHeading` `trueHeading` `headingAccuracy` (95 %) `roll` `pitch` deg;
/// `rateOfTurn` deg/s; `latitude` `longitude` deg; `horizontalAccuracy` m (68 %); `altitude` (mean sea
/// level) `ellipsoidalAltitude` `verticalAccuracy` m (one sigma); `verticalSpeed` m/s (up); `speed` m/s;
/// `course` deg; `fix`, `calibration`, `disturbance` as words; `simulated` true where no sensor stands
/// behind it.
public enum EstimateJSON {
  /// Appends the object, without a line end, as ASCII.
  public static func append(_ e: Estimate, to line: inout [UInt8]) {
    var object = JSONObjectWriter(line)
    object.number("t", e.timestamp.seconds, decimals: 6)
    object.angle("magneticHeading", e.magneticHeading?.angle)
    object.angle("trueHeading", e.trueHeading?.angle)
    object.number("headingAccuracy", e.headingAccuracy?.degrees, decimals: 2)
    if e.isLevelKnown, let angles = e.attitude?.attitudeAngles {
      object.number("roll", angles.roll.degrees, decimals: 3)
      object.number("pitch", angles.pitch.degrees, decimals: 3)
    }
    object.number("rateOfTurn", e.rateOfTurn?.degreesPerSecond, decimals: 3)
    object.number("latitude", e.position?.latitude.degrees, decimals: 9)
    object.number("longitude", e.position?.longitude.degrees, decimals: 9)
    object.number("horizontalAccuracy", e.horizontalAccuracyMetres, decimals: 3)
    object.number("altitude", e.altitudeMetres, decimals: 3)
    object.number("ellipsoidalAltitude", e.ellipsoidalAltitudeMetres, decimals: 3)
    object.number("verticalAccuracy", e.verticalAccuracyMetres, decimals: 3)
    object.number("verticalSpeed", e.verticalSpeedMetresPerSecond, decimals: 3)
    object.number("speed", e.speedMetresPerSecond, decimals: 3)
    object.angle("course", e.course)
    object.word("fix", e.fixKind?.rawValue)
    object.word("calibration", e.calibration?.rawValue)
    object.word("disturbance", e.disturbance?.rawValue)
    if e.isSimulated { object.flag("simulated") }
    line = object.end()
  }
}

/// Writes one flat JSON object with numbers of fixed decimals: the same bytes on every machine.
struct JSONObjectWriter {
  private var bytes: [UInt8]
  private var isFirst = true

  init(_ bytes: consuming [UInt8]) {
    self.bytes = bytes
    self.bytes.append(ascii: "{")
  }

  mutating func number(_ key: StaticString, _ value: Double?, decimals: Int) {
    guard let value, value.isFinite, abs(value) < 1e9 * 2 else { return }
    name(key)
    bytes.append(value, decimals: decimals)
  }

  /// A direction in degrees, which never reads 360.
  mutating func angle(_ key: StaticString, _ value: Angle?) {
    guard let degrees = value?.degrees else { return }
    number(key, degrees >= 359.9995 ? 0 : degrees, decimals: 3)
  }

  mutating func word(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    name(key)
    bytes.append(ascii: "\"")
    bytes.append(contentsOf: value.utf8)
    bytes.append(ascii: "\"")
  }

  mutating func flag(_ key: StaticString) {
    name(key)
    bytes.append(ascii: "true")
  }

  consuming func end() -> [UInt8] {
    bytes.append(ascii: "}")
    return bytes
  }

  private mutating func name(_ key: StaticString) {
    if !isFirst { bytes.append(ascii: ",") }
    isFirst = false
    bytes.append(ascii: "\"")
    bytes.append(ascii: key)
    bytes.append(ascii: "\":")
  }
}
