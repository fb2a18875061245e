import Quantities

/// Whether a vehicle's compass agrees with the heading that its course gives.
struct CompassCourseCheck: Sendable {
  /// The compass's heading less that by the course, low-pass over about ten seconds, rad.
  private(set) var difference = 0.0
  /// Seconds of contradiction, 0 to twice the limit.
  private var seconds = 0.0
  /// Seconds of motion in which compass and course disagree before the compass is given up.
  private static var limit: Double { 10 }

  /// True while the compass contradicts the course.
  var contradicts: Bool { seconds >= Self.limit }

  /// Adds the difference of a second.
  mutating func add(_ newest: Double, gate: Double, isMoving: Bool) {
    guard isMoving else { return }
    if seconds == 0 { difference = newest }
    difference =
      Angle(
        radians: difference + 0.1 * Angle(radians: newest - difference).wrappedToHalfTurn.radians
      ).wrappedToHalfTurn.radians
    seconds = min(max(0, seconds + (abs(newest) > gate ? 1 : -1)), 2 * Self.limit)
  }
}
