import Quantities

/// What the filter tells.
extension StrapdownFilter {
  /// The attitude at the newest sample; nil before the first usable one.
  public var solution: AttitudeSolution? {
    guard let attitude, let timestamp else { return nil }
    var s = AttitudeSolution(
      timestamp: timestamp, attitude: attitude, isHeadingKnown: isHeadingKnown, isLevelKnown: true)
    s.rateOfTurn = AngularSpeed(radiansPerSecond: turnRate)
    s.acceleration = acceleration
    guard isHeadingKnown else { return s }
    s.headingAccuracy = headingAccuracy
    s.disturbance = sensor.isUnusable ? .disturbed : monitor.state
    s.earthField = field.earth
    return s
  }

  /// The radius that holds 95 % of heading errors: the filter's own variance, with a factor for what its
  /// model leaves out, and what the field of a place is off by where no filter can see it.
  private var headingAccuracy: Angle {
    let p = parameters
    let variance = errors[ErrorState.heading, ErrorState.heading]
    let own = p.accuracyFactor * p.accuracyFactor * variance
    let local = p.localFieldSigma * p.localFieldSigma
    return Angle(radians: min(.pi, 2 * (own + local).squareRoot()))
  }

  /// The magnetometer's latency after the gyroscope as learnt so far, seconds.
  public var fieldLatencySeconds: Double { field.latency }

  /// The gyroscope's bias as learnt so far, body frame.
  public var gyroscopeBias: AngularRate<BodyFrame> { AngularRate(radiansPerSecond: bias) }

  /// Iron that moves with the body beyond its calibration, as learnt so far, body frame.
  public var iron: MagneticField<BodyFrame> { MagneticField(components: field.iron) }

  /// True while the body lies still.
  public var isAtRest: Bool { rest.isAtRest }
}
