import Quantities

/// Whether a vehicle's compass agrees with the heading that its course gives, and whether the
/// vehicle has driven straight on, so that its course is its heading.
struct CompassCourseCheck: Sendable {
  /// The compass's heading less that by the course, low-pass over about ten seconds, rad.
  private(set) var difference = 0.0
  /// Seconds of contradiction, 0 to twice the limit.
  private var seconds = 0.0
  /// Seconds of motion in which compass and course disagree before they contradict each other.
  private static var limit: Double { 10 }

  /// Weight of a second in which the vehicle may drive backwards: few do so for a minute.
  private static var reverseShare: Double { 1 / 6 }
  /// The largest turn, in a second or between fixes at a longer interval, at which the track counts
  /// as straight, rad.
  private static var straight: Double { 0.1 }

  /// The newest fix without inertial navigation, and the attitude filter's heading then, rad from
  /// any north.
  private var fix: (at: Timestamp, heading: Double)?
  /// The turn up to it from the fix before, rad in a second or in the longer interval.
  private var turn: Double?
  /// Whether the compass at that fix was opposite to the course, as on a vehicle that drives
  /// backwards.
  private(set) var mayReverse = false

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

  /// Begins the comparison at a fix without inertial navigation.
  /// - Parameters:
  ///   - time: That of the fix.
  ///   - heading: The attitude filter's heading, rad from any north.
  /// - Returns: False where this fix was compared before.
  mutating func begin(at time: Timestamp, heading: Double) -> Bool {
    if let fix, time <= fix.at { return false }
    turn = fix.map {
      let elapsed = max(time.seconds(since: $0.at), 0.05)
      return Angle(radians: heading - $0.heading).wrappedToHalfTurn.radians / min(elapsed, 1)
    }
    (fix, mayReverse) = ((time, heading), false)
    return true
  }

  /// Adds the difference at the fix whose comparison has begun; it counts on straight ways only.
  /// - Parameters:
  ///   - newest: The compass's heading less that by the course, rad.
  ///   - gate: The least difference that contradicts, rad.
  ///   - isMoving: Whether the vehicle is fast enough for a heading by course.
  ///   - mayReverse: Whether it may drive backwards instead.
  mutating func addAtFix(_ newest: Double, gate: Double, isMoving: Bool, mayReverse: Bool) {
    self.mayReverse = mayReverse
    add(
      newest, gate: gate, isMoving: isMoving && turn.map { abs($0) < Self.straight } ?? false,
      mayReverse: mayReverse)
  }

  /// True where the vehicle has not turned from the fix before the one at `time` until now;
  /// `heading` is the attitude filter's present one, rad from the same north.
  func isStraight(to heading: Double, sinceFixAt time: Timestamp) -> Bool {
    guard let turn, let fix, fix.at == time else { return false }
    let since = Angle(radians: heading - fix.heading).wrappedToHalfTurn.radians
    return abs(turn) < Self.straight && abs(since) < Self.straight
  }
}
