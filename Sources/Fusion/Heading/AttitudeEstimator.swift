import Quantities

/// Attitude by what is there: with a gyroscope and an accelerometer the `StrapdownFilter`, which also
/// bears the loss of the magnetometer; without a gyroscope the `TiltCompensatedCompass`.
///
/// Both filters are fed where they can be, so that a sensor that falls silent for longer than
/// `patience` hands over to the other without a start from nothing.
public struct AttitudeEstimator: AttitudeFilter, Sendable {
  /// How long a gyroscope may be silent before the compass without one takes over, s.
  public var patience = 2.0

  private var strapdown: StrapdownFilter
  private var compass = TiltCompensatedCompass()
  private var lastRate: Timestamp?
  private var newest: Timestamp?

  /// Makes an estimator that knows nothing yet.
  public init(parameters: StrapdownFilter.Parameters = StrapdownFilter.Parameters()) {
    strapdown = StrapdownFilter(parameters: parameters)
  }

  /// Takes in an inertial sample of any completeness.
  public mutating func update(_ sample: InertialSample<BodyFrame>) {
    newest = sample.timestamp
    if sample.angularRate != nil, sample.specificForce != nil {
      lastRate = sample.timestamp
      strapdown.update(sample)
      // While the strapdown filter runs the compass only needs to be near when it is wanted.
      if strapdown.solution != nil { return }
    }
    compass.update(sample)
  }

  /// Takes in a field sample.
  public mutating func update(_ sample: FieldSample<BodyFrame>) {
    newest = sample.timestamp
    if lastRate != nil { strapdown.update(sample) }
    if !isStrapdownFresh { compass.update(sample) }
  }

  /// The attitude by the better filter that is fed.
  public var solution: AttitudeSolution? {
    isStrapdownFresh ? strapdown.solution ?? compass.solution : compass.solution
  }

  private var isStrapdownFresh: Bool {
    guard let lastRate, let newest else { return false }
    return newest.seconds(since: lastRate) <= patience
  }
}
