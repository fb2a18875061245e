import Quantities

/// Detects a magnetometer that is frozen or beyond its range.
///
/// The field in a turning body turns. A reading that stays identical to the last bit while the
/// field must have moved by more than `frozenTurn` is from a frozen chip or from one with all axes
/// at the limit.
struct FieldSensorWatch: Equatable, Sendable {
  /// Expected movement of the field above which an unchanged reading is invalid, microtesla: far
  /// more than the resolution of any magnetometer for the earth's field (0.6, AK8963 at 14 bits).
  static var frozenTurn: Double { 3 }
  /// Upper limit of a usable field, microtesla: fifteen times the earth's.
  static var strongest: Double { 1000 }

  static func isTooStrong(_ m: SIMD3<Double>) -> Bool {
    m.lengthSquared > strongest * strongest
  }

  private var last = SIMD3<Double>.zero
  private var expectedTurn = 0.0

  /// True while the readings cannot be the field.
  private(set) var isUnusable = false

  init() {}

  /// - Returns: True if the reading is usable as the field.
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
