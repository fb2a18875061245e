import Quantities
import ReceiverProtocols

/// A receiver's reports as objects of gpsd's JSON protocol, without the line's end.
///
/// Names, units and decimals are those of gpsd 3.22 (`gpsd_json(5)`): degrees, metres, metres per second.
public enum GPSDReport {
  /// Position errors are printed for 95 %: about twice the radius of 68 % and twice one sigma.
  private static let errorFactor = 2.0

  /// Time, position and velocity. `device` is the path of the receiver, absent where there is none.
  public static func tpv(_ epoch: ReceiverEpoch, device: String? = nil) -> [UInt8] {
    let fix = epoch.fix
    var json = JSONObject()
    json.add("class", "TPV")
    json.add("device", device)
    json.add("mode", epoch.heldDimension.rawValue)
    json.add("status", status(fix.kind))
    json.add("time", fix.utc)
    if epoch.dimension > .none {
      json.add("lat", fix.position?.latitude.degrees, decimals: 9)
      json.add("lon", fix.position?.longitude.degrees, decimals: 9)
      json.add("altHAE", epoch.printedHeightMetres, decimals: 4)
      json.add("altMSL", epoch.printedAltitudeMetres, decimals: 4)
      json.add("alt", epoch.printedAltitudeMetres, decimals: 4)
      json.add("epx", epoch.longitudeErrorMetres.map { $0 * errorFactor }, decimals: 3)
      json.add("epy", epoch.latitudeErrorMetres.map { $0 * errorFactor }, decimals: 3)
      json.add("epv", fix.verticalAccuracyMetres.map { $0 * errorFactor }, decimals: 3)
      json.add("track", fix.course?.degreesBelowTurn(decimals: 4), decimals: 4)
    }
    json.add("magtrack", epoch.magneticCourse?.degreesBelowTurn(decimals: 4), decimals: 4)
    json.add("magvar", epoch.magneticVariation?.degrees, decimals: 1)
    if epoch.dimension > .none {
      json.add("speed", speed(epoch), decimals: 3)
      json.add(
        "climb", fix.verticalSpeedMetresPerSecond ?? epoch.derivedClimbMetresPerSecond, decimals: 3)
      json.add("geoidSep", epoch.geoidSeparationMetres, decimals: 3)
      json.add("eph", fix.horizontalAccuracyMetres.map { $0 * errorFactor }, decimals: 3)
    }
    return json.closed()
  }

  /// The sky; nil where the epoch tells nothing about it.
  public static func sky(_ epoch: ReceiverEpoch, device: String? = nil) -> [UInt8]? {
    guard let sky = epoch.sky else { return nil }
    var json = JSONObject()
    json.add("class", "SKY")
    json.add("device", device)
    json.add("time", epoch.fix.utc)
    json.add("vdop", epoch.verticalDilution, decimals: 2)
    json.add("hdop", epoch.fix.horizontalDilution, decimals: 2)
    json.add("pdop", epoch.positionDilution, decimals: 2)
    json.add("nSat", sky.satellites.count)
    json.add("uSat", sky.satellites.reduce(0) { $0 + ($1.isUsed ? 1 : 0) })
    json.add("satellites", sky.satellites) { satellite, json in
      json.add("PRN", pseudoRandomNumber(satellite.id))
      json.add("el", satellite.elevationDegrees, decimals: 1)
      json.add("az", satellite.azimuthDegrees, decimals: 1)
      json.add("ss", satellite.signalDecibelHertz, decimals: 1)
      json.add("used", satellite.isUsed)
      json.add("gnssid", Int(satellite.id.constellation.rawValue))
      json.add("svid", Int(satellite.id.number))
    }
    return json.closed()
  }

  /// The receiver's own error estimate; nil where the epoch has none.
  public static func gst(_ epoch: ReceiverEpoch, device: String? = nil) -> [UInt8]? {
    guard epoch.latitudeErrorMetres != nil || epoch.longitudeErrorMetres != nil else { return nil }
    var json = JSONObject()
    json.add("class", "GST")
    json.add("device", device)
    json.add("time", epoch.fix.utc)
    json.add("lat", epoch.latitudeErrorMetres, decimals: 3)
    json.add("lon", epoch.longitudeErrorMetres, decimals: 3)
    json.add("alt", epoch.fix.verticalAccuracyMetres, decimals: 3)
    return json.closed()
  }

  /// An attitude: true heading as `heading`, magnetic as `mheading`, turn as `rot`.
  /// - Parameter yaw: what an alignment told last; gpsd repeats it in every attitude after.
  public static func att(
    _ report: HeadingReport, yaw: Angle? = nil, device: String? = nil
  ) -> [UInt8] {
    let printed = report.printed
    let heading = report.trueHeading?.angle ?? printed?.heading
    var json = JSONObject()
    json.add("class", "ATT")
    json.add("device", device)
    json.add("time", report.utc)
    json.add("heading", heading?.degreesBelowTurn(decimals: 3), decimals: 3)
    json.add(
      "mheading", report.magneticHeading?.angle.degreesBelowTurn(decimals: 3), decimals: 3)
    json.add("pitch", (report.pitch ?? printed?.pitch)?.degrees, decimals: 3)
    json.add("roll", (report.roll ?? printed?.roll)?.degrees, decimals: 3)
    json.add("yaw", yaw?.degrees, decimals: 3)
    json.add("dip", report.dip?.degrees, decimals: 3)
    let secondsPerMinute = 60.0
    json.add(
      "rot", report.rateOfTurn.map { $0.degreesPerSecond * secondsPerMinute }, decimals: 2)
    return json.closed()
  }

  /// How the receiver's motion sensors lie in the vehicle; gpsd tells it as an attitude too.
  public static func att(_ alignment: EsfAlg, device: String? = nil) -> [UInt8] {
    var json = JSONObject()
    json.add("class", "ATT")
    json.add("device", device)
    json.add("pitch", alignment.pitch.degrees, decimals: 3)
    json.add("roll", alignment.roll.degrees, decimals: 3)
    json.add("yaw", alignment.yaw.degrees, decimals: 3)
    return json.closed()
  }

  /// As gpsd tells it: the receiver's where it came in time, else that between two places.
  private static func speed(_ epoch: ReceiverEpoch) -> Double? {
    let (own, derived) = (epoch.fix.speedMetresPerSecond, epoch.derivedSpeedMetresPerSecond)
    return epoch.isSpeedLate ? derived ?? own : own ?? derived
  }

  /// gpsd leaves `status` out for a plain fix.
  private static func status(_ kind: FixKind) -> Int? {
    switch kind {
    case .none, .twoDimensional, .threeDimensional: nil
    case .differential: 2
    case .rtkFixed: 3
    case .rtkFloat: 4
    case .deadReckoning: 5
    case .simulated: 8
    }
  }

  /// gpsd's number of a satellite across all systems.
  /// - Source: gpsd_json(5), "PRN": GPS 1 to 63, GLONASS 65 to 96, SBAS 120 to 158, QZSS 193 to 202,
  ///   Galileo from 301, BeiDou from 401, NavIC from 901.
  private static func pseudoRandomNumber(_ id: SatelliteID) -> Int {
    let number = Int(id.number)
    return switch id.constellation {
    case .gps, .sbas: number
    case .glonass: number + 64
    case .qzss: number + 192
    case .galileo: number + 300
    case .beidou: number + 400
    case .navic: number + 900
    }
  }
}
