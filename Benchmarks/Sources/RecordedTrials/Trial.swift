import Quantities

/// A recorded trial with its optical truth, or one that was made from it.
///
/// Columns of their own, since a changed trial shares with its origin those that it leaves alone.
/// Vectors are along the body's axes.
public struct Trial: Sendable {
  /// The trial's number in BROAD, or its name in another set.
  public let name: String
  /// Samples in a second.
  public var hertz: Double
  /// Seconds since the first sample.
  public var seconds: [Double] = []
  /// Angular rate, rad/s.
  public var rate: [SIMD3<Double>] = []
  /// Specific force, m/s².
  public var force: [SIMD3<Double>] = []
  /// Field, microtesla; nil where the magnetometer gives none.
  public var field: [SIMD3<Double>?] = []
  /// The optical attitude; where the cameras saw nothing, the next one that they saw.
  public var truth: [Rotation<BodyFrame, MagneticEarthFrame>] = []
  /// True where the body moves and the cameras saw it: only these samples are judged.
  public var isJudged: [Bool] = []

  /// The number of samples.
  public var count: Int { rate.count }
  /// Seconds from the first sample to the last.
  public var duration: Double { seconds.last ?? 0 }

  /// Makes a trial without samples.
  public init(name: String, hertz: Double) {
    self.name = name
    self.hertz = hertz
  }

  /// The sample of gyroscope and accelerometer.
  public func inertial(_ i: Int) -> InertialSample<BodyFrame> {
    InertialSample(
      timestamp: timestamp(i), angularRate: AngularRate(components: rate[i]),
      specificForce: SpecificForce(components: force[i]))
  }

  /// The sample of the magnetometer; nil for none.
  public func fieldSample(_ i: Int) -> FieldSample<BodyFrame>? {
    field[i].map { FieldSample(timestamp: timestamp(i), field: MagneticField(components: $0)) }
  }

  private func timestamp(_ i: Int) -> Timestamp {
    Timestamp(nanoseconds: UInt64((seconds[i] * 1e9).rounded()))
  }
}
