/// A value of the Signal K data model that can be reported, by its path below the vessel.
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
      .rateOfTurn, .attitude, .heave:
      .compass
    case .pressure: .barometer
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
      .courseTrue, .courseMagnetic:
      "rad"
    case .rateOfTurn: "rad/s"
    case .speedOverGround: "m/s"
    case .heave, .antennaAltitude, .geoidalSeparation: "m"
    case .differentialAge: "s"
    case .pressure: "Pa"
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
