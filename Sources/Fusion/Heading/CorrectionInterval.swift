import Quantities

/// What one interval between two corrections adds up to.
struct CorrectionInterval: Equatable, Sendable {
  private(set) var seconds = 0.0
  /// The integral of the rotation matrix, s.
  private(set) var turned = Matrix3.zero
  /// The integral of specific force in the earth frame, m/s.
  private(set) var pushed = SIMD3<Double>.zero
  /// The integral of the squared rate of rotation, rad²/s.
  private(set) var rotationSquared = 0.0
  /// What steps too coarse for the motion may have missed, rad².
  private(set) var jerkSquared = 0.0

  private(set) var fieldSeconds = 0.0
  private var fieldCount = 0.0
  private var field = SIMD3<Double>.zero
  private var turning = SIMD3<Double>.zero

  /// Mean field in the earth frame, microtesla; nil without a sample.
  var meanField: SIMD3<Double>? { fieldCount > 0 ? field / fieldCount : nil }
  /// Mean of rate x field in the earth frame.
  var meanTurning: SIMD3<Double>? { fieldCount > 0 ? turning / fieldCount : nil }

  mutating func add(
    rotation: Matrix3, force: SIMD3<Double>, speedOfRotation: Double, jerk: Double,
    seconds dt: Double
  ) {
    seconds += dt
    turned = turned + rotation * dt
    pushed += force * dt
    rotationSquared += speedOfRotation * speedOfRotation * dt
    jerkSquared += jerk * jerk
  }

  mutating func add(field z: SIMD3<Double>, turning x: SIMD3<Double>, seconds dt: Double) {
    field += z
    turning += x
    fieldCount += 1
    fieldSeconds += dt
  }

  mutating func clear() { self = CorrectionInterval() }
}
