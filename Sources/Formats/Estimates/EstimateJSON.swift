import JSON
import Quantities

/// An estimate as one JSON object, without a line end; unknown values are absent.
///
/// Angles in degrees, lengths in metres, speeds in metres per second; `t` in seconds with nine
/// decimals. The same estimate gives the same bytes on every machine.
public enum EstimateJSON {
  /// The object's bytes with all values: degrees with four decimals (place: nine, 0.1 mm), metres
  /// with three.
  public static func object(_ estimate: Estimate) -> [UInt8] {
    // The size of a typical object, so that it is allocated once.
    bytes(reserving: 1024) { json in
      json.add("t", nanoseconds: estimate.timestamp.nanoseconds)
      add(estimate, .full, to: &json)
    }
  }

  /// The object's bytes for a broker with many subscribers: half the size, without `t`. As many
  /// decimals as the accuracy of a good sensor needs: degrees with one (place: seven, 11 mm),
  /// metres with two.
  /// - Parameters:
  ///   - estimate: The estimate.
  ///   - hectopascal: The newest static pressure; nil if none is known.
  /// - Returns: The object, without a line end.
  public static func state(_ estimate: Estimate, hectopascal: Double? = nil) -> [UInt8] {
    bytes(reserving: 512) { json in
      add(estimate, .state(hectopascal: hectopascal), to: &json)
    }
  }

  /// What an object has beyond the common values, and its decimals.
  private enum Detail {
    case full
    case state(hectopascal: Double?)

    var decimals: (angle: Int, place: Int, length: Int) {
      switch self {
      case .full: (4, 9, 3)
      case .state: (1, 7, 2)
      }
    }

    var isFull: Bool { if case .full = self { true } else { false } }
  }

  private static func bytes(
    reserving capacity: Int, _ fill: (inout JSONWriter) -> Void
  ) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(capacity)
    var json = JSONWriter(appendingTo: &text)
    fill(&json)
    json.close(into: &text)
    return text
  }

  private static func add(_ estimate: Estimate, _ detail: Detail, to json: inout JSONWriter) {
    let (angle, place, length) = detail.decimals
    json.add(time: estimate.utc)
    json.add(
      "magneticHeading", estimate.magneticHeading?.angle.degreesBelowTurn(decimals: angle),
      decimals: angle)
    json.add(
      "trueHeading", estimate.trueHeading?.angle.degreesBelowTurn(decimals: angle), decimals: angle)
    json.add("headingAccuracy", estimate.headingAccuracy?.degrees, decimals: angle)
    if estimate.isLevelKnown, let angles = estimate.attitude?.attitudeAngles {
      json.add("roll", angles.roll.degrees, decimals: angle)
      json.add("pitch", angles.pitch.degrees, decimals: angle)
    }
    json.add("rateOfTurn", estimate.rateOfTurn?.degreesPerSecond, decimals: angle)
    if detail.isFull {
      json.add("accelerationNorth", estimate.acceleration?.x, decimals: 4)
      json.add("accelerationEast", estimate.acceleration?.y, decimals: 4)
      json.add("accelerationDown", estimate.acceleration?.z, decimals: 4)
      json.add("heave", estimate.heaveMetres, decimals: length)
      json.add("deviation", estimate.deviation?.degrees, decimals: 3)
      json.add("compassContradiction", estimate.compassContradiction?.degrees, decimals: 1)
      json.add("tiltContradiction", estimate.tiltContradiction?.degrees, decimals: 1)
      if let inputs = estimate.inputs {
        json.add("magnetometerAxes", inputs.field.rawValue)
        json.add("gyroscopeAxes", inputs.rate.rawValue)
        json.add("accelerometerAxes", inputs.force.rawValue)
        json.add("barometer", inputs.pressure.rawValue)
        json.add("stamps", inputs.time.rawValue)
        json.add("forwardAxis", inputs.forward.rawValue)
        json.add("inputFault", inputs.fault.map { "\($0)" })
      }
    }
    json.add("latitude", estimate.position?.latitude.degrees, decimals: place)
    json.add("longitude", estimate.position?.longitude.degrees, decimals: place)
    json.add("horizontalAccuracy", estimate.horizontalAccuracyMetres, decimals: length)
    json.add("altitude", estimate.altitudeMetres, decimals: length)
    if detail.isFull {
      json.add("ellipsoidalAltitude", estimate.ellipsoidalAltitudeMetres, decimals: length)
    }
    json.add("verticalAccuracy", estimate.verticalAccuracyMetres, decimals: length)
    if detail.isFull {
      json.add("verticalSpeed", estimate.verticalSpeedMetresPerSecond, decimals: length)
      json.add("qnh", estimate.qnhHectopascal, decimals: 2)
    }
    json.add("speed", estimate.speedMetresPerSecond, decimals: length)
    json.add("course", estimate.course?.degreesBelowTurn(decimals: angle), decimals: angle)
    json.add("fix", estimate.fixKind?.rawValue)
    if case .state(let hectopascal) = detail {
      json.add("satellites", estimate.satellitesUsed)
      json.add("pressure", hectopascal, decimals: 2)
    }
    if detail.isFull { json.add("outage", estimate.outageSeconds, decimals: 1) }
    json.add("motion", estimate.motionState?.rawValue)
    if detail.isFull {
      json.add("motionProbability", estimate.motionProbability, decimals: 2)
      if let since = estimate.motionSince {
        json.add("motionSince", nanoseconds: since.nanoseconds)
      }
    }
    json.add("calibration", estimate.calibration?.rawValue)
    json.add("disturbance", estimate.disturbance?.rawValue)
    if detail.isFull {
      json.add("fieldStrength", estimate.earthField?.total, decimals: 3)
      json.add("dip", estimate.earthField?.dip.degrees, decimals: 3)
      json.add("modelFieldStrength", estimate.modelField?.total, decimals: 3)
      json.add("modelDip", estimate.modelField?.dip.degrees, decimals: 3)
      if let mode = estimate.attitudeMode, mode != .none { json.add("attitudeMode", mode.rawValue) }
    }
    if estimate.isSimulated { json.add("simulated", true) }
  }
}
