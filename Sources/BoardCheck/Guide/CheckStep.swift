/// A step of the acceptance, in the order in which they are done.
package enum CheckStep: String, CaseIterable, Sendable {
  /// The board lies still: noise, offsets, gravity.
  case still
  /// It is turned once, level: axes, iron, deviation.
  case turn
  /// It is tilted to all four sides: axes, range.
  case tilt
  /// It is carried or driven straight ahead: mount by course.
  case walk

  /// What to do.
  package var instruction: String {
    switch self {
    case .still: "lay the board down as it is used, level, and do not touch it"
    case .turn: "turn it once around, level and slowly, in about 20 seconds, away from iron"
    case .tilt:
      "tilt it by 45 degrees to the front, the back, the left and the right, while you turn around with it"
    case .walk: "walk or drive straight ahead, the bow in front, under open sky"
    }
  }

  /// The longest time, seconds.
  package var limitSeconds: Double {
    switch self {
    case .still: 45
    case .turn, .tilt: 60
    case .walk: 90
    }
  }
}
