import Quantities

extension ReceiverEpoch {
  /// The fix with all other values of the same instant; without a position where the receiver
  /// declares its solution outside its limits (`isFixOK`).
  public var validFix: Fix {
    guard isFixOK else {
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

  /// The errors of GST, GBS or gpsd as a covariance: the squares of the sigmas of latitude,
  /// longitude and altitude, with the correlation of latitude and longitude by GST's ellipse. No
  /// sentence contains a correlation with the altitude. Nil where one of the three sigmas is not
  /// known, and where the fix's accuracy was not computed from the first two.
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
