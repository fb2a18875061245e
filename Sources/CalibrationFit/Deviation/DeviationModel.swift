import Quantities
import RealModule

/// What a vehicle makes of the earth's horizontal field, in body axes turned level:
/// `field = forward · [cos ψ, sin ψ, 1]`, and the same with `rightward`; ψ is the bow's magnetic heading.
///
/// The third numbers are the hard iron's; the four others hold the horizontal field, soft iron and the
/// board's yaw from the bow. Unlike a Fourier series on the compass heading (A to E) it holds however
/// large the iron is: an offset larger than the horizontal field turns the compass less than once in a
/// full turn of the vehicle, and then there is no deviation by compass heading.
/// - Source: A. Smith and F. J. Evans, Phil. Trans. R. Soc. 150 (1860): the two horizontal equations that
///   the coefficients A to E stand for, exact.
public struct DeviationModel: Equatable, Sendable {
  /// Forward field, microtesla, by cos ψ, by sin ψ and whatever the heading.
  public internal(set) var forward: SIMD3<Double>
  /// Rightward field, likewise.
  public internal(set) var rightward: SIMD3<Double>
  var covariance: DeviationCovariance
  /// What no number of epochs takes out of the predicted error, one sigma: leeway, current and the field.
  public internal(set) var floor: Angle

  /// Errors larger than this are called unknown: by then the curve may be on the wrong side.
  public static var largestKnownError: Angle { Angle(degrees: 25) }

  /// Makes a model whose numbers have these standard deviations: gain along both axes, and offset.
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

  /// The field that the model expects on a heading, microtesla.
  public func field(onHeading heading: Angle) -> SIMD2<Double> {
    let phi = Self.regressors(heading)
    return SIMD2(forward.dot(phi), rightward.dot(phi))
  }

  /// How the field changes with the heading, microtesla per radian.
  func slope(onHeading heading: Angle) -> SIMD2<Double> {
    let (c, s) = (Double.cos(heading.radians), Double.sin(heading.radians))
    return SIMD2(forward.y * c - forward.x * s, rightward.y * c - rightward.x * s)
  }

  /// The heading at which this field is found; nil where the model cannot tell.
  public func heading(ofField field: SIMD2<Double>) -> Angle? {
    guard let u = solve(field - offset), u.x * u.x + u.y * u.y > 0 else { return nil }
    return Angle(radians: .atan2(y: u.y, x: u.x)).wrappedToTurn
  }

  /// One sigma of the heading that the model tells, without the noise of a single reading; nil where it is
  /// not known.
  public func predictedError(onHeading heading: Angle) -> Angle? {
    guard let error = learningError(onHeading: heading) else { return nil }
    let whole = (error * error + floor.radians * floor.radians).squareRoot()
    return whole <= Self.largestKnownError.radians ? Angle(radians: whole) : nil
  }

  /// One sigma in radians of what the six numbers' doubt makes of a heading; nil where two headings have
  /// one field.
  func learningError(onHeading heading: Angle) -> Double? {
    guard let d = determinant else { return nil }
    let phi = Self.regressors(heading)
    // u = A⁻¹ (m - o); across u lies the heading's error: q = -A⁻ᵀ (-sin ψ, cos ψ).
    let qx = (phi.y * rightward.y + phi.x * rightward.x) / d
    let qy = -(phi.y * forward.y + phi.x * forward.x) / d
    return covariance.variance(phi * qx, phi * qy).squareRoot()
  }

  /// The largest predicted error of all headings; nil where one is not known.
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

  /// What a compass without the model shows of a field.
  public static func compassHeading(ofField field: SIMD2<Double>) -> Angle {
    Angle(radians: .atan2(y: -field.y, x: field.x)).wrappedToTurn
  }

  /// The deviation of this reading, positive east: magnetic heading less compass heading.
  ///
  /// It holds where there is no table, too.
  public func deviation(ofField field: SIMD2<Double>) -> Angle? {
    heading(ofField: field).map { ($0 - Self.compassHeading(ofField: field)).wrappedToHalfTurn }
  }

  /// The magnetic heading at which the uncorrected compass shows this; nil where none or more than one
  /// does.
  public func heading(atCompassHeading compass: Angle) -> Angle? {
    let d = SIMD2<Double>(.cos(compass.radians), -.sin(compass.radians))
    // Along the compass's direction the field is λ d, and |A⁻¹ (λ d - o)| = 1: one positive λ just where
    // the offset is smaller than the field.
    guard let a = solve(d), let o = solve(offset) else { return nil }
    let squared: Double = (a * a).sum()
    let mixed: Double = (a * o).sum()
    let rest: Double = (o * o).sum() - 1
    guard rest < 0, squared > 0 else { return nil }
    let lambda = (mixed + (mixed * mixed - squared * rest).squareRoot()) / squared
    let u = a * lambda - o
    return Angle(radians: .atan2(y: u.y, x: u.x)).wrappedToTurn
  }

  /// True where each compass heading belongs to one magnetic heading, so that a deviation table exists.
  public var hasTable: Bool { heading(atCompassHeading: .zero) != nil }

  // MARK: Inside

  /// The field that goes with the vehicle, microtesla.
  public var offset: SIMD2<Double> { SIMD2(forward.z, rightward.z) }

  /// The square of the horizontal field as it is felt, the mean of both axes, microtesla².
  var gainSquared: Double {
    let (f, r) = (forward * forward, rightward * rightward)
    return (f.x + f.y + r.x + r.y) / 2
  }

  /// True where the field turns the wrong way round: one axis of the sensor is mirrored.
  public var isMirrored: Bool { forward.x * rightward.y - forward.y * rightward.x > 0 }

  /// Of the four gains; nil where it is mirrored or one direction is hardly felt.
  private var determinant: Double? {
    let d = forward.x * rightward.y - forward.y * rightward.x
    // Singular values a ≥ b: |d| / (a² + b²) is b / a where b is small. No vehicle shields 9/10.
    return -d > 0.2 * gainSquared ? d : nil
  }

  private func solve(_ m: SIMD2<Double>) -> SIMD2<Double>? {
    guard let d = determinant else { return nil }
    return SIMD2(
      (m.x * rightward.y - m.y * forward.y) / d, (m.y * forward.x - m.x * rightward.x) / d)
  }
}
