import CalibrationFit

/// A part of the forward fit, with the parameters that disable it.
struct FitAblation: Sendable {
  let name: String
  let remove: @Sendable (inout ForwardFit) -> Void

  private init(
    _ name: String, _ remove: @escaping @Sendable (inout ForwardFit) -> Void
  ) {
    (self.name, self.remove) = (name, remove)
  }

  /// A standard deviation that leaves nothing to learn, and no division by zero.
  private static let nothing = 1e-7

  static let all: [FitAblation] = [
    FitAblation("nothing") { _ in },
    FitAblation("latency") { $0.parameters.latencySigma = nothing },
    FitAblation("rate scale") { $0.parameters.rateScaleSigma = nothing },
    // Two knots and the drift are a straight line of yaw.
    FitAblation("knots") {
      $0.parameters.mostKnots = 2
      $0.parameters.yawNoise = nothing
    },
    FitAblation("knots and drift") {
      $0.parameters.mostKnots = 2
      $0.parameters.yawNoise = nothing
      $0.parameters.driftSigma = nothing
    },
    FitAblation("knots, drift and rate scale") {
      $0.parameters.mostKnots = 2
      $0.parameters.yawNoise = nothing
      $0.parameters.driftSigma = nothing
      $0.parameters.rateScaleSigma = nothing
    },
    // So many degrees of freedom are a normal distribution.
    FitAblation("robust loss") { $0.parameters.freedom = 1e6 },
    FitAblation("cell weights") { $0.parameters.fullWeightCount = 1e6 },
    FitAblation("noise of turning") { $0.parameters.rateNoise = 0 },
    FitAblation("floor of the residual") { $0.parameters.leastSigma = 0.1 },
    FitAblation("followed starts but one") { $0.parameters.followedStarts = 1 },
    FitAblation("belief in no misalignment") { $0.parameters.alignmentSigma = 0.5 },
    FitAblation("belief in the shape") {
      $0.parameters.scaleSigma = 1
      $0.parameters.skewSigma = 1
      $0.parameters.alignmentSigma = 0.5
    },
    FitAblation("narrow belief in the rate scale: 3 %") { $0.parameters.rateScaleSigma = 0.03 },
    FitAblation("doubt of the place: known") { $0.prior = Place.known.prior },
  ]
}
