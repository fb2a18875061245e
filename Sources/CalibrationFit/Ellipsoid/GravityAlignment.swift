import Quantities
import RealModule

/// Whether the angle between field and gravity aligns an ellipsoid with the inertial unit.
///
/// An ellipsoid stays what it is however the axes inside are turned, so that the magnetometer's turn
/// against the accelerometer stays unknown. The field's dip is one at all attitudes: what the depth under
/// the horizon varies by tells that turn. It needs gravity, which an accelerometer feels only while it is
/// not pushed: the fit takes part of it from samples that came with `axes`, and drops all of it where they
/// contradict one another.
public enum GravityAlignment: Equatable, Sendable {
  /// It was used.
  case used
  /// No, or too few samples came with gravity.
  case absent(found: Int)
  /// The depth varies by more than a turn explains, one sigma so: the samples were pushed, or the field is
  /// not the earth's.
  case contradictory(sigma: Angle)

  /// Fewer samples with gravity do not align anything.
  static var leastSamples: Int { 24 }
  /// The depth's least noise, radians: what an accelerometer's bias and a hand's shake turn gravity by.
  static var tiltSigma: Double { 1 * .pi / 180 }
  /// The depth's noise above which gravity is not trusted, radians. Small: a shaking hand loses the
  /// alignment; large: a push is taken for a turn.
  static var mostTiltSigma: Double { 5 * .pi / 180 }
  /// By how much the strength's noise may grow when gravity joins.
  static var mostStrengthGrowth: Double { 1.5 }

  /// The judgement of the best peak found with gravity beside the best without.
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

  /// A state's dip set to the median of what its samples tell.
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
