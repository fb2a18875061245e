import Quantities
import RealModule

/// Detects a body at rest: its gyroscope then reports the bias.
///
/// The body is at rest if, for `minimumDuration`, neither the rate nor the specific force deviates
/// from its own low-pass by more than a threshold. A rate that is steady but too large for a bias
/// is a turn.
struct RestDetector: Equatable, Sendable {
  struct Parameters: Equatable, Sendable {
    /// Time constant of the low-pass, s. Small: noise counts as motion; large: rest is detected
    /// late. Source: VQF, doi 10.1016/j.inffus.2022.10.014, table 1 (restFilterTau).
    var timeConstant = 0.5
    /// Minimum duration, s. Small: a pause in a turn counts as rest. Source: as above.
    var minimumDuration = 1.5
    /// Deviation of the rate from its low-pass, rad/s. Large: slow wobble counts as rest. Half of
    /// VQF's 2 deg/s: no hand in its trials is steadier.
    var rateThreshold = 1.0 * .pi / 180
    /// Deviation of the specific force, m/s². Source: as above.
    var forceThreshold = 0.5
    /// Largest rate taken for a bias, rad/s. Consumer parts are specified up to 5 deg/s at power-on
    /// (MPU-9250 PS-MPU-9250A-01 rev 1.1, table 1: zero-rate output ±5 deg/s).
    var largestBias = 5.0 * .pi / 180
    /// A longer step is a gap, s.
    var longestStep = 0.6
  }

  var parameters = Parameters()
  /// The low-passed rate: the bias, while at rest. rad/s.
  private(set) var rate = SIMD3<Double>.zero
  private var force = SIMD3<Double>.zero
  private var quietSeconds = 0.0
  private var hasStarted = false

  /// True while the body lies still.
  var isAtRest: Bool { quietSeconds >= parameters.minimumDuration }

  mutating func update(rate w: SIMD3<Double>, force f: SIMD3<Double>, seconds dt: Double) {
    guard hasStarted else {
      (rate, force, hasStarted) = (w, f, true)
      return
    }
    // A deviation is relative to the previous samples; after a gap it is unknown.
    let isQuiet =
      dt < parameters.longestStep
      && (w - rate).lengthSquared < parameters.rateThreshold * parameters.rateThreshold
      && (f - force).lengthSquared < parameters.forceThreshold * parameters.forceThreshold
      && rate.lengthSquared < parameters.largestBias * parameters.largestBias
    let gain = dt / (dt + parameters.timeConstant)
    rate += (w - rate) * gain
    force += (f - force) * gain
    quietSeconds = isQuiet ? min(quietSeconds + dt, parameters.minimumDuration) : 0
  }
}

extension RestDetector {
  mutating func code(_ c: inout StateCoder) {
    c.code(&rate)
    c.code(&force)
    c.code(&quietSeconds)
    c.code(&hasStarted)
  }
}
