import Quantities
import RealModule

/// Attitude of a board without a gyroscope: gravity gives down, the field gives north; both are
/// low-passed. Without an accelerometer the body is assumed level.
///
/// It cannot separate acceleration from tilt. An acceleration tilts the horizon by acceleration
/// over gravity, and turns the heading by that angle times the tangent of the dip. Two measures
/// widen the stated accuracy: the difference of this heading from that of low-passes with a brief
/// time constant, which also shows the lag in turns; and the difference of the dip from its mean,
/// which also shows longer accelerations.
public struct TiltCompensatedCompass: AttitudeFilter, Sendable {
  /// Time constant of both low-passes, s. Small: hand tremor shows; large: turns lag.
  public var timeConstant = 0.25
  /// Heading error without acceleration, one sigma, rad.
  public var headingSigma = 3.0 * Double.pi / 180
  /// Heading error with assumed level, one sigma, rad: five degrees of heel at a dip of 67 degrees
  /// cause twelve.
  public var assumedLevelSigma = 12.0 * Double.pi / 180
  /// Time constant of the brief low-passes, s. Small: vibrations that the heading averages out
  /// widen the stated accuracy; large: motion is missed.
  public var briefTimeConstant = 0.06
  /// Time constant of the mean squares that the accuracy is stated from, s.
  public var memorySeconds = 3.0
  /// Factor on the mean square of the wandering, for which 95 % of the errors in recordings with
  /// optical truth are within the stated accuracy. Small: fewer are; large: it is needlessly wide.
  public var wanderingFactor = 2.0
  /// Time without samples after which a sensor counts as absent, s.
  public var sensorTimeout = 2.0

  /// Factor on the field's variance (`FieldReference`) above which the field counts as disturbed.
  private static var disturbedFactor: Double { 4 }

  private var force: SIMD3<Double>?
  private var field: SIMD3<Double>?
  private var (briefForce, briefField) = (SIMD3<Double>?.none, SIMD3<Double>?.none)
  private var forceTimestamp: Timestamp?
  private var fieldTimestamp: Timestamp?
  private var reference = FieldReference()
  /// Mean squares, rad²: of the brief heading's difference from the heading, and of the dip's from
  /// its mean.
  private var (wandering, dipVariance) = (0.0, 0.0)
  private var last: Rotation<BodyFrame, MagneticEarthFrame>?

  /// Makes a compass without an attitude.
  public init() {}

  /// Processes the specific force; the sample's rate is ignored.
  public mutating func update(_ sample: InertialSample<BodyFrame>) {
    guard let f = sample.specificForce?.components, f.isFinite, f.lengthSquared > 1 else { return }
    let dt = Self.step(from: forceTimestamp, to: sample.timestamp)
    if isOld(fieldTimestamp, at: sample.timestamp) {
      (field, briefField, fieldTimestamp) = (nil, nil, nil)
    }
    forceTimestamp = sample.timestamp
    force = Self.lowPass(force, f, dt, timeConstant)
    briefForce = Self.lowPass(briefForce, f, dt, briefTimeConstant)
    combine()
  }

  /// Processes the field.
  public mutating func update(_ sample: FieldSample<BodyFrame>) {
    let m = sample.field.components
    guard m.isFinite, m.lengthSquared > 1, !FieldSensorWatch.isTooStrong(m) else { return }
    let dt = Self.step(from: fieldTimestamp, to: sample.timestamp)
    if isOld(forceTimestamp, at: sample.timestamp) {
      (force, briefForce, forceTimestamp, wandering, dipVariance) = (nil, nil, nil, 0, 0)
    }
    fieldTimestamp = sample.timestamp
    let smooth = Self.lowPass(field, m, dt, timeConstant)
    let brief = Self.lowPass(briefField, m, dt, briefTimeConstant)
    (field, briefField) = (smooth, brief)
    combine()
    guard let briefForce, let last else { return }
    reference.update(earthField: last.rotate(m), seconds: dt)
    guard let other = Self.attitude(up: briefForce, field: brief) else { return }
    let north = last.rotate(other.inverse.rotate(SIMD3(1, 0, 0)))
    let turn = Double.atan2(y: north.y, x: north.x)
    let (now, usual) = (EarthField(of: last.rotate(smooth)), earthField)
    let difference = (now.dip - usual.dip).radians
    let gain = dt / (dt + memorySeconds)
    wandering += (turn * turn - wandering) * gain
    dipVariance += (difference * difference - dipVariance) * gain
  }

  private var earthField: EarthField {
    EarthField(horizontal: reference.horizontal, down: reference.down)
  }

  /// The attitude at the newest sample of either kind.
  public var solution: AttitudeSolution? {
    guard let attitude = last, let either = forceTimestamp ?? fieldTimestamp else { return nil }
    let timestamp = max(either, fieldTimestamp ?? either)
    let disturbed = reference.varianceFactor > Self.disturbedFactor
    let sigma = force == nil ? assumedLevelSigma : headingSigma * (disturbed ? 3 : 1)
    // A tilt of the horizon turns the heading by the tilt times the tangent of the dip.
    let slope = reference.down / max(1, reference.horizontal)
    let variance = sigma * sigma + wanderingFactor * wandering + slope * slope * dipVariance
    var s = AttitudeSolution(
      timestamp: timestamp, attitude: attitude, isHeadingKnown: field != nil,
      isLevelKnown: force != nil)
    guard field != nil else { return s }
    s.headingAccuracy = Angle(radians: min(.pi, 2 * variance.squareRoot()))
    s.disturbance = disturbed ? .disturbed : .clean
    if force != nil { s.earthField = earthField }
    return s
  }

  private mutating func combine() {
    guard let new = Self.attitude(up: force ?? SIMD3(0, 0, -1), field: field) else { return }
    last = new
  }

  /// The attitude by the direction of the specific force, which points up at rest, and the field;
  /// nil where the force is zero.
  private static func attitude(
    up: SIMD3<Double>, field: SIMD3<Double>?
  ) -> Rotation<BodyFrame, MagneticEarthFrame>? {
    guard let level = Rotation<BodyFrame, MagneticEarthFrame>(from: up, to: SIMD3(0, 0, -1)) else {
      return nil
    }
    guard let field else { return level }
    let z = level.rotate(field)
    let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
      rotationVector: SIMD3(0, 0, -Double.atan2(y: z.y, x: z.x)))
    return turn * level
  }

  private func isOld(_ stamp: Timestamp?, at now: Timestamp) -> Bool {
    stamp.map { now.seconds(since: $0) > sensorTimeout } ?? false
  }

  private static func lowPass(
    _ old: SIMD3<Double>?, _ new: SIMD3<Double>, _ dt: Double, _ timeConstant: Double
  ) -> SIMD3<Double> {
    guard let old else { return new }
    return old + (new - old) * (dt / (dt + timeConstant))
  }

  private static func step(from old: Timestamp?, to new: Timestamp) -> Double {
    guard let old else { return 0 }
    return max(0, new.seconds(since: old))
  }
}

extension TiltCompensatedCompass {
  mutating func code(_ c: inout StateCoder) {
    c.code(&force)
    c.code(&field)
    c.code(&briefForce)
    c.code(&briefField)
    c.code(&forceTimestamp)
    c.code(&fieldTimestamp)
    reference.code(&c)
    c.code(&wandering)
    c.code(&dipVariance)
    c.code(&last)
  }
}
