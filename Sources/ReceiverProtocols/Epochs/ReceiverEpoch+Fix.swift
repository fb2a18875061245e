import Quantities

extension ReceiverEpoch {
  /// The fix that the receiver stands by, with all that it said of the same instant beside it: without a
  /// place where it does not stand by its solution.
  public var vouchedFix: Fix {
    guard isVouchedFor else {
      var bare = Fix(timestamp: fix.timestamp, kind: .none)
      bare.utc = fix.utc
      bare.satellitesUsed = fix.satellitesUsed
      return bare
    }
    var whole = fix
    whole.verticalDilution = verticalDilution
    guard fix.kind != .none else { return whole }
    whole.velocity = velocity
    whole.speedAccuracyMetresPerSecond = speedAccuracyMetresPerSecond
    whole.courseAccuracy = courseAccuracy
    whole.correctionAgeSeconds = correctionAgeSeconds
    whole.velocityCovarianceSquareMetresPerSecondSquared =
      velocityCovarianceSquareMetresPerSecondSquared
    whole.positionCovarianceSquareMetres = positionCovarianceSquareMetres ?? covarianceOfErrors
    return whole
  }

  /// The errors of GST, GBS or gpsd as a covariance: the squares of the sigmas of latitude, longitude and
  /// altitude, and between the first two the correlation of GST's ellipse; the altitude's error is told apart
  /// from theirs by no sentence. nil where one of the three sigmas is not known, and where the fix's accuracy
  /// rests on something else than the first two.
  private var covarianceOfErrors: Matrix3? {
    guard let north = latitudeErrorMetres, let east = longitudeErrorMetres,
      let down = fix.verticalAccuracyMetres
    else { return nil }
    guard let accuracy = fix.horizontalAccuracyMetres,
      abs((north * north + east * east).squareRoot() - accuracy) <= 0.01 * accuracy
    else { return nil }
    var covariance = Matrix3(diagonal: SIMD3(north * north, east * east, down * down))
    if let correlation = errors?.correlation {
      (covariance.r0.y, covariance.r1.x) = (correlation * north * east, correlation * north * east)
    }
    return covariance
  }
}
