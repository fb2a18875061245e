import Quantities
import RealModule

/// A vehicle's effect on the earth's horizontal field, in body axes rotated to level: `field =
/// forward · [cos ψ, sin ψ, 1]`, and the same with `rightward`; ψ is the bow's magnetic heading.
///
/// The third numbers are the hard iron; the four others include the horizontal field, soft iron and
/// the board's yaw from the bow. Unlike a Fourier series on the compass heading (A to E) the model
/// is valid for iron of any strength. An offset larger than the horizontal field turns the compass
/// by less than one turn in a full turn of the vehicle; a deviation by compass heading then does
/// not exist.
/// - Source: A. Smith and F. J. Evans, Phil. Trans. R. Soc. 150 (1860): the two exact horizontal
///   equations behind the coefficients A to E.
public struct DeviationModel: Equatable, Sendable {
  /// Forward field, microtesla: the factors of cos ψ, sin ψ and 1.
  public private(set) var forward: SIMD3<Double>
  /// Rightward field, the same factors.
  public private(set) var rightward: SIMD3<Double>
  var covariance: DeviationCovariance
  /// The part of the predicted error that more epochs do not reduce, one sigma: leeway, current and
  /// field.
  public internal(set) var floor: Angle

  /// Larger errors are reported as unknown: the curve may then be on the wrong side.
  public static var largestKnownError: Angle { Angle(degrees: 25) }

  /// Makes a model with these standard deviations of gain along both axes, and offset.
  init(
    forward: SIMD3<Double>, rightward: SIMD3<Double>, sigmas: SIMD3<Double>, floor: Angle = .zero
  ) {
    (self.forward, self.rightward, self.floor) = (forward, rightward, floor)
    covariance = DeviationCovariance(sigmas: sigmas)
  }

  /// The regressors of a heading.
  static func regressors(_ heading: Angle) -> SIMD3<Double> {
    SIMD3(.cos(heading.radians), .sin(heading.radians), 1)
  }

  /// The predicted field on a heading, microtesla.
  public func field(onHeading heading: Angle) -> SIMD2<Double> {
    let phi = Self.regressors(heading)
    return SIMD2(forward.dot(phi), rightward.dot(phi))
  }

  /// The derivative of the field by heading, microtesla per radian.
  func slope(onHeading heading: Angle) -> SIMD2<Double> {
    let (c, s) = (Double.cos(heading.radians), Double.sin(heading.radians))
    return SIMD2(forward.y * c - forward.x * s, rightward.y * c - rightward.x * s)
  }

  /// The heading of this field; nil if the model is ambiguous.
  public func heading(ofField field: SIMD2<Double>) -> Angle? {
    guard let u = solve(field - offset), u.x * u.x + u.y * u.y > 0 else { return nil }
    return Angle(radians: .atan2(y: u.y, x: u.x)).wrappedToTurn
  }

  /// One sigma of the heading by the model, without the noise of a single reading; nil if it is
  /// unknown.
  public func predictedError(onHeading heading: Angle) -> Angle? {
    guard let error = learningError(onHeading: heading) else { return nil }
    let whole = (error * error + floor.radians * floor.radians).squareRoot()
    return whole <= Self.largestKnownError.radians ? Angle(radians: whole) : nil
  }

  /// One sigma in radians of the heading error by the six numbers' covariance; nil if two headings
  /// have the same field.
  func learningError(onHeading heading: Angle) -> Double? {
    guard let d = determinant else { return nil }
    let phi = Self.regressors(heading)
    // u = A⁻¹ (m - o); the heading error is across u: q = -A⁻ᵀ (-sin ψ, cos ψ).
    let qx = (phi.y * rightward.y + phi.x * rightward.x) / d
    let qy = -(phi.y * forward.y + phi.x * forward.x) / d
    return covariance.variance(phi * qx, phi * qy).squareRoot()
  }

  /// The largest predicted error of all headings; nil if one is unknown.
  public var worstError: Angle? {
    var worst = Angle.zero
    for k in 0..<24 {
      guard let error = predictedError(onHeading: Angle(degrees: Double(k) * 15)) else {
        return nil
      }
      worst = max(worst, error)
    }
    return worst
  }

  // MARK: The uncorrected compass

  /// The heading of an uncorrected compass in a field.
  public static func compassHeading(ofField field: SIMD2<Double>) -> Angle {
    Angle(radians: .atan2(y: -field.y, x: field.x)).wrappedToTurn
  }

  /// The deviation of this reading, positive east: magnetic heading less compass heading.
  ///
  /// It is also defined where no table exists.
  public func deviation(ofField field: SIMD2<Double>) -> Angle? {
    heading(ofField: field).map { ($0 - Self.compassHeading(ofField: field)).wrappedToHalfTurn }
  }

  /// The magnetic heading for an uncorrected compass heading; nil if there is none or more than
  /// one.
  public func heading(atCompassHeading compass: Angle) -> Angle? {
    let d = SIMD2<Double>(.cos(compass.radians), -.sin(compass.radians))
    // Along the compass's direction the field is λ d, and |A⁻¹ (λ d - o)| = 1: one positive λ only
    // if the offset is smaller than the field.
    guard let a = solve(d), let o = solve(offset) else { return nil }
    let squared: Double = (a * a).sum()
    let mixed: Double = (a * o).sum()
    let rest: Double = (o * o).sum() - 1
    guard rest < 0, squared > 0 else { return nil }
    let lambda = (mixed + (mixed * mixed - squared * rest).squareRoot()) / squared
    let u = a * lambda - o
    return Angle(radians: .atan2(y: u.y, x: u.x)).wrappedToTurn
  }

  // MARK: Components

  /// The field of the vehicle itself, microtesla.
  public var offset: SIMD2<Double> { SIMD2(forward.z, rightward.z) }

  /// The square of the measured horizontal field, the mean of both axes, microtesla².
  var gainSquared: Double {
    let (f, r) = (forward * forward, rightward * rightward)
    return (f.x + f.y + r.x + r.y) / 2
  }

  /// True if the field turns in the wrong direction: one axis of the sensor is mirrored.
  public var isMirrored: Bool { forward.x * rightward.y - forward.y * rightward.x > 0 }

  /// Determinant of the four gains; nil if it is mirrored or one direction has almost no gain.
  private var determinant: Double? {
    let d = forward.x * rightward.y - forward.y * rightward.x
    // Singular values a ≥ b: |d| / (a² + b²) is b / a where b is small. No vehicle shields 90 %.
    return -d > 0.2 * gainSquared ? d : nil
  }

  private func solve(_ m: SIMD2<Double>) -> SIMD2<Double>? {
    guard let d = determinant else { return nil }
    return SIMD2(
      (m.x * rightward.y - m.y * forward.y) / d, (m.y * forward.x - m.x * rightward.x) / d)
  }

  // MARK: Storage

  /// The number of stored values.
  public static var storedCount: Int { 33 }

  /// The model as numbers for storage: the forward row and the rightward row (microtesla), then the
  /// rows of the covariance blocks forward-forward, forward-rightward and rightward-rightward
  /// (microtesla²). The error floor is not stored: it depends on the use.
  public var stored: [Double] {
    var numbers: [Double] = []
    let blocks = [covariance.xx, covariance.xy, covariance.yy]
    let rows = [forward, rightward] + blocks.flatMap { [$0.r0, $0.r1, $0.r2] }
    for row in rows { numbers += [row.x, row.y, row.z] }
    return numbers
  }

  /// Makes a model from stored numbers.
  ///
  /// The result is nil if the count is wrong, a number is not finite or a variance is negative.
  public init?(stored numbers: [Double]) {
    guard numbers.count == Self.storedCount else { return nil }
    func row(_ k: Int) -> SIMD3<Double> {
      SIMD3(numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2])
    }
    func block(_ k: Int) -> Matrix3 { Matrix3(rows: row(k), row(k + 1), row(k + 2)) }
    self.init(forward: row(0), rightward: row(1), sigmas: .zero)
    (covariance.xx, covariance.xy, covariance.yy) = (block(2), block(5), block(8))
    guard forward.isFinite, rightward.isFinite, covariance.isValid else { return nil }
  }

  // MARK: Update

  /// The difference of a field from the prediction on a heading.
  func misfit(
    _ field: SIMD2<Double>, onHeading heading: Angle, _ noise: DeviationNoise
  ) -> DeviationMisfit {
    let phi = Self.regressors(heading)
    let curve = Curve(slope: slope(onHeading: heading), noise)
    let innovation = field - self.field(onHeading: heading)
    let along = covariance.variance(phi * curve.along.x, phi * curve.along.y) + curve.alongNoise
    let across = covariance.variance(phi * curve.across.x, phi * curve.across.y) + noise.field
    let misses = ((innovation * curve.along).sum(), (innovation * curve.across).sum())
    return DeviationMisfit(
      innovation: innovation, variance: (along + across) / 2,
      distanceSquared: misses.0 * misses.0 / along + misses.1 * misses.1 / across)
  }

  /// Kalman update, along the curve and across it.
  /// - Parameters:
  ///   - field: The measured field, microtesla.
  ///   - heading: The heading of the bow.
  ///   - noise: The error variances.
  ///   - worth: The weight of the observation; 1 for a full one.
  ///   - shape: The model of the curve; by default this model.
  mutating func update(
    _ field: SIMD2<Double>, onHeading heading: Angle, _ noise: DeviationNoise, worth: Double = 1,
    shape: DeviationModel? = nil
  ) {
    let phi = Self.regressors(heading)
    let curve = Curve(slope: (shape ?? self).slope(onHeading: heading), noise)
    for (axis, variance) in [(curve.along, curve.alongNoise), (curve.across, noise.field)] {
      updateScalar((field * axis).sum(), phi * axis.x, phi * axis.y, noise: variance / worth)
    }
  }

  /// Kalman update with one number: `f` and `r` are its factors of the forward and the rightward
  /// row.
  mutating func updateScalar(
    _ value: Double, _ f: SIMD3<Double>, _ r: SIMD3<Double>, noise: Double
  ) {
    let miss = value - forward.dot(f) - rightward.dot(r)
    let g = covariance.product(f, r)
    let s = g.x.dot(f) + g.y.dot(r) + noise
    forward += g.x * (miss / s)
    rightward += g.y * (miss / s)
    covariance.update(g, variance: s)
  }

  /// The directions along and across the curve of fields.
  private struct Curve {
    let along: SIMD2<Double>
    let across: SIMD2<Double>
    let alongNoise: Double

    init(slope: SIMD2<Double>, _ noise: DeviationNoise) {
      let squared: Double = (slope * slope).sum()
      let steepness = squared.squareRoot()
      along = steepness > 0 ? slope / steepness : SIMD2(0, 1)
      across = SIMD2(-along.y, along.x)
      alongNoise = noise.field + squared * noise.heading
    }
  }
}

/// The error variances of a level field observed on a known heading.
struct DeviationNoise: Equatable, Sendable {
  /// Variance of the field on each axis, microtesla².
  var field: Double
  /// Variance of the heading, rad²: it shifts the field along the curve only.
  var heading: Double
}

/// The difference of a field from the model's prediction.
struct DeviationMisfit: Equatable, Sendable {
  /// Measured less predicted field, microtesla.
  var innovation: SIMD2<Double>
  /// Expected square of the innovation, the mean of both axes, microtesla².
  var variance: Double
  /// Squared distance in sigmas; two degrees of freedom.
  var distanceSquared: Double
}
