/// What moves the body, as far as speed, steps and sway show it.
public enum MotionState: String, CaseIterable, Sendable {
  /// The body stays where it is.
  case stationary
  /// On foot, at walking pace.
  case walking
  /// On foot, running.
  case running
  /// On a bicycle.
  case cycling
  /// In a car, bus or train, also while it stops in traffic.
  case driving
  /// In a boat, also while it drifts.
  case onWater = "on water"

  /// True for a state that moves along a way. A boat may lie at anchor.
  public var isOverLand: Bool {
    switch self {
    case .walking, .running, .cycling, .driving: true
    case .stationary, .onWater: false
    }
  }

  /// True for a state in which a vehicle or runner leaves a place: such a halt is not a stay.
  public var isTravel: Bool {
    switch self {
    case .running, .cycling, .driving: true
    case .stationary, .walking, .onWater: false
    }
  }
}

extension Estimate {
  /// The least probability of a state that something may depend on.
  public static var certainMotionProbability: Double { 0.8 }

  /// The state of motion where it is certain enough that something may depend on it.
  public var certainMotionState: MotionState? {
    motionProbability.map { $0 >= Self.certainMotionProbability } ?? false ? motionState : nil
  }
}
