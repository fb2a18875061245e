import Quantities
import Terminal

/// Estimates and the reading of screens that the suites share.
enum Screens {
  /// Everything is known.
  static func complete(magnetic: Double = 123.4, isSimulated: Bool = false) -> Estimate {
    var estimate = Estimate(timestamp: Timestamp(nanoseconds: 12_345_678_901))
    estimate.utc = UTCTime(
      year: 2025, month: 6, day: 1, hour: 12, minute: 3, second: 4, nanosecond: 599_999_999)
    let heading = Angle(degrees: magnetic)
    estimate.magneticHeading = MagneticHeading(heading)
    estimate.trueHeading = TrueHeading(Angle(degrees: magnetic + 2.6))
    estimate.headingAccuracy = Angle(degrees: 3.1)
    estimate.trueHeadingAccuracy = Angle(degrees: 3.3)
    estimate.isLevelKnown = true
    estimate.attitude = Rotation(
      AttitudeAngles(
        heading: heading, pitch: Angle(degrees: -1.2), roll: Angle(degrees: 2)))
    estimate.rateOfTurn = AngularSpeed(radiansPerSecond: 0.4 * .pi / 180)
    estimate.fixKind = .threeDimensional
    estimate.position = GeodeticPosition(latitudeDegrees: 57.12345, longitudeDegrees: 11.98765)
    estimate.horizontalAccuracyMetres = 3
    estimate.altitudeMetres = 12.3
    estimate.verticalAccuracyMetres = 4
    estimate.verticalSpeedMetresPerSecond = -0.7
    estimate.speedMetresPerSecond = 3.2
    estimate.course = Angle(degrees: 140)
    estimate.satellitesUsed = 11
    estimate.calibration = .assumed
    estimate.disturbance = .clean
    estimate.isSimulated = isSimulated
    return estimate
  }

  /// Nothing is known but the instant.
  static let empty = Estimate(timestamp: Timestamp(nanoseconds: 1_000_000_000))

  /// Every number is not a number.
  static func poisoned() -> Estimate {
    var estimate = complete()
    let bad = Angle(radians: .nan)
    estimate.magneticHeading = MagneticHeading(bad)
    estimate.trueHeading = TrueHeading(bad)
    estimate.headingAccuracy = bad
    estimate.trueHeadingAccuracy = bad
    estimate.attitude = Rotation(rotationVector: SIMD3(.nan, 0, 0))
    estimate.rateOfTurn = AngularSpeed(radiansPerSecond: .infinity)
    estimate.position = GeodeticPosition(latitude: bad, longitude: bad)
    estimate.horizontalAccuracyMetres = .nan
    estimate.altitudeMetres = .infinity
    estimate.verticalAccuracyMetres = .nan
    estimate.verticalSpeedMetresPerSecond = .nan
    estimate.speedMetresPerSecond = .nan
    estimate.course = bad
    return estimate
  }

  /// A screen of plain characters.
  static func plain(
    _ estimate: Estimate?, _ columns: Int, _ rows: Int, glyphs: GlyphSet = .full,
    age: Double? = nil
  ) -> [String] {
    CompassScreen(glyphs: glyphs, depth: .none)
      .lines(estimate, size: .init(columns: columns, rows: rows), age: age)
  }

  /// A line without its SGR sequences.
  static func stripped(_ line: String) -> String {
    var text = ""
    var isEscape = false
    for scalar in line.unicodeScalars {
      if scalar == "\u{1B}" {
        isEscape = true
      } else if isEscape {
        if scalar == "m" { isEscape = false }
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
