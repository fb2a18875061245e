import JSON
import Quantities

extension ReceiverEpoch {

  /// Makes an epoch from the reports of one device.
  ///
  /// - Accuracy: GST's standard deviations where the device sends them, else the daemon's errors
  ///   unchanged, else dilution times a typical range error. The daemon documents its errors as 95
  ///   % (gpsd_json(5): "guessed to be 95% confidence"). That holds where it computes them from
  ///   dilution; for u-blox and others it forwards the receiver's one sigma. The report does not
  ///   distinguish the two. Read as one sigma, the value is never too small.
  /// - Parameters:
  ///   - tpv: The instant's TPV.
  ///   - sky: The last SKY and GST.
  ///   - timestamp: When the instant's first report was received.
  ///   - now: When this report was received.
  init(_ tpv: GPSDFix, sky: GPSDSky, at timestamp: Timestamp, now: Timestamp) {
    self.init(timestamp: timestamp)
    fix.utc = tpv.utc
    // Daemons of all versions send east as positive, contrary to the manual.
    magneticVariation = tpv.variationDegrees.map { Angle(degrees: $0) }
    if sky.hasSky(at: now) {
      fix.horizontalDilution = sky.horizontalDilution
      fix.satellitesUsed = sky.satellitesUsed
      verticalDilution = sky.verticalDilution
      positionDilution = sky.positionDilution
      if sky.isViewNew { self.sky = sky.view }
    }
    fix.kind = tpv.kind
    guard fix.kind != .none, let latitude = tpv.latitudeDegrees,
      let longitude = tpv.longitudeDegrees
    else { return }
    dimension = tpv.mode == 2 ? .two : .three
    heldDimension = dimension
    (printedAltitudeMetres, printedHeightMetres) = (tpv.seaAltitude, tpv.ellipsoidalAltitude)
    fix.position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
    fix.speedMetresPerSecond = tpv.speed
    fix.verticalSpeedMetresPerSecond = tpv.climb
    fix.course = tpv.trackDegrees.map { Angle(degrees: $0).wrappedToTurn }
    magneticCourse = tpv.magneticTrackDegrees.map { Angle(degrees: $0).wrappedToTurn }
    geoidSeparationMetres = tpv.separation
    if let north = tpv.northVelocity, let east = tpv.eastVelocity, let down = tpv.downVelocity {
      velocity = Velocity(metresPerSecond: SIMD3(north, east, down))
    }
    // For u-blox the daemon forwards the receiver's one sigma; the values that it computes are
    // wider.
    speedAccuracyMetresPerSecond = Self.sigma(tpv.speedError)
    courseAccuracy = Self.sigma(tpv.trackErrorDegrees).map { Angle(degrees: $0) }
    correctionAgeSeconds = tpv.correctionAge
    setHorizontalAccuracy(tpv, sky, now)
    // In a 2D solution the altitude is an old or assumed one.
    if dimension == .three { setAltitude(tpv, sky, now) }
  }

  private mutating func setHorizontalAccuracy(_ tpv: GPSDFix, _ sky: GPSDSky, _ now: Timestamp) {
    if sky.hasErrors(at: now), sky.northError != nil || sky.eastError != nil {
      (latitudeErrorMetres, longitudeErrorMetres) = (sky.northError, sky.eastError)
    } else {
      latitudeErrorMetres = Self.sigma(tpv.northError)
      longitudeErrorMetres = Self.sigma(tpv.eastError)
    }
    let joined: Double?
    if let north = latitudeErrorMetres, let east = longitudeErrorMetres {
      joined = (north * north + east * east).squareRoot()
    } else {
      joined = nil
    }
    let isMeasured = sky.hasErrors(at: now) && sky.northError != nil && sky.eastError != nil
    fix.setHorizontalAccuracy(
      stated: (isMeasured ? joined : nil) ?? Self.sigma(tpv.horizontalError) ?? joined)
  }

  private mutating func setAltitude(_ tpv: GPSDFix, _ sky: GPSDSky, _ now: Timestamp) {
    fix.altitudeMetres = tpv.seaAltitude
    fix.ellipsoidalAltitudeMetres = tpv.ellipsoidalAltitude
    if fix.ellipsoidalAltitudeMetres == nil, let altitude = fix.altitudeMetres,
      let separation = tpv.separation
    {
      fix.ellipsoidalAltitudeMetres = altitude + separation
    }
    guard fix.altitudeMetres != nil || fix.ellipsoidalAltitudeMetres != nil else { return }
    fix.verticalAccuracyMetres =
      (sky.hasErrors(at: now) ? sky.verticalError : nil) ?? Self.sigma(tpv.verticalError)
      ?? RangeError.metres(dilution: verticalDilution, kind: fix.kind)
  }

  /// An error of zero means that the error is not known.
  private static func sigma(_ error: Double?) -> Double? {
    error.flatMap { $0 > 0 ? $0 : nil }
  }
}

extension HeadingReport {
  /// Reads an ATT object; nil where it has no heading, or one outside 0 to 360 degrees.
  ///
  /// Pitch, roll and yaw are ignored.
  /// - Source: gpsd_json(5) of gpsd 3.22, table "ATT object": `heading` true, `mheading` magnetic,
  ///   degrees; `rot` degrees a minute.
  init?(_ reader: inout JSONReader, at timestamp: Timestamp) {
    guard reader.beginObject() else { return nil }
    self.init(timestamp: timestamp)
    let secondsPerMinute = 60.0
    while let key = reader.nextKey() {
      if key.is("heading") {
        trueHeading = reader.number(in: 0...360).map { TrueHeading(Angle(degrees: $0)) }
      } else if key.is("mheading") {
        magneticHeading = reader.number(in: 0...360).map { MagneticHeading(Angle(degrees: $0)) }
      } else if key.is("rot") {
        rateOfTurn = reader.number().map {
          AngularSpeed(radiansPerSecond: Angle(degrees: $0 / secondsPerMinute).radians)
        }
      } else {
        reader.skip()
      }
    }
    guard trueHeading != nil || magneticHeading != nil else { return nil }
  }
}
