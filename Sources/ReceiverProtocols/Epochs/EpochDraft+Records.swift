import Quantities

extension EpochDraft {
  /// Adds a record of another protocol; its UTC is computed with `leapSeconds`.
  mutating func add(_ whole: SolutionRecord, leapSeconds: Int) {
    let record = whole.isSummary ? missing(of: whole) : whole
    if let solution = record.solution {
      hasContent = true
      isValid = solution.dimension != .none
      (self.solution, quality) = (solution.dimension, solution.kind)
    }
    if let position = record.position {
      hasContent = true
      epoch.fix.position = position
      epoch.fix.ellipsoidalAltitudeMetres = record.ellipsoidalHeightMetres
      epoch.fix.altitudeMetres = record.altitudeMetres
    }
    if let centred = record.earthCentredPosition {
      hasContent = true
      earthCentred = (centred, record.positionAccuracyMetres)
    }
    earthCentredVelocity = record.earthCentredVelocity ?? earthCentredVelocity
    epoch.geoidSeparationMetres = record.geoidSeparationMetres ?? epoch.geoidSeparationMetres
    addAccuracies(record)
    addMotion(record)
    addDilutions(record)
    epoch.fix.satellitesUsed = record.satellitesUsed ?? epoch.fix.satellitesUsed
    switch record.solution?.kind {
    case .differential, .rtkFloat, .rtkFixed:
      epoch.correctionAgeSeconds = record.correctionAgeSeconds ?? epoch.correctionAgeSeconds
    default: break
    }
    addTime(record, leapSeconds)
  }

  /// What of a summary no other message has reported.
  private func missing(of summary: SolutionRecord) -> SolutionRecord {
    var rest = summary
    if epoch.fix.position != nil || earthCentred != nil { rest.position = nil }
    if epoch.velocity != nil || epoch.fix.speedMetresPerSecond != nil {
      (rest.speedMetresPerSecond, rest.course) = (nil, nil)
    }
    if epoch.positionDilution != nil { rest.positionDilution = nil }
    if epoch.fix.horizontalDilution != nil { rest.horizontalDilution = nil }
    if epoch.verticalDilution != nil { rest.verticalDilution = nil }
    if utc != nil { rest.utc = nil }
    return rest
  }

  private mutating func addAccuracies(_ record: SolutionRecord) {
    let fix = epoch.fix
    epoch.fix.horizontalAccuracyMetres =
      record.horizontalAccuracyMetres ?? fix.horizontalAccuracyMetres
    // The covariance is finer than the accuracy beside the position.
    if epoch.positionCovarianceSquareMetres == nil || record.positionCovarianceSquareMetres != nil {
      epoch.fix.verticalAccuracyMetres = record.verticalAccuracyMetres ?? fix.verticalAccuracyMetres
    }
    epoch.latitudeErrorMetres = record.latitudeErrorMetres ?? epoch.latitudeErrorMetres
    epoch.longitudeErrorMetres = record.longitudeErrorMetres ?? epoch.longitudeErrorMetres
    epoch.positionCovarianceSquareMetres =
      record.positionCovarianceSquareMetres ?? epoch.positionCovarianceSquareMetres
    epoch.velocityCovarianceSquareMetresPerSecondSquared =
      record.velocityCovarianceSquareMetresPerSecondSquared
      ?? epoch.velocityCovarianceSquareMetresPerSecondSquared
  }

  private mutating func addMotion(_ record: SolutionRecord) {
    epoch.velocity = record.velocity ?? epoch.velocity
    epoch.fix.speedMetresPerSecond = record.speedMetresPerSecond ?? epoch.fix.speedMetresPerSecond
    epoch.fix.course = record.course ?? epoch.fix.course
    epoch.fix.verticalSpeedMetresPerSecond =
      record.verticalSpeedMetresPerSecond ?? epoch.fix.verticalSpeedMetresPerSecond
    epoch.speedAccuracyMetresPerSecond =
      record.speedAccuracyMetresPerSecond ?? epoch.speedAccuracyMetresPerSecond
    epoch.courseAccuracy = record.courseAccuracy ?? epoch.courseAccuracy
  }

  private mutating func addDilutions(_ record: SolutionRecord) {
    epoch.geometricDilution = record.geometricDilution ?? epoch.geometricDilution
    epoch.positionDilution = record.positionDilution ?? epoch.positionDilution
    epoch.fix.horizontalDilution = record.horizontalDilution ?? epoch.fix.horizontalDilution
    epoch.verticalDilution = record.verticalDilution ?? epoch.verticalDilution
    epoch.timeDilution = record.timeDilution ?? epoch.timeDilution
  }

  private mutating func addTime(_ record: SolutionRecord, _ leapSeconds: Int) {
    if let time = record.utc {
      utc = time
      epoch.isTimeResolved = record.isUTCResolved ?? epoch.isTimeResolved
    } else if utc == nil, let week = record.week, let milliseconds = record.timeOfWeekMilliseconds {
      utc = UTCTime(
        gpsWeek: week, milliseconds: milliseconds, nanoseconds: 0, leapSeconds: leapSeconds)
    }
    epoch.timeAccuracySeconds = record.timeAccuracySeconds ?? epoch.timeAccuracySeconds
  }
}

extension HeadingReport {
  /// The direction from one antenna to the other; no message contains how the pair is mounted.
  init(_ attitude: SolutionRecord.Attitude, _ timestamp: Timestamp, utc: UTCTime?) {
    self.init(
      timestamp: timestamp,
      trueHeading: Self.isKnown(attitude.headingAccuracy) ? attitude.heading : nil)
    self.utc = utc
    (pitch, roll) = (attitude.pitch, attitude.roll)
    headingAccuracy = attitude.headingAccuracy
    (pitchAccuracy, rollAccuracy) = (attitude.pitchAccuracy, attitude.rollAccuracy)
    if trueHeading != nil {
      antennas = AntennaVector(
        lengthMetres: attitude.lengthMetres, elevation: pitch, elevationAccuracy: pitchAccuracy)
    }
  }
}
