import Quantities
import RealModule
import ReceiverProtocols

extension Estimate {
  /// Civil time of the position: the estimate may be some tenths of a second newer than a fix. A
  /// propagated position has the estimate's own time.
  var fixUTC: UTCTime? {
    guard let fixTimestamp, outageSeconds == nil else { return utc }
    return utc?.advanced(bySeconds: fixTimestamp.seconds(since: timestamp))
  }

  /// The true heading where two antennas give it with an accuracy (95 %) of 3 degrees or better,
  /// for programs that steer by it and read no accuracy; else nil.
  package var antennaHeading: Angle? {
    let mostErrorDegrees = 3.0
    guard let antennas, antennas.fault == nil, !antennas.isLearning, let trueHeading,
      let trueHeadingAccuracy, trueHeadingAccuracy.degrees <= mostErrorDegrees
    else { return nil }
    return trueHeading.angle
  }

  /// Magnetic north clockwise from true north, by the two headings, else by the magnetic model.
  var magneticVariation: Angle? {
    guard let trueHeading, let magneticHeading else { return declination }
    return (trueHeading.angle - magneticHeading.angle).wrappedToHalfTurn
  }

  /// The horizontal dilution; where it is not known, the accuracy as a multiple of a usual range
  /// error, at most 99.99.
  ///
  /// GGA and PGN 129029 have no accuracy, and GeoClue takes an empty dilution for an exact place.
  var reportedDilution: Double? {
    let usualRangeErrorMetres = 5.0
    return horizontalDilution
      ?? horizontalAccuracyMetres.map { min($0 / usualRangeErrorMetres, 99.99) }
  }
}

extension ReceiverEpoch {
  /// The fix of an estimate as a receiver's report, for formats of receivers.
  public init(_ estimate: Estimate) {
    self.init(timestamp: estimate.fixTimestamp ?? estimate.timestamp)
    fix.utc = estimate.fixUTC
    magneticVariation = estimate.magneticVariation
    guard let kind = estimate.fixKind, kind != .none, let position = estimate.position else {
      return
    }
    (fix.kind, fix.position) = (kind, position)
    fix.altitudeMetres = estimate.altitudeMetres
    fix.ellipsoidalAltitudeMetres = estimate.ellipsoidalAltitudeMetres
    fix.horizontalAccuracyMetres = estimate.horizontalAccuracyMetres
    fix.verticalAccuracyMetres = estimate.verticalAccuracyMetres
    fix.verticalSpeedMetresPerSecond = estimate.verticalSpeedMetresPerSecond
    fix.speedMetresPerSecond = estimate.speedMetresPerSecond
    fix.course = estimate.course
    fix.horizontalDilution = estimate.horizontalDilution
    fix.verticalDilution = estimate.verticalDilution
    fix.satellitesUsed = estimate.satellitesUsed
    let hasAltitude = estimate.altitudeMetres != nil || estimate.ellipsoidalAltitudeMetres != nil
    dimension = hasAltitude ? .three : .two
    heldDimension = dimension
    printedAltitudeMetres = estimate.altitudeMetres
    printedHeightMetres = estimate.ellipsoidalAltitudeMetres
    if let altitude = estimate.altitudeMetres, let height = estimate.ellipsoidalAltitudeMetres {
      geoidSeparationMetres = height - altitude
    }
    verticalDilution = estimate.verticalDilution
    correctionAgeSeconds = estimate.correctionAgeSeconds
    velocity = estimate.velocity
    speedAccuracyMetresPerSecond = estimate.speedAccuracyMetresPerSecond
    courseAccuracy = estimate.courseAccuracy
    if let variation = magneticVariation {
      magneticCourse = estimate.course.map { ($0 - variation).wrappedToTurn }
    }
    errors = estimate.positionCovarianceSquareMetres.map { GST(covariance: $0) }
    latitudeErrorMetres = errors?.latitudeErrorMetres
    longitudeErrorMetres = errors?.longitudeErrorMetres
  }
}

extension GST {
  /// The errors of a position's covariance over true north, east and down, square metres.
  init(covariance: Matrix3) {
    self.init()
    let (north, east, across) = (covariance[0, 0], covariance[1, 1], covariance[0, 1])
    latitudeErrorMetres = max(0, north).squareRoot()
    longitudeErrorMetres = max(0, east).squareRoot()
    altitudeErrorMetres = max(0, covariance[2, 2]).squareRoot()
    let (mean, half) = ((north + east) / 2, (north - east) / 2)
    let radius = (half * half + across * across).squareRoot()
    semiMajorMetres = max(0, mean + radius).squareRoot()
    semiMinorMetres = max(0, mean - radius).squareRoot()
    let direction = Angle(radians: Double.atan2(y: across, x: half) / 2)
    // An axis has no sense: 0 to 180 degrees.
    semiMajorDirection = direction.radians < 0 ? direction + Angle(degrees: 180) : direction
  }
}

extension HeadingReport {
  /// The heading and attitude of an estimate as a report, for formats of receivers; nil without
  /// either.
  public init?(_ estimate: Estimate) {
    let angles = estimate.isLevelKnown ? estimate.attitude?.attitudeAngles : nil
    guard estimate.magneticHeading != nil || estimate.trueHeading != nil || angles != nil else {
      return nil
    }
    self.init(
      timestamp: estimate.timestamp, trueHeading: estimate.trueHeading,
      magneticHeading: estimate.magneticHeading, rateOfTurn: estimate.rateOfTurn)
    utc = estimate.utc
    (pitch, roll) = (angles?.pitch, angles?.roll)
    dip = estimate.earthField?.dip
    heaveMetres = estimate.heaveMetres
    headingAccuracy = estimate.trueHeadingAccuracy ?? estimate.headingAccuracy
  }
}
