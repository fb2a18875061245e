import Quantities
import ReceiverProtocols

extension ToldFields {
  mutating func tell(_ m: NavPVT, nano: Double?) {
    numbersForTime(nano)
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell(m.time, second: "second")
    tell("validDate", m.time.date != nil)
    tell("validTime", m.time.timeOfDay != nil)
    tell("validMag", m.magneticDeclination != nil)
    tell("tAcc", times: 1e9, m.timeAccuracySeconds)
    tell("fixType", m.fixType?.rawValue)
    tell("gnssFixOk", m.isFixOK)
    tell("diffSoln", m.isDifferential)
    tell("psmState", m.powerSaving?.rawValue)
    tell("headVehValid", m.vehicleHeading != nil)
    tell("carrSoln", m.carrierSolution?.rawValue)
    tell("confirmedAvai", m.isDateConfirmed != nil && m.isTimeConfirmed != nil)
    tell("confirmedDate", m.isDateConfirmed)
    tell("confirmedTime", m.isTimeConfirmed)
    tell("numSV", m.satellitesUsed)
    tell(m.position)
    tell(
      "height", "hMSL", "hAcc", "vAcc", "gSpeed", "sAcc", times: 1e3, m.ellipsoidalAltitudeMetres,
      m.altitudeMetres, m.horizontalAccuracyMetres, m.verticalAccuracyMetres,
      m.speedMetresPerSecond, m.speedAccuracyMetresPerSecond)
    tell(m.velocity, scale: 1e3)
    tell("headMot", m.course)
    tell("headAcc", m.headingAccuracy)
    tell("pDOP", m.positionDilution)
    tell("invalidLlh", m.position == nil)
    // From the lower end of the span back to the code that stands for it.
    let ages: [Double] = [0, 1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120]
    let age = m.leastCorrectionAgeSeconds
    tell("lastCorrectionAge", age.map { wanted in (ages.firstIndex(of: wanted) ?? -1) + 1 } ?? 0)
    tell("authTime", m.isTimeAuthenticated)
    tell("nmaFixStatus", m.mixesAuthenticatedSatellites)
    tell("headVeh", m.vehicleHeading)
    tell("magDec", m.magneticDeclination)
    tell("magAcc", m.magneticDeclinationAccuracy)
  }

  mutating func tell(_ m: NavPVAT, nano: Double?) {
    numbersForTime(nano)
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell(m.time, second: "sec")
    tell("validDate", m.time.date != nil)
    tell("validTime", m.time.timeOfDay != nil)
    tell("validMag", m.magneticDeclination != nil)
    tell("tAcc", times: 1e9, m.timeAccuracySeconds)
    tell("fixType", m.fixType?.rawValue)
    tell("gnssFixOK", m.isFixOK)
    tell("diffSoln", m.isDifferential)
    tell("carrSoln", m.carrierSolution?.rawValue)
    tell("vehRollValid", m.roll != nil)
    tell("vehPitchValid", m.pitch != nil)
    tell("vehHeadingValid", m.heading != nil)
    tell("confirmedAvai", m.isDateConfirmed != nil && m.isTimeConfirmed != nil)
    tell("confirmedDate", m.isDateConfirmed)
    tell("confirmedTime", m.isTimeConfirmed)
    tell("numSV", m.satellitesUsed)
    tell(m.position)
    tell(
      "height", "hMSL", "hAcc", "vAcc", "gSpeed", "sAcc", "errEllipseMajor", "errEllipseMinor",
      times: 1e3, m.ellipsoidalAltitudeMetres, m.altitudeMetres, m.horizontalAccuracyMetres,
      m.verticalAccuracyMetres, m.speedMetresPerSecond, m.speedAccuracyMetresPerSecond,
      m.errorEllipseSemiMajorMetres, m.errorEllipseSemiMinorMetres)
    tell(m.velocity, scale: 1e3)
    tell("motHeading", m.course)
    tell("vehRoll", m.roll)
    tell("vehPitch", m.pitch)
    tell("vehHeading", m.heading)
    tell("accRoll", m.rollAccuracy)
    tell("accPitch", m.pitchAccuracy)
    tell("accHeading", m.headingAccuracy)
    tell("magDec", m.magneticDeclination)
    tell("magAcc", m.magneticDeclinationAccuracy)
    tell("errEllipseOrient", m.errorEllipseDirection)
  }

  mutating func tell(_ m: HnrPVT, nano: Double?) {
    numbersForTime(nano)
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell(m.time, second: "second")
    tell("validDate", m.time.date != nil)
    tell("validTime", m.time.timeOfDay != nil)
    tell("gpsFix", m.fixType?.rawValue)
    tell("GPSfixOK", m.isFixOK)
    tell("DiffSoln", m.isDifferential)
    tell("WKNSET", m.isWeekKnown)
    tell("TOWSET", m.isTimeOfWeekKnown)
    tell("headVehValid", m.vehicleHeading != nil)
    tell(m.position)
    tell(
      "height", "hMSL", "hAcc", "vAcc", "gSpeed", "speed", "sAcc", times: 1e3,
      m.ellipsoidalAltitudeMetres, m.altitudeMetres, m.horizontalAccuracyMetres,
      m.verticalAccuracyMetres, m.speedMetresPerSecond, m.spatialSpeedMetresPerSecond,
      m.speedAccuracyMetresPerSecond)
    tell("headMot", m.course)
    tell("headVeh", m.vehicleHeading)
    tell("headAcc", m.headingAccuracy)
  }

  mutating func tell(_ m: NavTimeUTC, nano: Double?) {
    numbersForTime(nano)
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell(m.time, second: "sec")
    let resolved = m.time.isFullyResolved
    forget("fullyResolved")
    tell("validUTC", resolved)
    tell("validTOW", m.time.timeOfDay != nil)
    tell("validWKN", m.time.date != nil)
    tell("authStatus", m.isAuthenticated)
    tell("utcStandard", m.standard)
    tell("tAcc", times: 1e9, m.timeAccuracySeconds)
  }

  mutating func tell(_ m: NavPosLLH) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell(m.position)
    tell(
      "height", "hMSL", "hAcc", "vAcc", times: 1e3, m.ellipsoidalAltitudeMetres, m.altitudeMetres,
      m.horizontalAccuracyMetres, m.verticalAccuracyMetres)
  }

  mutating func tell(_ m: NavHPPosLLH) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("invalidLlh", m.position == nil)
    tell(m.position)
    tell(
      "height", "hMSL", "hAcc", "vAcc", times: 1e3, m.ellipsoidalAltitudeMetres, m.altitudeMetres,
      m.horizontalAccuracyMetres, m.verticalAccuracyMetres)
  }

  mutating func tell(_ m: NavRelPosNED) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("refStationID", m.referenceStation)
    tell(
      "relPosN", "relPosE", "relPosD", "relPosLength", times: 1e2, m.offset?.northMetres,
      m.offset?.eastMetres, m.offset?.downMetres, m.lengthMetres)
    tell(
      "accN", "accE", "accD", "accLength", times: 1e3, m.offsetAccuracy?.northMetres,
      m.offsetAccuracy?.eastMetres, m.offsetAccuracy?.downMetres, m.lengthAccuracyMetres)
    tell("relPosHeading", m.heading)
    tell("accHeading", m.headingAccuracy)
    tell("gnssFixOK", m.isFixOK)
    tell("diffSoln", m.isDifferential)
    tell("relPosValid", m.offset != nil)
    tell("carrSoln", m.carrierSolution?.rawValue)
    tell("isMoving", m.isMovingBaseline)
    tell("refPosMiss", m.extrapolatesReferencePosition)
    tell("refObsMiss", m.extrapolatesReferenceObservations)
    tell("relPosHeadingValid", m.heading != nil)
    tell("relPosNormalized", m.isNormalised)
  }

  mutating func tell(_ m: NavSol) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("fTOW", m.timeOfWeekFractionNanoseconds)
    tell("week", m.week)
    tell("gpsFix", m.fixType?.rawValue)
    tell("gpsfixOK", m.isFixOK)
    tell("diffSoln", m.isDifferential)
    tell("wknSet", m.week != nil)
    tell("towSet", m.timeOfWeekFractionNanoseconds != nil)
    tell(["ecefX", "ecefY", "ecefZ"], centimetres: m.position)
    tell(m.velocity)
    tell("pAcc", "sAcc", times: 1e2, m.positionAccuracyMetres, m.speedAccuracyMetresPerSecond)
    tell("pDOP", m.positionDilution)
    tell("numSV", m.satellitesUsed)
  }

  mutating func tell(_ m: NavStatus) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("gpsFix", m.fixType?.rawValue)
    tell("gpsFixOk", m.isFixOK)
    tell("diffSoln", m.isDifferential)
    tell("wknSet", m.isWeekKnown)
    tell("towSet", m.isTimeOfWeekKnown)
    tell("diffCorr", m.hasCorrections)
    tell("carrSolnValid", m.carrierSolution != nil)
    tell("carrSoln", m.carrierSolution?.rawValue)
    tell("psmState", m.powerSavingState)
    tell("spoofDetState", m.spoofing?.rawValue)
    tell("ttff", "msss", times: 1e3, m.timeToFirstFixSeconds, m.uptimeSeconds)
  }

  mutating func tell(_ m: NavCov) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("posCovValid", m.positionSquareMetres != nil)
    tell("velCovValid", m.velocitySquareMetresPerSecondSquared != nil)
    tell("posCov", m.positionSquareMetres)
    tell("velCov", m.velocitySquareMetresPerSecondSquared)
  }

  private mutating func tell(_ name: String, _ c: NavCov.Covariance?) {
    tell(
      name + "NN", name + "NE", name + "ND", name + "EE", name + "ED", name + "DD", times: 1,
      c?.northNorth, c?.northEast, c?.northDown, c?.eastEast, c?.eastDown, c?.downDown)
  }

  mutating func tell(_ m: NavDOP) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell(
      "gDOP", "pDOP", "tDOP", "vDOP", "hDOP", "nDOP", "eDOP", times: 1, m.geometricDilution,
      m.positionDilution, m.timeDilution, m.verticalDilution, m.horizontalDilution,
      m.northingDilution, m.eastingDilution)
  }

  mutating func tell(_ m: NavVelNED) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell(m.velocity, scale: 1e2)
    tell(
      "speed", "gSpeed", "sAcc", times: 1e2, m.spatialSpeedMetresPerSecond, m.speedMetresPerSecond,
      m.speedAccuracyMetresPerSecond)
    tell("heading", m.course)
    tell("cAcc", m.courseAccuracy)
  }

  mutating func tell(_ m: NavTimeGPS) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("fTOW", m.timeOfWeekFractionNanoseconds)
    tell("week", m.week)
    tell("leapS", m.leapSeconds)
    tell("towValid", m.timeOfWeekFractionNanoseconds != nil)
    tell("weekValid", m.week != nil)
    tell("leapSValid", m.leapSeconds != nil)
    tell("tAcc", times: 1e9, m.timeAccuracySeconds)
  }

  mutating func tell(_ m: NavTimeLS) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell("srcOfCurrLs", m.source)
    tell("currLs", m.leapSeconds)
    tell("validCurrLs", m.leapSeconds != nil)
    tell("validTimeToLsEvent", m.event != nil)
    tell("srcOfLsChange", m.event?.source)
    tell("lsChange", m.event?.change)
    tell("timeToLsEvent", m.event?.remainingSeconds)
    tell("dateOfLsGpsWn", m.event?.week)
    tell("dateOfLsGpsDn", m.event?.dayOfWeek)
  }

  mutating func tell(_ m: NavClock) {
    tell("iTOW", m.timeOfWeekMilliseconds)
    tell(
      "clkB", "clkD", "tAcc", times: 1e9, m.biasSeconds, m.driftSecondsPerSecond,
      m.timeAccuracySeconds)
    tell("fAcc", times: 1e12, m.driftAccuracySecondsPerSecond)
  }
}
