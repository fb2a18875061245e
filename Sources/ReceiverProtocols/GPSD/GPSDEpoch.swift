import Quantities

extension ReceiverEpoch {

  /// An epoch of what a device said.
  ///
  /// - Accuracy: GST's standard deviations where the device sends them, else the daemon's errors as they are,
  ///   else dilution times a typical range error. The daemon means 95 % (gpsd_json(5): "guessed to be 95%
  ///   confidence") and so it is where it guesses from dilution; of u-blox and others it hands on the receiver's own
  ///   sigma. Which of the two a figure is it does not say: taken as one sigma, it is never too small.
  /// - Parameters:
  ///   - told: The instant's TPV.
  ///   - sky: What SKY and GST said last.
  ///   - timestamp: When the instant's first report came in.
  ///   - now: When this one came in.
  init(_ told: GPSDFix, sky: GPSDSky, at timestamp: Timestamp, now: Timestamp) {
    self.init(timestamp: timestamp)
    fix.utc = told.utc
    // East is positive in what daemons of all versions send, whatever the manual says.
    magneticVariation = told.variationDegrees.map { Angle(degrees: $0) }
    if sky.hasSky(at: now) {
      fix.horizontalDilution = sky.horizontalDilution
      fix.satellitesUsed = sky.satellitesUsed
      verticalDilution = sky.verticalDilution
      positionDilution = sky.positionDilution
      if sky.isViewNew { self.sky = sky.view }
    }
    fix.kind = told.kind
    guard fix.kind != .none, let latitude = told.latitudeDegrees,
      let longitude = told.longitudeDegrees
    else { return }
    dimension = told.mode == 2 ? .two : .three
    heldDimension = dimension
    (printedAltitudeMetres, printedHeightMetres) = (told.seaAltitude, told.ellipsoidalAltitude)
    fix.position = GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
    fix.speedMetresPerSecond = told.speed
    fix.verticalSpeedMetresPerSecond = told.climb
    fix.course = told.trackDegrees.map { Angle(degrees: $0).wrappedToTurn }
    magneticCourse = told.magneticTrackDegrees.map { Angle(degrees: $0).wrappedToTurn }
    geoidSeparationMetres = told.separation
    if let north = told.northVelocity, let east = told.eastVelocity, let down = told.downVelocity {
      velocity = Velocity(metresPerSecond: SIMD3(north, east, down))
    }
    // Of u-blox the daemon hands the receiver's own sigma on; what it works out itself is wider.
    speedAccuracyMetresPerSecond = Self.sigma(told.speedError)
    courseAccuracy = Self.sigma(told.trackErrorDegrees).map { Angle(degrees: $0) }
    correctionAgeSeconds = told.correctionAge
    setHorizontalAccuracy(told, sky, now)
    // In a 2D solution the altitude is an old or assumed one.
    if dimension == .three { setAltitude(told, sky, now) }
  }

  private mutating func setHorizontalAccuracy(_ told: GPSDFix, _ sky: GPSDSky, _ now: Timestamp) {
    if sky.hasErrors(at: now), sky.northError != nil || sky.eastError != nil {
      (latitudeErrorMetres, longitudeErrorMetres) = (sky.northError, sky.eastError)
    } else {
      latitudeErrorMetres = Self.sigma(told.northError)
      longitudeErrorMetres = Self.sigma(told.eastError)
    }
    let joined: Double?
    if let north = latitudeErrorMetres, let east = longitudeErrorMetres {
      joined = (north * north + east * east).squareRoot()
    } else {
      joined = nil
    }
    let isMeasured = sky.hasErrors(at: now) && sky.northError != nil && sky.eastError != nil
    fix.horizontalAccuracyMetres =
      (isMeasured ? joined : nil) ?? Self.sigma(told.horizontalError) ?? joined
      ?? RangeError.metres(dilution: fix.horizontalDilution, kind: fix.kind)
  }

  private mutating func setAltitude(_ told: GPSDFix, _ sky: GPSDSky, _ now: Timestamp) {
    fix.altitudeMetres = told.seaAltitude
    fix.ellipsoidalAltitudeMetres = told.ellipsoidalAltitude
    if fix.ellipsoidalAltitudeMetres == nil, let altitude = fix.altitudeMetres,
      let separation = told.separation
    {
      fix.ellipsoidalAltitudeMetres = altitude + separation
    }
    guard fix.altitudeMetres != nil || fix.ellipsoidalAltitudeMetres != nil else { return }
    fix.verticalAccuracyMetres =
      (sky.hasErrors(at: now) ? sky.verticalError : nil) ?? Self.sigma(told.verticalError)
      ?? RangeError.metres(dilution: verticalDilution, kind: fix.kind)
  }

  /// An error of nothing is one that is not known.
  private static func sigma(_ error: Double?) -> Double? {
    error.flatMap { $0 > 0 ? $0 : nil }
  }
}

extension HeadingReport {
  /// Reads an ATT object; nil where it has no heading, or one that is no direction.
  ///
  /// Pitch, roll and yaw are passed over: a report of the house has no place for them.
  /// - Source: gpsd_json(5) of gpsd 3.22, table "ATT object": `heading` true, `mheading` magnetic, degrees;
  ///   `rot` degrees a minute.
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
        reader.pass()
      }
    }
    guard trueHeading != nil || magneticHeading != nil else { return nil }
  }
}
