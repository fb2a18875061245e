import Quantities

/// What an observation of a level field on a known heading is off by, one sigma squared each.
struct DeviationNoise: Equatable, Sendable {
  /// Of the field on either axis, microtesla².
  var field: Double
  /// Of the heading, rad²: bends the field along the curve only.
  var heading: Double
}

/// How far a field is from what a model expects.
struct DeviationSurprise: Equatable, Sendable {
  /// Measured less expected, microtesla.
  var innovation: SIMD2<Double>
  /// What its square is expected to be, the mean of both axes, microtesla².
  var variance: Double
  /// In sigmas, squared; of two degrees of freedom.
  var distanceSquared: Double
}

extension DeviationModel {
  /// How far a field is from what is expected on a heading.
  func surprise(
    _ field: SIMD2<Double>, onHeading heading: Angle, _ noise: DeviationNoise
  ) -> DeviationSurprise {
    let phi = Self.regressors(heading)
    let curve = Curve(slope: slope(onHeading: heading), noise)
    let innovation = field - self.field(onHeading: heading)
    let along = covariance.variance(phi * curve.along.x, phi * curve.along.y) + curve.alongNoise
    let across = covariance.variance(phi * curve.across.x, phi * curve.across.y) + noise.field
    let misses = ((innovation * curve.along).sum(), (innovation * curve.across).sum())
    return DeviationSurprise(
      innovation: innovation, variance: (along + across) / 2,
      distanceSquared: misses.0 * misses.0 / along + misses.1 * misses.1 / across)
  }

  /// Kalman's step, along the curve and across it.
  /// - Parameters:
  ///   - field: Measured, microtesla.
  ///   - heading: The bow's.
  ///   - noise: What it is off by.
  ///   - worth: Of the observation; 1 for a whole one.
  ///   - shape: Whose curve is told from; by default this model's own.
  mutating func take(
    _ field: SIMD2<Double>, onHeading heading: Angle, _ noise: DeviationNoise, worth: Double = 1,
    shape: DeviationModel? = nil
  ) {
    let phi = Self.regressors(heading)
    let curve = Curve(slope: (shape ?? self).slope(onHeading: heading), noise)
    for (axis, variance) in [(curve.along, curve.alongNoise), (curve.across, noise.field)] {
      absorb((field * axis).sum(), phi * axis.x, phi * axis.y, noise: variance / worth)
    }
  }

  /// Kalman's step with one number: what `f` makes of the forward row and `r` of the rightward one.
  mutating func absorb(
    _ value: Double, _ f: SIMD3<Double>, _ r: SIMD3<Double>, noise: Double
  ) {
    let miss = value - forward.dot(f) - rightward.dot(r)
    let g = covariance.product(f, r)
    let s = g.x.dot(f) + g.y.dot(r) + noise
    forward += g.x * (miss / s)
    rightward += g.y * (miss / s)
    covariance.update(g, variance: s)
  }

  /// The directions along the curve of fields and across it.
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
