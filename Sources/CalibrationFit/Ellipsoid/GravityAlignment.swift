import Quantities
import RealModule

/// Whether the angle between field and gravity was used to align an ellipsoid with the inertial
/// unit.
///
/// An ellipsoid does not change if the axes in it are rotated, so the rotation of the magnetometer
/// against the accelerometer is unknown. The field's dip is the same at all attitudes: its
/// variation shows that rotation. This needs gravity, which an accelerometer measures only without
/// acceleration. The fit uses gravity of the samples with `axes`, and does not use it at all if the
/// samples contradict each other.
public enum GravityAlignment: Equatable, Sendable {
  /// Gravity was used.
  case used
  /// No sample or too few samples had gravity.
  case absent(found: Int)
  /// The depth varies by more than a rotation explains, one sigma: the board was accelerated, or
  /// the field is not the earth's.
  case contradictory(sigma: Angle)

  /// Minimum number of samples with gravity.
  static var leastSamples: Int { 24 }
  /// Minimum noise of the depth, radians: the effect of an accelerometer's bias and a shaking hand.
  static var tiltSigma: Double { 1 * .pi / 180 }
  /// Maximum noise of the depth, radians. Small: a shaking hand loses the alignment; large: an
  /// acceleration is taken for a rotation.
  static var mostTiltSigma: Double { 5 * .pi / 180 }
  /// Maximum growth of the strength's noise with gravity.
  static var mostStrengthGrowth: Double { 1.5 }

  /// Compares the best peak with gravity with the best without.
  static func judge(_ aligned: EllipsoidSolver.Peak?, plain: EllipsoidSolver.Peak) -> Self {
    guard let aligned, let depthSigma = aligned.problem.depthSigma else {
      return .contradictory(sigma: Angle(radians: .pi / 2))
    }
    let sigma = depthSigma / max(1, aligned.state.strength)
    let growth = aligned.problem.sigma / plain.problem.sigma
    if sigma > mostTiltSigma || growth > mostStrengthGrowth {
      return .contradictory(sigma: Angle(radians: sigma))
    }
    return .used
  }

  /// The state with its dip set to the median of its samples.
  static func withDipOfSamples(
    _ state: EllipsoidState, _ samples: [EllipsoidSample]
  ) -> EllipsoidState {
    guard let inverse = state.shape.inverse else { return state }
    let sines = samples.compactMap { sample -> Double? in
      guard let down = sample.down else { return nil }
      return (inverse * (sample.field - state.offset)).normalized?.dot(down)
    }
    guard !sines.isEmpty else { return state }
    var turned = state
    turned.dip = Double.asin(min(1, max(-1, sines.sorted()[sines.count / 2])))
    return turned
  }
}
