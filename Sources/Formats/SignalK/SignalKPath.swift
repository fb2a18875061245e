/// A value of the Signal K data model that can be reported, by its path below the vessel.
/// The specification has no paths for waves and the tendency: theirs are those that other programs
/// use (`environment.water.waves.…`), with meta.
/// - Source: Signal K specification 1.7.0, schemas `groups/navigation.json`,
///   `groups/environment.json` and `groups/notifications.json`.
public enum SignalKPath: String, CaseIterable, Sendable {
  case headingMagnetic = "navigation.headingMagnetic"
  case headingTrue = "navigation.headingTrue"
  case headingCompass = "navigation.headingCompass"
  case magneticVariation = "navigation.magneticVariation"
  case magneticDeviation = "navigation.magneticDeviation"
  case rateOfTurn = "navigation.rateOfTurn"
  case attitude = "navigation.attitude"
  case heave = "environment.heave"
  case waveHeight = "environment.water.waves.significantHeight"
  case wavePeakPeriod = "environment.water.waves.peakPeriod"
  case waveMeanPeriod = "environment.water.waves.period"
  case waveDirection = "environment.water.waves.directionTrue"
  case position = "navigation.position"
  case speedOverGround = "navigation.speedOverGround"
  case courseTrue = "navigation.courseOverGroundTrue"
  case courseMagnetic = "navigation.courseOverGroundMagnetic"
  case datetime = "navigation.datetime"
  case fixType = "navigation.gnss.type"
  case methodQuality = "navigation.gnss.methodQuality"
  case satellites = "navigation.gnss.satellites"
  case antennaAltitude = "navigation.gnss.antennaAltitude"
  case geoidalSeparation = "navigation.gnss.geoidalSeparation"
  case horizontalDilution = "navigation.gnss.horizontalDilution"
  case positionDilution = "navigation.gnss.positionDilution"
  case differentialAge = "navigation.gnss.differentialAge"
  case pressure = "environment.outside.pressure"
  case pressureTendency = "environment.outside.pressureTendency"
  case fixNotification = "notifications.navigation.gnss.fix"
  case antennaNotification = "notifications.navigation.gnss.antenna"
  case interferenceNotification = "notifications.navigation.gnss.interference"
  case spoofingNotification = "notifications.navigation.gnss.spoofing"

  /// The notifications, which are set from the receiver's condition.
  static let notifications: [SignalKPath] = [
    .fixNotification, .antennaNotification, .interferenceNotification, .spoofingNotification,
  ]

  /// The part of the board that measures the value: the last part of `$source`.
  enum Source: String {
    case compass, gnss, barometer
  }

  var source: Source {
    switch self {
    case .headingMagnetic, .headingTrue, .headingCompass, .magneticVariation, .magneticDeviation,
      .rateOfTurn, .attitude, .heave, .waveHeight, .wavePeakPeriod, .waveMeanPeriod,
      .waveDirection:
      .compass
    case .pressure, .pressureTendency: .barometer
    default: .gnss
    }
  }

  /// The unit and the meaning, as in the specification.
  var meta: SignalKNode {
    var meta = SignalKNode.empty
    meta.set(["units"], units.map { .text($0) })
    meta.set(["description"], .text(meaning))
    for (key, unit, meaning) in parts {
      meta.set(["properties", key, "type"], .text("number"))
      meta.set(["properties", key, "description"], .text(meaning))
      meta.set(["properties", key, "units"], .text(unit))
    }
    return meta
  }

  private var units: String? {
    switch self {
    case .headingMagnetic, .headingTrue, .headingCompass, .magneticVariation, .magneticDeviation,
      .courseTrue, .courseMagnetic, .waveDirection:
      "rad"
    case .rateOfTurn: "rad/s"
    case .speedOverGround: "m/s"
    case .heave, .waveHeight, .antennaAltitude, .geoidalSeparation: "m"
    case .differentialAge, .wavePeakPeriod, .waveMeanPeriod: "s"
    case .pressure, .pressureTendency: "Pa"
    default: nil
    }
  }

  private var meaning: String {
    switch self {
    case .headingMagnetic: "Heading from magnetic north, corrected for the deviation"
    case .headingTrue: "Heading from true north"
    case .headingCompass: "Heading of the compass before the correction for the deviation"
    case .magneticVariation: "Magnetic north from true north, east positive"
    case .magneticDeviation: "Deviation of the compass by the vessel at this heading, east positive"
    case .rateOfTurn: "Rate of turn, to starboard positive"
    case .attitude: "Roll, pitch and yaw"
    case .heave: "Vertical movement in the waves, up positive"
    case .waveHeight: "Significant height of the waves"
    case .wavePeakPeriod: "Period of the peak of the waves' spectrum"
    case .waveMeanPeriod: "Mean period of the waves between crossings of the mean height"
    case .waveDirection: "Direction from which the waves come, from true north"
    case .position: "Position (WGS 84)"
    case .speedOverGround: "Speed over ground"
    case .courseTrue: "Course over ground from true north"
    case .courseMagnetic: "Course over ground from magnetic north"
    case .datetime: "Time and date of the fix"
    case .fixType: "Satellite systems of the fix"
    case .methodQuality: "Quality of the fix"
    case .satellites: "Number of satellites in use"
    case .antennaAltitude: "Altitude of the antenna above mean sea level"
    case .geoidalSeparation: "Mean sea level above the WGS 84 ellipsoid"
    case .horizontalDilution: "Horizontal dilution of precision"
    case .positionDilution: "Position dilution of precision"
    case .differentialAge: "Age of the differential corrections"
    case .pressure: "Air pressure at the sensor"
    case .pressureTendency: "Change of the air pressure in three hours"
    case .fixNotification: "Whether the receiver has a fix, and why not"
    case .antennaNotification: "The receiver's antenna"
    case .interferenceNotification: "Interference with the receiver"
    case .spoofingNotification: "False satellite signals"
    }
  }

  private var parts: [(key: String, unit: String, meaning: String)] {
    switch self {
    case .attitude:
      [
        ("roll", "rad", "Starboard side down positive"), ("pitch", "rad", "Bow up positive"),
        ("yaw", "rad", "Heading from magnetic north, -pi to pi"),
      ]
    case .position:
      [
        ("latitude", "deg", "North positive"), ("longitude", "deg", "East positive"),
        ("altitude", "m", "Above mean sea level"),
      ]
    default: []
    }
  }
}
