import Quantities

extension EpochDraft {
  mutating func add(_ pvt: NavPVT) {
    solved(pvt.fixType, pvt.isFixOK, isDifferential: pvt.isDifferential, pvt.carrierSolution)
    place(
      pvt.position, height: pvt.ellipsoidalAltitudeMetres, altitude: pvt.altitudeMetres,
      pvt.horizontalAccuracyMetres, pvt.verticalAccuracyMetres)
    moves(
      pvt.speedMetresPerSecond, pvt.course, pvt.speedAccuracyMetresPerSecond, pvt.headingAccuracy)
    epoch.velocity = pvt.velocity
    epoch.correctionAgeSeconds = pvt.leastCorrectionAgeSeconds
    utc = pvt.time.utc ?? utc
    epoch.isTimeResolved = pvt.time.isFullyResolved
    epoch.timeAccuracySeconds = pvt.timeAccuracySeconds
    epoch.fix.satellitesUsed = pvt.satellitesUsed
    epoch.positionDilution = epoch.positionDilution ?? dilution(pvt.positionDilution)
    epoch.magneticVariation = pvt.magneticDeclination ?? epoch.magneticVariation
  }

  mutating func add(_ pvat: NavPVAT) {
    solved(pvat.fixType, pvat.isFixOK, isDifferential: pvat.isDifferential, pvat.carrierSolution)
    place(
      pvat.position, height: pvat.ellipsoidalAltitudeMetres, altitude: pvat.altitudeMetres,
      pvat.horizontalAccuracyMetres, pvat.verticalAccuracyMetres)
    moves(pvat.speedMetresPerSecond, pvat.course, pvat.speedAccuracyMetresPerSecond, nil)
    epoch.velocity = pvat.velocity
    utc = pvat.time.utc ?? utc
    epoch.isTimeResolved = pvat.time.isFullyResolved
    epoch.timeAccuracySeconds = pvat.timeAccuracySeconds
    epoch.fix.satellitesUsed = pvat.satellitesUsed
    epoch.magneticVariation = pvat.magneticDeclination ?? epoch.magneticVariation
  }

  mutating func add(_ pvt: HnrPVT) {
    solved(pvt.fixType, pvt.isFixOK, isDifferential: pvt.isDifferential, nil)
    place(
      pvt.position, height: pvt.ellipsoidalAltitudeMetres, altitude: pvt.altitudeMetres,
      pvt.horizontalAccuracyMetres, pvt.verticalAccuracyMetres)
    moves(
      pvt.speedMetresPerSecond, pvt.course, pvt.speedAccuracyMetresPerSecond, pvt.headingAccuracy)
    utc = pvt.time.utc ?? utc
    epoch.isTimeResolved = pvt.time.isFullyResolved
  }

  mutating func add(_ llh: NavPosLLH) {
    place(
      llh.position, height: llh.ellipsoidalAltitudeMetres, altitude: llh.altitudeMetres,
      llh.horizontalAccuracyMetres, llh.verticalAccuracyMetres)
  }

  mutating func add(_ llh: NavHPPosLLH) {
    place(
      llh.position, height: llh.ellipsoidalAltitudeMetres, altitude: llh.altitudeMetres,
      llh.horizontalAccuracyMetres, llh.verticalAccuracyMetres, isFine: true)
  }

  mutating func add(_ velocity: NavVelNED) {
    epoch.velocity = velocity.velocity
    epoch.fix.speedMetresPerSecond =
      epoch.fix.speedMetresPerSecond ?? velocity.speedMetresPerSecond
    epoch.fix.course = epoch.fix.course ?? velocity.course
    epoch.speedAccuracyMetresPerSecond = velocity.speedAccuracyMetresPerSecond
    epoch.courseAccuracy = velocity.courseAccuracy
  }

  /// Adds an earth-centred solution; its UTC is computed with `leapSeconds`.
  mutating func add(_ sol: NavSol, leapSeconds: Int) {
    solved(sol.fixType, sol.isFixOK, isDifferential: sol.isDifferential, nil)
    earthCentred = (sol.position, sol.positionAccuracyMetres)
    earthCentredVelocity = sol.velocity
    epoch.speedAccuracyMetresPerSecond =
      epoch.speedAccuracyMetresPerSecond ?? sol.speedAccuracyMetresPerSecond
    epoch.fix.satellitesUsed = sol.satellitesUsed
    epoch.positionDilution = epoch.positionDilution ?? dilution(sol.positionDilution)
    if utc == nil, let week = sol.week {
      utc = UTCTime(
        gpsWeek: week, milliseconds: sol.timeOfWeekMilliseconds,
        nanoseconds: sol.timeOfWeekFractionNanoseconds ?? 0, leapSeconds: leapSeconds)
    }
  }

  mutating func add(_ status: NavStatus) {
    epoch.uptimeSeconds = status.uptimeSeconds
    epoch.ownFirstFixSeconds = status.timeToFirstFixSeconds
    // A complete solution takes precedence.
    guard solution == nil else { return }
    solved(
      status.isFixOK ? status.fixType : UBXFixType.none, status.isFixOK,
      isDifferential: status.isDifferential, status.carrierSolution)
  }

  mutating func add(_ dop: NavDOP) {
    epoch.geometricDilution = dilution(dop.geometricDilution)
    epoch.positionDilution = dilution(dop.positionDilution)
    epoch.timeDilution = dilution(dop.timeDilution)
    epoch.verticalDilution = dilution(dop.verticalDilution)
    epoch.fix.horizontalDilution = dilution(dop.horizontalDilution)
  }

  mutating func add(_ covariance: NavCov) {
    if let velocity = covariance.velocitySquareMetresPerSecondSquared, velocity.isPossible {
      epoch.velocityCovarianceSquareMetresPerSecondSquared = velocity.matrix
    }
    guard let place = covariance.positionSquareMetres, place.isPossible else { return }
    epoch.positionCovarianceSquareMetres = place.matrix
    let fix = epoch.fix
    epoch.fix.horizontalAccuracyMetres =
      fix.horizontalAccuracyMetres ?? (place.northNorth + place.eastEast).squareRoot()
    epoch.fix.verticalAccuracyMetres =
      fix.verticalAccuracyMetres ?? place.downDown.squareRoot()
  }

  mutating func add(_ relative: NavRelPosNED) {
    // A normalised offset is a direction without a length.
    if !relative.isNormalised { add(baseline: relative.offset) }
  }

  mutating func add(baseline offset: NavRelPosNED.Offset?) {
    guard let offset else { return }
    epoch.baselineMetres = SIMD3(offset.northMetres, offset.eastMetres, offset.downMetres)
  }

  /// Stores dimension, validity and kind of a solution.
  private mutating func solved(
    _ type: UBXFixType?, _ isOK: Bool, isDifferential: Bool, _ carrier: UBXCarrierSolution?
  ) {
    let type = type ?? .none
    hasContent = true
    epoch.isFixOK = isOK
    solution =
      switch type {
      case .none: ReceiverEpoch.Dimension.none
      case .deadReckoning, .twoDimensional: .two
      case .threeDimensional, .combined, .timeOnly: .three
      }
    isValid = type != .none
    quality =
      switch (type, carrier) {
      case (.none, _): FixKind.none
      case (.deadReckoning, _): .deadReckoning
      case (_, .fixed): .rtkFixed
      case (_, .float): .rtkFloat
      default: isDifferential ? .differential : .threeDimensional
      }
  }

  /// Stores a position; its validity may come from another message.
  private mutating func place(
    _ position: GeodeticPosition?, height: Double?, altitude: Double?, _ horizontal: Double?,
    _ vertical: Double?, isFine: Bool = false
  ) {
    hasContent = true
    guard let position, isFine || !hasFinePlace else { return }
    hasFinePlace = isFine
    epoch.fix.position = position
    epoch.fix.ellipsoidalAltitudeMetres = height
    epoch.fix.altitudeMetres = altitude
    epoch.fix.horizontalAccuracyMetres = horizontal
    epoch.fix.verticalAccuracyMetres = vertical
  }

  private mutating func moves(
    _ speed: Double, _ course: Angle, _ speedAccuracy: Double?, _ courseAccuracy: Angle?
  ) {
    // The field is signed, but a speed over ground cannot be negative.
    epoch.fix.speedMetresPerSecond = speed < 0 ? nil : speed
    epoch.fix.course = course.wrappedToTurn
    epoch.speedAccuracyMetresPerSecond = speedAccuracy
    epoch.courseAccuracy = courseAccuracy
  }

  /// u-blox sends 99.99 where a dilution is not known.
  private func dilution(_ value: Double) -> Double? { value < 99.99 ? value : nil }
}

extension UTCTime {
  /// Makes an instant from GPS week and time of week.
  init?(gpsWeek: Int, milliseconds: UInt32, nanoseconds: Int32, leapSeconds: Int) {
    self.init(
      gpsWeek: gpsWeek, nanosecondsOfWeek: Int64(milliseconds) * 1_000_000 + Int64(nanoseconds),
      leapSeconds: leapSeconds)
  }
}

extension NavCov.Covariance {
  /// True where all elements are finite and no variance is negative; receivers have sent other
  /// values.
  fileprivate var isPossible: Bool {
    northNorth.isFinite && northNorth >= 0 && eastEast.isFinite && eastEast >= 0
      && downDown.isFinite && downDown >= 0 && northEast.isFinite && northDown.isFinite
      && eastDown.isFinite
  }

  /// The symmetric matrix over north, east and down.
  fileprivate var matrix: Matrix3 {
    Matrix3(
      rows: SIMD3(northNorth, northEast, northDown), SIMD3(northEast, eastEast, eastDown),
      SIMD3(northDown, eastDown, downDown))
  }
}
