import Quantities

/// Whether a vehicle follows its bow, by how much the board is turned from it, and whether the
/// heading is that of the bow.
struct BowTracker: Sendable {
  /// Course less heading, mean and mean square about it, rad.
  private(set) var angle = 0.0
  private(set) var spread = 0.25
  private(set) var seconds = 0.0
  /// Whether inertial navigation's heading is that of the bow and not of the tail: the vehicle has
  /// driven forward too fast for the opposite, or the compass agrees.
  private(set) var isProven = false
  /// Seconds for which a vehicle has driven backwards fast.
  private(set) var reversed = 0.0

  /// Inertial navigation begins with a new heading.
  mutating func beginHeading() { isProven = false }

  /// The heading is proven to be that of the bow.
  mutating func prove() { isProven = true }

  /// The vehicle does not drive backwards fast, or no longer with the same heading.
  mutating func endReverse() { reversed = 0 }

  /// The vehicle has driven backwards fast for these seconds more.
  mutating func addReverse(seconds dt: Double) { reversed += dt }

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
