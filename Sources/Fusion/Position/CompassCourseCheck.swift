import Quantities

/// Whether a vehicle's compass agrees with the heading that its course gives.
struct CompassCourseCheck: Sendable {
  /// The compass's heading less that by the course, low-pass over about ten seconds, rad.
  private(set) var difference = 0.0
  /// Seconds of contradiction, 0 to twice the limit.
  private var seconds = 0.0
  /// Seconds of motion in which compass and course disagree before the compass is given up.
  private static var limit: Double { 10 }

  /// The part of a second that counts where the vehicle may drive backwards: few do for a minute.
  private static var reverseShare: Double { 1 / 6 }

  /// True while the compass contradicts the course.
  var contradicts: Bool { seconds >= Self.limit }

  /// Adds the difference of a second.
  /// - Parameters:
  ///   - newest: The compass's heading less that by the course, rad.
  ///   - gate: The least difference that contradicts, rad.
  ///   - isMoving: Whether the vehicle is fast enough for a heading by course.
  ///   - mayReverse: Whether it may drive backwards instead.
  mutating func add(_ newest: Double, gate: Double, isMoving: Bool, mayReverse: Bool = false) {
    guard isMoving else { return }
    if seconds == 0 { difference = newest }
    difference =
      Angle(
        radians: difference + 0.1 * Angle(radians: newest - difference).wrappedToHalfTurn.radians
      ).wrappedToHalfTurn.radians
    let share = mayReverse ? Self.reverseShare : 1
    seconds = min(max(0, seconds + (abs(newest) > gate ? share : -1)), 2 * Self.limit)
  }
}
