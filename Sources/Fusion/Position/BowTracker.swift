import Quantities

/// Whether a vehicle follows its bow, and by how much the board is turned from it.
struct BowTracker: Sendable {
  /// Course less heading, mean and mean square about it, rad.
  private(set) var angle = 0.0
  private(set) var spread = 0.25
  private(set) var seconds = 0.0

  /// Adds the difference between course and heading over an interval.
  mutating func add(_ difference: Double, seconds dt: Double) {
    if seconds == 0 { angle = difference }
    let stray = Angle(radians: difference - angle).wrappedToHalfTurn.radians
    seconds += dt
    let share = dt / min(max(seconds, dt), 60)
    angle = Angle(radians: angle + share * stray).wrappedToHalfTurn.radians
    spread += share * (stray * stray - spread)
  }

  /// True if course and bow have differed by the same angle, within 3 degrees, for 20 seconds of
  /// motion.
  var isFollowed: Bool { seconds > 20 && spread < 0.05 * 0.05 }
}
