/// What a receiver tells of a location beyond Apple's members; nil where it does not, and for a location that
/// a program made itself. A subclass that overrides Apple's members does not change these.
extension CLLocation {
  /// How the errors of place and velocity spread. The horizontal part is the receiver's own (UBX-NAV-COV, or GST's
  /// sigmas with the correlation of its ellipse), else equal on both axes so that 68 % lie within
  /// `horizontalAccuracy`; upwards it is the square of `verticalAccuracy`, without correlation.
  public var covariance: CLCovariance? { storedValues.details?.covariance }

  /// Over ground, metres per second to the true east, to the true north and up. Upwards it is fused of
  /// barometer and receiver; nil where the receiver tells neither a vector nor speed and course.
  public var velocity: CLVector3? { storedValues.details?.velocity }

  /// What the location rests on.
  public var fix: CLFix? { storedValues.details?.fix }

  /// Where the location came from; empty where that is not known.
  public var sources: [CLLocationSource] { storedValues.details?.sources ?? [] }

  /// When the place was taken, nanoseconds of `CLOCK_MONOTONIC`, of a recording nanoseconds since its start; 0 where
  /// that is not known. It is not archived: the clock begins anew with every boot.
  public var monotonicTimestamp: UInt64 { storedValues.monotonicNanoseconds ?? 0 }

  /// The radius that holds the place with a probability, metres, from the covariance's ellipse; without a covariance
  /// from `horizontalAccuracy`, taken as the 68 % radius of equal normal errors.
  ///
  /// For 0.68 it is `horizontalAccuracy` where that made the covariance. Where a receiver tells sigmas to the
  /// north and east, `horizontalAccuracy` is the root of the sum of their squares, which holds 63 to 68 %: the
  /// radius for 0.68 is then up to 7 % larger.
  /// - Parameter confidence: The probability: zero and below gives zero, 1 and above infinity.
  /// - Returns: The radius; -1 where the location is invalid.
  public func horizontalAccuracy(confidence: Double) -> CLLocationAccuracy {
    let accuracy = horizontalAccuracy
    guard accuracy >= 0 else { return -1 }
    if let covariance { return covariance.horizontalRadius(confidence: confidence) }
    let sigma = accuracy / ErrorEllipse.sigmasIn68Percent
    return ErrorEllipse(eastEast: sigma * sigma, eastNorth: 0, northNorth: sigma * sigma)
      .radius(confidence: confidence)
  }
}
