import Quantities

/// Whether a bias was estimated, and for how long the steady rate has contradicted it.
struct BiasConfidence: Equatable, Sendable {
  var isLearnt = false
  var contradictionSeconds = 0.0
}

/// Detects from its low-passed direction whether the field turns in the body.
struct FieldTurn: Equatable, Sendable {
  /// Time constant of the low-pass, s.
  private static var timeConstant: Double { 2 }
  /// Maximum deviation of a constant direction, rad: the noise of a low-passed magnetometer, and at
  /// a dip of 70 degrees a body that turns by half a degree.
  private static var threshold: Double { 0.004 }
  /// How long the direction must stay constant, s: longer than the turning point of a swing.
  private static var settlingTime: Double { 4 }

  /// Upper limit of the counted time, s.
  private static var longest: Double { 60 }

  private var direction: SIMD3<Double>?
  private var anchor = SIMD3<Double>.zero
  private var quietSeconds = 0.0

  init() {}

  /// True until the field has been constant for `settlingTime`.
  var isTurning: Bool { quietSeconds < Self.settlingTime }

  /// Maximum rate of turn of the body with a constant field, rad/s. It decreases with the time for
  /// which the field is constant.
  var hiddenRate: Double { Self.hiddenTurn / max(quietSeconds, Self.settlingTime) }
  /// The turn about the vertical below the threshold at a dip of 70 degrees, rad.
  private static var hiddenTurn: Double { 0.012 }

  mutating func update(_ m: SIMD3<Double>, seconds dt: Double) {
    guard let now = m.normalized else { return }
    let next = direction.map { $0 + (now - $0) * (dt / (dt + Self.timeConstant)) } ?? now
    direction = next
    quietSeconds = min(quietSeconds + dt, Self.longest)
    if (next - anchor).length > Self.threshold { (anchor, quietSeconds) = (next, 0) }
  }
}

extension FieldTurn {
  mutating func code(_ c: inout StateCoder) {
    c.code(&direction)
    c.code(&anchor)
    c.code(&quietSeconds)
  }
}
