import JSON
import Quantities
import ReceiverProtocols

/// A receiver's reports as objects of gpsd's JSON protocol, without the line's end.
///
/// Names, units and decimals are those of gpsd 3.22 (`gpsd_json(5)`): degrees, metres, metres per
/// second.
public enum GPSDReport {
  /// Position errors are printed for 95 %: about twice the radius of 68 % and twice one sigma.
  private static let errorFactor = 2.0

  /// Time, position and velocity. `device` is the path of the receiver, absent where nil.
  public static func append(
    tpv epoch: ReceiverEpoch, device: String? = nil, to text: inout [UInt8]
  ) {
    let fix = epoch.fix
    var json = JSONWriter(appendingTo: &text)
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
      json.add("ept", epoch.timeAccuracySeconds.map { $0 * errorFactor }, decimals: 9)
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
      json.add(
        "eps", epoch.speedAccuracyMetresPerSecond.map { $0 * errorFactor }, decimals: 3)
      json.add("epd", epoch.courseAccuracy.map { $0.degrees * errorFactor }, decimals: 4)
      if let velocity = epoch.velocity?.metresPerSecond {
        json.add("velN", velocity.x, decimals: 3)
        json.add("velE", velocity.y, decimals: 3)
        json.add("velD", velocity.z, decimals: 3)
      }
      if let baseline = epoch.baselineMetres {
        json.add("relN", baseline.x, decimals: 4)
        json.add("relE", baseline.y, decimals: 4)
        json.add("relD", baseline.z, decimals: 4)
      }
    }
    json.add("leapseconds", epoch.leapSeconds)
    json.add("ant", epoch.signals.antenna?.rawValue)
    json.add("jam", epoch.signals.interferenceLevel.map { Int($0) })
    if !epoch.environment.isEmpty { add(epoch.environment, to: &json) }
    json.close(into: &text)
  }

  /// Depth, wind and water have keys in gpsd's TPV; other weather data has no key.
  private static func add(_ environment: Environment, to json: inout JSONWriter) {
    json.add("depth", environment.depthMetres, decimals: 3)
    json.add(
      "wanglem", environment.magneticWindDirection?.degreesBelowTurn(decimals: 1), decimals: 1)
    json.add("wangler", environment.apparentWindAngle?.degrees, decimals: 1)
    json.add("wanglet", environment.trueWindDirection?.degreesBelowTurn(decimals: 1), decimals: 1)
    json.add("wspeedr", environment.apparentWindMetresPerSecond, decimals: 1)
    json.add("wspeedt", environment.trueWindMetresPerSecond, decimals: 1)
    json.add("wtemp", environment.waterCelsius, decimals: 3)
  }

  /// The sky; false where the epoch has no satellite data.
  @discardableResult
  public static func append(
    skyOf epoch: ReceiverEpoch, device: String? = nil, to text: inout [UInt8]
  ) -> Bool {
    guard let sky = SkyReport(epoch) else { return false }
    append(sky: sky, device: device, to: &text)
    return true
  }

  /// The satellites and all dilutions that are known.
  public static func append(sky: SkyReport, device: String? = nil, to text: inout [UInt8]) {
    var json = JSONWriter(appendingTo: &text)
    json.add("class", "SKY")
    json.add("device", device)
    json.add("time", sky.utc)
    json.add("vdop", sky.verticalDilution, decimals: 2)
    json.add("tdop", sky.timeDilution, decimals: 2)
    json.add("hdop", sky.horizontalDilution, decimals: 2)
    json.add("gdop", sky.geometricDilution, decimals: 2)
    json.add("pdop", sky.positionDilution, decimals: 2)
    json.add("nSat", sky.satellites.count)
    json.add("uSat", sky.satellites.reduce(0) { $0 + ($1.isUsed ? 1 : 0) })
    json.add("satellites", count: sky.satellites.count) { index, json in
      let satellite = sky.satellites[index]
      json.add("PRN", pseudoRandomNumber(satellite.id))
      json.add("el", satellite.elevationDegrees, decimals: 1)
      json.add("az", satellite.azimuthDegrees, decimals: 1)
      json.add("ss", satellite.signalDecibelHertz, decimals: 1)
      json.add("used", satellite.isUsed)
      json.add("gnssid", Int(satellite.id.constellation.rawValue))
      json.add("svid", Int(satellite.id.number))
      json.add("health", satellite.isHealthy.map { $0 ? 1 : 2 })
    }
    json.close(into: &text)
  }

  /// The sky of an estimate, which has no single satellites: the number of those in use and the
  /// dilutions. False without any of them.
  @discardableResult
  public static func append(
    skyOf estimate: Estimate, device: String? = nil, to text: inout [UInt8]
  ) -> Bool {
    guard estimate.satellitesUsed != nil || estimate.horizontalDilution != nil else { return false }
    var json = JSONWriter(appendingTo: &text)
    json.add("class", "SKY")
    json.add("device", device)
    json.add("time", estimate.fixUTC)
    json.add("vdop", estimate.verticalDilution, decimals: 2)
    json.add("hdop", estimate.horizontalDilution, decimals: 2)
    json.add("uSat", estimate.satellitesUsed)
    json.close(into: &text)
    return true
  }

  /// The receiver's own error estimate; false where the epoch has none.
  @discardableResult
  public static func append(
    gstOf epoch: ReceiverEpoch, device: String? = nil, to text: inout [UInt8]
  ) -> Bool {
    guard let errors = epoch.errors else { return false }
    var json = JSONWriter(appendingTo: &text)
    json.add("class", "GST")
    json.add("device", device)
    json.add("time", epoch.fix.utc)
    json.add("rms", errors.rangeErrorMetres, decimals: 3)
    json.add("major", errors.semiMajorMetres, decimals: 3)
    json.add("minor", errors.semiMinorMetres, decimals: 3)
    json.add("orient", errors.semiMajorDirection?.degrees, decimals: 3)
    json.add("lat", errors.latitudeErrorMetres, decimals: 3)
    json.add("lon", errors.longitudeErrorMetres, decimals: 3)
    json.add("alt", errors.altitudeErrorMetres, decimals: 3)
    json.close(into: &text)
    return true
  }

  /// A rejected part of the stream: the cause, and its first bytes.
  public static func append(
    error cause: SentenceRejection, _ bytes: UnsafeBufferPointer<UInt8>, to text: inout [UInt8]
  ) {
    let shown = String(decoding: bytes.prefix(longestShown), as: UTF8.self)
    var json = JSONWriter(appendingTo: &text)
    json.add("class", "ERROR")
    json.add("message", "\(cause.words): \(shown)")
    json.close(into: &text)
  }

  /// Longer than nearly all sentences; limits the length of the line.
  private static let longestShown = 120

  /// An attitude: true heading as `heading`, magnetic as `mheading`, turn as `rot`.
  ///
  /// `yaw` is that of the last alignment; gpsd repeats it in every later attitude.
  public static func append(
    att report: HeadingReport, yaw: Angle? = nil, device: String? = nil, to text: inout [UInt8]
  ) {
    let printed = report.printed
    let heading = report.trueHeading?.angle ?? printed?.heading
    var json = JSONWriter(appendingTo: &text)
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
    json.close(into: &text)
  }

  /// The newest samples of the board's chips, in the axes of the board: force in m/s², rate in
  /// degrees a second, field in microtesla. False where the instant has none of them.
  @discardableResult
  public static func append(
    imuOf samples: SensorSamples, utc: UTCTime?, device: String? = nil, to text: inout [UInt8]
  ) -> Bool {
    let force = samples.inertial?.specificForce?.components
    let rate = samples.inertial?.angularRate?.components
    let field = samples.field?.field.components
    guard force != nil || rate != nil || field != nil else { return false }
    var json = JSONWriter(appendingTo: &text)
    json.add("class", "IMU")
    json.add("device", device)
    json.add("time", utc)
    // xgps of gpsd 3.25 reads nothing more after an IMU without the name of its message.
    json.add("msg", "LODESTAR-IMU")
    json.add("acc_x", force?.x, decimals: 4)
    json.add("acc_y", force?.y, decimals: 4)
    json.add("acc_z", force?.z, decimals: 4)
    let degrees = rate.map { $0 * (180 / .pi) }
    json.add("gyro_x", degrees?.x, decimals: 4)
    json.add("gyro_y", degrees?.y, decimals: 4)
    json.add("gyro_z", degrees?.z, decimals: 4)
    json.add("mag_x", field?.x, decimals: 3)
    json.add("mag_y", field?.y, decimals: 3)
    json.add("mag_z", field?.z, decimals: 3)
    json.close(into: &text)
    return true
  }

  /// The alignment of the receiver's motion sensors in the vehicle; gpsd reports it as an attitude
  /// too.
  public static func append(
    att alignment: EsfAlg, device: String? = nil, to text: inout [UInt8]
  ) {
    var json = JSONWriter(appendingTo: &text)
    json.add("class", "ATT")
    json.add("device", device)
    json.add("pitch", alignment.pitch.degrees, decimals: 3)
    json.add("roll", alignment.roll.degrees, decimals: 3)
    json.add("yaw", alignment.yaw.degrees, decimals: 3)
    json.close(into: &text)
  }

  /// By gpsd's rule: the receiver's value where it arrived in time, else that between two
  /// positions, unless the receiver's late one contradicts it.
  private static func speed(_ epoch: ReceiverEpoch) -> Double? {
    let (own, derived) = (epoch.fix.speedMetresPerSecond, epoch.derivedSpeedMetresPerSecond)
    return epoch.isSpeedLate ? derived ?? own : own ?? derived
  }

  /// gpsd leaves `status` out for a plain fix.
  private static func status(_ kind: FixKind) -> Int? {
    switch kind {
    case .none, .network, .twoDimensional, .threeDimensional: nil
    case .differential: 2
    case .rtkFixed: 3
    case .rtkFloat: 4
    case .deadReckoning: 5
    case .simulated: 8
    }
  }

  /// gpsd's number of a satellite across all systems.
  /// - Source: gpsd_json(5), "PRN": GPS 1 to 63, GLONASS 65 to 96, SBAS 120 to 158, QZSS 193 to
  ///   202, Galileo from 301, BeiDou from 401, NavIC from 901.
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
