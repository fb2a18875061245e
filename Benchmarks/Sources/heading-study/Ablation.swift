import Fusion

/// A part of the filter, with the parameters that disable it.
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
    Ablation(without: "noise of acceleration") { $0.velocityMotionNoise = 0 },
    Ablation(without: "doubt of a lasting acceleration") { $0.trustedAcceleration = never },
    Ablation(without: "latency") {
      $0.initialLatencySigma = nothing
      $0.latencyDrift = 0
    },
    Ablation(without: "latency of the force") { $0.forceLatency = 0 },
    Ablation(without: "iron of the own explanation") {
      $0.ironSigma = nothing
      $0.ironDrift = 0
    },
    Ablation(without: "drift of strength") { $0.strengthDrift = 0 },
    Ablation(without: "room that is seen") { $0.largestRoomSigma = $0.roomSigma },
    Ablation(without: "weight of foreign fields") { $0.foreignGate = never },
    Ablation(without: "competition") { $0.evidenceGate = never },
    Ablation(without: "error of turning") { $0.rateScaleNoise = 0 },
    Ablation(without: "accuracy until tested") { $0.untestedAccuracy = 0 },
  ]
}
