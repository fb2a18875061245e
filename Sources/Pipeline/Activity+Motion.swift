import Fusion
import Quantities

extension Activity {
  /// True if the body may be afloat, and then heave.
  var mayFloat: Bool {
    switch self {
    case .other, .otherNavigation: true
    case .automotiveNavigation, .fitness, .airborne: false
    }
  }

  /// True if the user has said that something travels on water, and waves are those of a sea.
  var isAfloat: Bool { self == .otherNavigation }

  /// The use of calibrations of the board; nil to decide by the motion.
  var calibrationUse: CalibrationUse? {
    switch self {
    case .automotiveNavigation, .otherNavigation: .level
    case .other, .fitness, .airborne: nil
    }
  }

  /// The expected kind of motion.
  var motionHint: MotionHint {
    switch self {
    case .other: .none
    case .automotiveNavigation: .automotive
    case .fitness: .fitness
    case .otherNavigation: .otherNavigation
    case .airborne: .airborne
    }
  }

  /// Whether a state of motion may be named. Slow smooth travel by car, drone or boat looks alike:
  /// being on the water is named only where the user has said that something travels there, and
  /// nothing that flies walks, drives or swims.
  func mayBe(_ state: MotionState) -> Bool {
    switch self {
    case .other, .automotiveNavigation, .fitness: state != .onWater
    case .otherNavigation: state == .stationary || state == .onWater || state == .driving
    case .airborne: state == .stationary
    }
  }

  /// Noise of the vertical acceleration in the altitude filter, m/s²·√s: small for a car on a road,
  /// large for an aeroplane.
  var verticalAccelerationNoise: Double {
    switch self {
    case .automotiveNavigation: 0.3
    case .other, .fitness, .otherNavigation: 0.5
    case .airborne: 2
    }
  }
}
