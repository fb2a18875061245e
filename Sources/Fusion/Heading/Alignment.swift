import Quantities

/// The state of the search for level.
struct Alignment: Equatable, Sendable {
  /// True once level is known well enough to use the field.
  private(set) var isLevelFound = false
  /// The integral of specific force since the search began, earth frame, m/s.
  private(set) var pushed = SIMD3<Double>.zero
  private(set) var seconds = 0.0
  /// The integral of its square, m²/s³.
  private(set) var pushedSquared = 0.0

  init() {}

  /// Root mean square deviation of the force from its mean, m/s².
  var spread: Double {
    seconds > 0
      ? max(0, pushedSquared / seconds - pushed.lengthSquared / (seconds * seconds)).squareRoot()
      : 0
  }

  /// Adds an interval's force.
  /// - Returns: The rotation that makes the mean force vertical; nil without a force.
  mutating func level(
    adding push: SIMD3<Double>, squared: Double, seconds t: Double
  ) -> Rotation<MagneticEarthFrame, MagneticEarthFrame>? {
    pushed += push
    pushedSquared += squared
    seconds += t
    guard
      let turn = Rotation<MagneticEarthFrame, MagneticEarthFrame>(
        from: pushed, to: SIMD3(0, 0, -1))
    else { return nil }
    pushed = turn.rotate(pushed)
    return turn
  }

  /// Ends the search.
  mutating func finish() { isLevelFound = true }
}

extension Alignment {
  mutating func code(_ c: inout StateCoder) {
    c.code(&isLevelFound)
    c.code(&pushed)
    c.code(&pushedSquared)
    c.code(&seconds)
  }
}
