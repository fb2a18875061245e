import Quantities
import ReceiverProtocols

extension FieldValues {
  mutating func add(_ m: NavPVT, nano: Double?) {
    setTimeFraction(nano)
    add("iTOW", m.timeOfWeekMilliseconds)
    add(m.time, second: "second")
    add("validDate", m.time.date != nil)
    add("validTime", m.time.timeOfDay != nil)
    add("validMag", m.magneticDeclination != nil)
    add("tAcc", times: 1e9, m.timeAccuracySeconds)
    add("fixType", m.fixType?.rawValue)
    add("gnssFixOk", m.isFixOK)
    add("diffSoln", m.isDifferential)
    add("psmState", m.powerSaving?.rawValue)
    add("headVehValid", m.vehicleHeading != nil)
    add("carrSoln", m.carrierSolution?.rawValue)
    add("confirmedAvai", m.isDateConfirmed != nil && m.isTimeConfirmed != nil)
    add("confirmedDate", m.isDateConfirmed)
    add("confirmedTime", m.isTimeConfirmed)
    add("numSV", m.satellitesUsed)
    add(m.position)
    add(
      "height", "hMSL", "hAcc", "vAcc", "gSpeed", "sAcc", times: 1e3, m.ellipsoidalAltitudeMetres,
      m.altitudeMetres, m.horizontalAccuracyMetres, m.verticalAccuracyMetres,
      m.speedMetresPerSecond, m.speedAccuracyMetresPerSecond)
    add(m.velocity, scale: 1e3)
    add("headMot", m.course)
    add("headAcc", m.headingAccuracy)
    add("pDOP", m.positionDilution)
    add("invalidLlh", m.position == nil)
    // Converts the lower end of the span back to its code.
    let ages: [Double] = [0, 1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120]
    let age = m.leastCorrectionAgeSeconds
    add("lastCorrectionAge", age.map { wanted in (ages.firstIndex(of: wanted) ?? -1) + 1 } ?? 0)
    add("authTime", m.isTimeAuthenticated)
    add("nmaFixStatus", m.mixesAuthenticatedSatellites)
    add("headVeh", m.vehicleHeading)
    add("magDec", m.magneticDeclination)
    add("magAcc", m.magneticDeclinationAccuracy)
  }

  mutating func add(_ m: NavPVAT, nano: Double?) {
    setTimeFraction(nano)
    add("iTOW", m.timeOfWeekMilliseconds)
    add(m.time, second: "sec")
    add("validDate", m.time.date != nil)
    add("validTime", m.time.timeOfDay != nil)
    add("validMag", m.magneticDeclination != nil)
    add("tAcc", times: 1e9, m.timeAccuracySeconds)
    add("fixType", m.fixType?.rawValue)
    add("gnssFixOK", m.isFixOK)
    add("diffSoln", m.isDifferential)
    add("carrSoln", m.carrierSolution?.rawValue)
    add("vehRollValid", m.roll != nil)
    add("vehPitchValid", m.pitch != nil)
    add("vehHeadingValid", m.heading != nil)
    add("confirmedAvai", m.isDateConfirmed != nil && m.isTimeConfirmed != nil)
    add("confirmedDate", m.isDateConfirmed)
    add("confirmedTime", m.isTimeConfirmed)
    add("numSV", m.satellitesUsed)
    add(m.position)
    add(
      "height", "hMSL", "hAcc", "vAcc", "gSpeed", "sAcc", "errEllipseMajor", "errEllipseMinor",
      times: 1e3, m.ellipsoidalAltitudeMetres, m.altitudeMetres, m.horizontalAccuracyMetres,
      m.verticalAccuracyMetres, m.speedMetresPerSecond, m.speedAccuracyMetresPerSecond,
      m.errorEllipseSemiMajorMetres, m.errorEllipseSemiMinorMetres)
    add(m.velocity, scale: 1e3)
    add("motHeading", m.course)
    add("vehRoll", m.roll)
    add("vehPitch", m.pitch)
    add("vehHeading", m.heading)
    add("accRoll", m.rollAccuracy)
    add("accPitch", m.pitchAccuracy)
    add("accHeading", m.headingAccuracy)
    add("magDec", m.magneticDeclination)
    add("magAcc", m.magneticDeclinationAccuracy)
    add("errEllipseOrient", m.errorEllipseDirection)
  }

  mutating func add(_ m: HnrPVT, nano: Double?) {
    setTimeFraction(nano)
    add("iTOW", m.timeOfWeekMilliseconds)
    add(m.time, second: "second")
    add("validDate", m.time.date != nil)
    add("validTime", m.time.timeOfDay != nil)
    add("gpsFix", m.fixType?.rawValue)
    add("GPSfixOK", m.isFixOK)
    add("DiffSoln", m.isDifferential)
    add("WKNSET", m.isWeekKnown)
    add("TOWSET", m.isTimeOfWeekKnown)
    add("headVehValid", m.vehicleHeading != nil)
    add(m.position)
    add(
      "height", "hMSL", "hAcc", "vAcc", "gSpeed", "speed", "sAcc", times: 1e3,
      m.ellipsoidalAltitudeMetres, m.altitudeMetres, m.horizontalAccuracyMetres,
      m.verticalAccuracyMetres, m.speedMetresPerSecond, m.spatialSpeedMetresPerSecond,
      m.speedAccuracyMetresPerSecond)
    add("headMot", m.course)
    add("headVeh", m.vehicleHeading)
    add("headAcc", m.headingAccuracy)
  }

  mutating func add(_ m: NavTimeUTC, nano: Double?) {
    setTimeFraction(nano)
    add("iTOW", m.timeOfWeekMilliseconds)
    add(m.time, second: "sec")
    let resolved = m.time.isFullyResolved
    remove("fullyResolved")
    add("validUTC", resolved)
    add("validTOW", m.time.timeOfDay != nil)
    add("validWKN", m.time.date != nil)
    add("authStatus", m.isAuthenticated)
    add("utcStandard", m.standard)
    add("tAcc", times: 1e9, m.timeAccuracySeconds)
  }

  mutating func add(_ m: NavPosLLH) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add(m.position)
    add(
      "height", "hMSL", "hAcc", "vAcc", times: 1e3, m.ellipsoidalAltitudeMetres, m.altitudeMetres,
      m.horizontalAccuracyMetres, m.verticalAccuracyMetres)
  }

  mutating func add(_ m: NavHPPosLLH) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("invalidLlh", m.position == nil)
    add(m.position)
    add(
      "height", "hMSL", "hAcc", "vAcc", times: 1e3, m.ellipsoidalAltitudeMetres, m.altitudeMetres,
      m.horizontalAccuracyMetres, m.verticalAccuracyMetres)
  }

  mutating func add(_ m: NavRelPosNED) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("refStationID", m.referenceStation)
    add(
      "relPosN", "relPosE", "relPosD", "relPosLength", times: 1e2, m.offset?.northMetres,
      m.offset?.eastMetres, m.offset?.downMetres, m.lengthMetres)
    add(
      "accN", "accE", "accD", "accLength", times: 1e3, m.offsetAccuracy?.northMetres,
      m.offsetAccuracy?.eastMetres, m.offsetAccuracy?.downMetres, m.lengthAccuracyMetres)
    add("relPosHeading", m.heading)
    add("accHeading", m.headingAccuracy)
    add("gnssFixOK", m.isFixOK)
    add("diffSoln", m.isDifferential)
    add("relPosValid", m.offset != nil)
    add("carrSoln", m.carrierSolution?.rawValue)
    add("isMoving", m.isMovingBaseline)
    add("refPosMiss", m.extrapolatesReferencePosition)
    add("refObsMiss", m.extrapolatesReferenceObservations)
    add("relPosHeadingValid", m.heading != nil)
    add("relPosNormalized", m.isNormalised)
  }

  mutating func add(_ m: NavDAHeading) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add(
      "relPosN", "relPosE", "relPosD", "relPosLength", times: 1e3, m.offset?.northMetres,
      m.offset?.eastMetres, m.offset?.downMetres, m.lengthMetres)
    add(
      "accN", "accE", "accD", "accLength", times: 1e3, m.offsetAccuracy?.northMetres,
      m.offsetAccuracy?.eastMetres, m.offsetAccuracy?.downMetres, m.lengthAccuracyMetres)
    add("relPosHeading", m.heading)
    add("accHeading", m.headingAccuracy)
    add("gnssFixOK", m.isFixOK)
    add("diffSoln", m.isDifferential)
    add("relPosValid", m.offset != nil)
    add("carrSoln", m.carrierSolution?.rawValue)
    add("relPosHeadingValid", m.heading != nil)
  }

  mutating func add(_ m: NavSol) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("fTOW", m.timeOfWeekFractionNanoseconds)
    add("week", m.week)
    add("gpsFix", m.fixType?.rawValue)
    add("gpsfixOK", m.isFixOK)
    add("diffSoln", m.isDifferential)
    add("wknSet", m.week != nil)
    add("towSet", m.timeOfWeekFractionNanoseconds != nil)
    add(["ecefX", "ecefY", "ecefZ"], centimetres: m.position)
    add(m.velocity)
    add("pAcc", "sAcc", times: 1e2, m.positionAccuracyMetres, m.speedAccuracyMetresPerSecond)
    add("pDOP", m.positionDilution)
    add("numSV", m.satellitesUsed)
  }

  mutating func add(_ m: NavStatus) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("gpsFix", m.fixType?.rawValue)
    add("gpsFixOk", m.isFixOK)
    add("diffSoln", m.isDifferential)
    add("wknSet", m.isWeekKnown)
    add("towSet", m.isTimeOfWeekKnown)
    add("diffCorr", m.hasCorrections)
    add("carrSolnValid", m.carrierSolution != nil)
    add("carrSoln", m.carrierSolution?.rawValue)
    add("psmState", m.powerSavingState)
    add("spoofDetState", m.spoofing?.rawValue)
    add("ttff", "msss", times: 1e3, m.timeToFirstFixSeconds, m.uptimeSeconds)
  }

  mutating func add(_ m: NavCov) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("posCovValid", m.positionSquareMetres != nil)
    add("velCovValid", m.velocitySquareMetresPerSecondSquared != nil)
    add("posCov", m.positionSquareMetres)
    add("velCov", m.velocitySquareMetresPerSecondSquared)
  }

  private mutating func add(_ name: String, _ c: NavCov.Covariance?) {
    add(
      name + "NN", name + "NE", name + "ND", name + "EE", name + "ED", name + "DD", times: 1,
      c?.northNorth, c?.northEast, c?.northDown, c?.eastEast, c?.eastDown, c?.downDown)
  }

  mutating func add(_ m: NavDOP) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add(
      "gDOP", "pDOP", "tDOP", "vDOP", "hDOP", "nDOP", "eDOP", times: 1, m.geometricDilution,
      m.positionDilution, m.timeDilution, m.verticalDilution, m.horizontalDilution,
      m.northingDilution, m.eastingDilution)
  }

  mutating func add(_ m: NavVelNED) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add(m.velocity, scale: 1e2)
    add(
      "speed", "gSpeed", "sAcc", times: 1e2, m.spatialSpeedMetresPerSecond, m.speedMetresPerSecond,
      m.speedAccuracyMetresPerSecond)
    add("heading", m.course)
    add("cAcc", m.courseAccuracy)
  }

  mutating func add(_ m: NavTimeGPS) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("fTOW", m.timeOfWeekFractionNanoseconds)
    add("week", m.week)
    add("leapS", m.leapSeconds)
    add("towValid", m.timeOfWeekFractionNanoseconds != nil)
    add("weekValid", m.week != nil)
    add("leapSValid", m.leapSeconds != nil)
    add("tAcc", times: 1e9, m.timeAccuracySeconds)
  }

  mutating func add(_ m: NavTimeLS) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add("srcOfCurrLs", m.source)
    add("currLs", m.leapSeconds)
    add("validCurrLs", m.leapSeconds != nil)
    add("validTimeToLsEvent", m.event != nil)
    add("srcOfLsChange", m.event?.source)
    add("lsChange", m.event?.change)
    add("timeToLsEvent", m.event?.remainingSeconds)
    add("dateOfLsGpsWn", m.event?.week)
    add("dateOfLsGpsDn", m.event?.dayOfWeek)
  }

  mutating func add(_ m: NavClock) {
    add("iTOW", m.timeOfWeekMilliseconds)
    add(
      "clkB", "clkD", "tAcc", times: 1e9, m.biasSeconds, m.driftSecondsPerSecond,
      m.timeAccuracySeconds)
    add("fAcc", times: 1e12, m.driftAccuracySecondsPerSecond)
  }
}
