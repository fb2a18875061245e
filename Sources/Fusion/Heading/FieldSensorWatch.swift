import Quantities

/// Tells a magnetometer that hangs or is driven beyond its range from one that measures.
///
/// A body that turns sees its field turn. A reading that stays the same to the last bit while the field must
/// have moved by more than `frozenTurn` comes from a chip that hangs or whose every axis is at its stop.
struct FieldSensorWatch: Equatable, Sendable {
  /// How far the field must have moved for an unchanged reading to be an old one, microtesla: far more than
  /// the step of any magnetometer for the earth's field (0.6, AK8963 at 14 bits).
  static var frozenTurn: Double { 3 }
  /// No field in which a compass works is stronger, microtesla: fifteen times the earth's.
  static var strongest: Double { 1000 }

  static func isTooStrong(_ m: SIMD3<Double>) -> Bool {
    m.lengthSquared > strongest * strongest
  }

  private var last = SIMD3<Double>.zero
  private var expectedTurn = 0.0

  /// True while readings come that cannot be the field.
  private(set) var isUnusable = false

  init() {}

  /// - Returns: True where the reading may be taken for the field.
  mutating func accepts(_ m: SIMD3<Double>, rate w: SIMD3<Double>, seconds dt: Double) -> Bool {
    if m == last {
      expectedTurn += w.cross(m).length * dt
    } else {
      (last, expectedTurn) = (m, 0)
    }
    isUnusable = expectedTurn > Self.frozenTurn || Self.isTooStrong(m)
    return !isUnusable
  }
}

extension FieldSensorWatch {
  mutating func code(_ c: inout StateCoder) {
    c.code(&last)
    c.code(&expectedTurn)
    c.code(&isUnusable)
  }
}
