import EarthModel
import Quantities

/// Which positions are reported: many on a way with turns, few at rest. It sees every fix once, so
/// that a position is never reported twice.
package struct TrackerSchedule: Sendable {
  /// A speed at which a device moves, m/s: below a walk, above the noise of a receiver at rest.
  private static let movingSpeed = 1.0
  /// Time without such a speed after which the device rests, seconds: longer than a traffic light.
  private static let restAfter = 120.0
  /// The change of the course that is reported. A smaller one follows a curve more closely and
  /// sends more: at 20 degrees a circle has 18 positions.
  private static let turnDegrees = 20.0
  /// The least time between two positions, seconds, and the least way of a turn, metres.
  private static let (leastInterval, leastWay) = (3.0, 10.0)
  /// A way that is reported without a speed, metres beyond the accuracy: a drifting anchor.
  private static let drift = 50.0

  private struct Report {
    var at: Timestamp
    var place: GeodeticPosition
    var course: Angle?
  }

  private let interval: Double
  private let heartbeat: Double
  private var last: Report?
  private var newestFix: Timestamp?
  private var lastMoving: Timestamp?
  /// Whether the present state of motion was not reported.
  private var hasChanged = false
  /// Whether the device moves.
  package private(set) var isMoving = false

  /// Makes a schedule.
  /// - Parameters:
  ///   - interval: The time between two positions of a straight way, seconds.
  ///   - heartbeat: The same at rest.
  package init(interval: Double, heartbeat: Double) {
    (self.interval, self.heartbeat) = (interval, heartbeat)
  }

  /// Why the position of an estimate is to be reported; nil where it is not.
  package mutating func reason(_ estimate: Estimate) -> TrackerPosition.Reason? {
    guard let place = estimate.position, let fix = estimate.fixTimestamp else { return nil }
    // The clock of another source may start at a lower time.
    if let newest = newestFix, fix <= newest, estimate.timestamp >= newest { return nil }
    if let newest = newestFix, fix < newest { (last, lastMoving, isMoving) = (nil, nil, false) }
    newestFix = fix
    let hasSpeed = (estimate.speedMetresPerSecond ?? 0) >= Self.movingSpeed
    if hasSpeed { lastMoving = fix }
    let wasMoving = isMoving
    isMoving = lastMoving.map { fix.seconds(since: $0) < Self.restAfter } ?? false
    if isMoving != wasMoving { hasChanged = true }
    let reason = reason(
      fix, place, hasSpeed ? estimate.course : nil, estimate.horizontalAccuracyMetres)
    if reason != nil {
      hasChanged = false
      last = Report(at: fix, place: place, course: hasSpeed ? estimate.course : last?.course)
    }
    return reason
  }

  private func reason(
    _ fix: Timestamp, _ place: GeodeticPosition, _ course: Angle?, _ accuracy: Double?
  ) -> TrackerPosition.Reason? {
    guard let last else { return .movement }
    let elapsed = fix.seconds(since: last.at)
    guard elapsed >= Self.leastInterval else { return nil }
    if hasChanged { return .movement }
    let way = Geodesic.inverse(from: last.place, to: place).distanceMetres
    if isMoving, way >= Self.leastWay {
      let change = course.flatMap { now in
        last.course.map { abs((now - $0).wrappedToHalfTurn.degrees) }
      }
      if elapsed >= interval || change.map({ $0 >= Self.turnDegrees }) ?? false { return .movement }
    }
    if elapsed >= interval, way >= Self.drift + (accuracy ?? 0) { return .movement }
    return elapsed >= heartbeat ? .heartbeat : nil
  }
}
