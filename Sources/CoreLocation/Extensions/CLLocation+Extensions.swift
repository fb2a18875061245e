/// Properties of a location beyond Apple's members. They are nil where the receiver does not report
/// them, and for a location that a program has made. Overriding Apple's members in a subclass does
/// not change them.
extension CLLocation {
  /// The covariances of position and velocity. The horizontal part comes from the receiver
  /// (UBX-NAV-COV, or the sigmas of GST with the correlation of its ellipse), else it is equal on
  /// both axes so that 68 % lie within `horizontalAccuracy`. The vertical variance is the square of
  /// `verticalAccuracy`, without correlation.
  public var covariance: CLCovariance? { storedValues.details?.covariance }

  /// The velocity over ground to true east, true north and up, metres per second. The vertical part
  /// is fused from barometer and receiver. nil where the receiver reports neither a vector nor
  /// speed and course.
  public var velocity: CLVector3? { storedValues.details?.velocity }

  /// The position solution of the location.
  public var fix: CLFix? { storedValues.details?.fix }

  /// The sources of the location; empty where they are not known.
  public var sources: [CLLocationSource] { storedValues.details?.sources ?? [] }

  /// The time of the position in nanoseconds of `CLOCK_MONOTONIC`, for a recording in nanoseconds
  /// since its start; 0 where it is not known. It is not archived, because the clock restarts with
  /// every boot.
  public var monotonicTimestamp: UInt64 { storedValues.monotonicNanoseconds ?? 0 }

  /// The radius of the circle that contains the true position with a probability, metres. It
  /// follows from the ellipse of the covariance; without a covariance from `horizontalAccuracy` as
  /// the 68 % radius of equal normal errors.
  ///
  /// For 0.68 it equals `horizontalAccuracy` where the covariance was derived from that. Where a
  /// receiver reports sigmas to the north and east, `horizontalAccuracy` is the root of the sum of
  /// their squares, a radius of 63 to 68 %. The radius for 0.68 is then up to 7 % larger.
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
