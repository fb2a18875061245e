import Quantities
import RealModule

/// Attitude of a board without a gyroscope: gravity gives down, the field gives north; both are
/// low-passed. Without an accelerometer the body is assumed level.
///
/// It cannot separate acceleration from tilt. An acceleration tilts the horizon by acceleration
/// over gravity, and turns the heading by that times the tangent of the dip.
public struct TiltCompensatedCompass: AttitudeFilter, Sendable {
  /// Time constant of both low-passes, s. Small: hand tremor shows; large: turns lag.
  public var timeConstant = 0.25
  /// Heading error without acceleration, one sigma, rad.
  public var headingSigma = 3.0 * Double.pi / 180
  /// Heading error with assumed level, one sigma, rad: five degrees of heel at a dip of 67 degrees
  /// cause twelve.
  public var assumedLevelSigma = 12.0 * Double.pi / 180
  /// Time without samples after which a sensor counts as absent, s.
  public var sensorTimeout = 2.0

  /// Factor on the field's variance (`FieldReference`) above which the field counts as disturbed.
  private static var disturbedFactor: Double { 4 }

  private var force: SIMD3<Double>?
  private var field: SIMD3<Double>?
  private var forceTimestamp: Timestamp?
  private var fieldTimestamp: Timestamp?
  private var reference = FieldReference()
  private var pushVariance = 0.0
  private var last: Rotation<BodyFrame, MagneticEarthFrame>?

  /// Makes a compass without an attitude.
  public init() {}

  /// Processes the specific force; the sample's rate is ignored.
  public mutating func update(_ sample: InertialSample<BodyFrame>) {
    guard let f = sample.specificForce?.components, f.isFinite, f.lengthSquared > 1 else { return }
    let dt = Self.step(from: forceTimestamp, to: sample.timestamp)
    if isOld(fieldTimestamp, at: sample.timestamp) { (field, fieldTimestamp) = (nil, nil) }
    forceTimestamp = sample.timestamp
    force = Self.lowPass(force, f, dt, timeConstant)
    let push = abs(f.length / 9.806_65 - 1)
    pushVariance += (push * push - pushVariance) * (dt / (dt + timeConstant))
    combine()
  }

  /// Processes the field.
  public mutating func update(_ sample: FieldSample<BodyFrame>) {
    let m = sample.field.components
    guard m.isFinite, m.lengthSquared > 1, !FieldSensorWatch.isTooStrong(m) else { return }
    let dt = Self.step(from: fieldTimestamp, to: sample.timestamp)
    if isOld(forceTimestamp, at: sample.timestamp) {
      (force, forceTimestamp, pushVariance) = (nil, nil, 0)
    }
    fieldTimestamp = sample.timestamp
    field = Self.lowPass(field, m, dt, timeConstant)
    combine()
    if force != nil, let last { reference.update(earthField: last.rotate(m), seconds: dt) }
  }

  /// The attitude at the newest sample of either kind.
  public var solution: AttitudeSolution? {
    guard let attitude = last, let either = forceTimestamp ?? fieldTimestamp else { return nil }
    let timestamp = max(either, fieldTimestamp ?? either)
    let disturbed = reference.varianceFactor > Self.disturbedFactor
    let sigma = force == nil ? assumedLevelSigma : headingSigma * (disturbed ? 3 : 1)
    // An acceleration of a hundredth of gravity tilts the horizon by as many radians; the dip
    // doubles it.
    let variance = sigma * sigma + 4 * pushVariance
    var s = AttitudeSolution(
      timestamp: timestamp, attitude: attitude, isHeadingKnown: field != nil,
      isLevelKnown: force != nil)
    guard field != nil else { return s }
    s.headingAccuracy = Angle(radians: min(.pi, 2 * variance.squareRoot()))
    s.disturbance = disturbed ? .disturbed : .clean
    if force != nil {
      s.earthField = EarthField(horizontal: reference.horizontal, down: reference.down)
    }
    return s
  }

  private mutating func combine() {
    let up = force ?? SIMD3(0, 0, -1)
    guard let level = Rotation<BodyFrame, MagneticEarthFrame>(from: up, to: SIMD3(0, 0, -1)) else {
      return
    }
    guard let field else {
      last = level
      return
    }
    let z = level.rotate(field)
    let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
      rotationVector: SIMD3(0, 0, -Double.atan2(y: z.y, x: z.x)))
    last = turn * level
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
    c.code(&forceTimestamp)
    c.code(&fieldTimestamp)
    reference.code(&c)
    c.code(&pushVariance)
    c.code(&last)
  }
}
