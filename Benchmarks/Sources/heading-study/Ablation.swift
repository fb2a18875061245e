import Fusion

/// A part of the filter, and how it is switched off by parameters.
struct Ablation: Sendable {
  let name: String
  let remove: @Sendable (inout StrapdownFilter.Parameters) -> Void

  init(
    without name: String, _ remove: @escaping @Sendable (inout StrapdownFilter.Parameters) -> Void
  ) {
    self.name = name
    self.remove = remove
  }

  /// A standard deviation that leaves nothing to learn, and no division by zero.
  private static let nothing = 1e-9
  /// A time, a way or a gate that no trial reaches.
  private static let never = 1e12

  static let all: [Ablation] = [
    Ablation(without: "gyroscope scale") { $0.initialScaleSigma = nothing },
    Ablation(without: "gyroscope bias") {
      $0.initialBiasSigma = nothing
      $0.biasDrift = 0
      $0.restRateNoise = never
    },
    Ablation(without: "rest") {
      $0.restVelocityNoise = $0.velocityNoise
      $0.restRateNoise = never
    },
    Ablation(without: "latency") { $0.largestLatency = 0 },
    Ablation(without: "iron") {
      $0.ironSigma = nothing
      $0.surpriseToIron = 0
    },
    Ablation(without: "drift of strength") {
      $0.strengthDrift = 0
      $0.surpriseToStrength = 0
    },
    Ablation(without: "motion: bends stay") { $0.disturbanceTime = never },
    Ablation(without: "field error of turning") { $0.fieldRateNoise = 0 },
    Ablation(without: "misfit") { $0.misfitGain = 0 },
    Ablation(without: "surprise") { $0.surpriseGate = never },
    Ablation(without: "surprise to heading") { $0.surpriseToHeading = 0 },
    // Radians, and more than half a turn: no direction is as far from north.
    Ablation(without: "overrule") { $0.overruleAngle = 10 },
    Ablation(without: "doubt of the start") {
      $0.alignmentHeadingSigma = nothing
      $0.alignmentTime = nothing
    },
    Ablation(without: "doubt of the place") { $0.localFieldSigma = 0 },
    Ablation(without: "accuracy factor") { $0.accuracyFactor = 1 },
  ]
}
