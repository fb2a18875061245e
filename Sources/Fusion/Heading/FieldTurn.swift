import Quantities

/// Whether a bias was learnt, and for how long the steady rate has contradicted it.
struct BiasDoubt: Equatable, Sendable {
  var isLearnt = false
  var contradictionSeconds = 0.0
}

/// Sees whether the field turns in the body: its low-passed direction leaves where it was.
struct FieldTurn: Equatable, Sendable {
  /// Time constant of the low-pass, s.
  private static var timeConstant: Double { 2 }
  /// How far it may stray, rad: the noise of a low-passed magnetometer, and at a dip of 70 degrees a body
  /// that turns by half a degree.
  private static var threshold: Double { 0.004 }
  /// How long it must stay, s: a swing stands still for as long at its turning points.
  private static var patience: Double { 4 }

  /// More than this is not counted, s.
  private static var longest: Double { 60 }

  private var direction: SIMD3<Double>?
  private var anchor = SIMD3<Double>.zero
  private var quietSeconds = 0.0

  init() {}

  /// True until the field has stood still for some seconds.
  var isTurning: Bool { quietSeconds < Self.patience }

  /// How fast the body may turn though its field stands still: less, the longer it stands. rad/s.
  var hiddenRate: Double { Self.hiddenTurn / max(quietSeconds, Self.patience) }
  /// The turn about the vertical that hides below the threshold at a dip of 70 degrees, rad.
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
