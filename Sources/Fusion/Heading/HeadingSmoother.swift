import Quantities
import RealModule

/// Smooths a heading for a display without lag in a turn. Between headings the shown heading
/// follows the rate of turn; only the difference to the measured heading is low-passed.
///
/// - Accuracy: in a steady turn there is no lag if the rate of turn is correct. A rate error of one
///   degree a second causes an error of `timeConstant` degrees.
public struct HeadingSmoother: Equatable, Sendable {
  /// Time constant, s. Small: the display jitters; large: it settles slowly after a correction.
  public var timeConstant: Double
  /// A larger difference is not noise and is shown at once.
  public var largestDisagreement = Angle(degrees: 30)

  private var shown: Angle?
  private var timestamp: Timestamp?

  /// Makes a smoother without a heading.
  public init(timeConstant: Double = 0.5) { self.timeConstant = timeConstant }

  /// Adds a heading and returns the one to show, from zero to a full turn.
  /// - Parameters:
  ///   - heading: The heading now.
  ///   - rateOfTurn: Clockwise; nil without a gyroscope: turns are then low-passed too.
  ///   - now: The instant.
  /// - Returns: The heading to show.
  public mutating func smooth(_ heading: Angle, rateOfTurn: AngularSpeed?, at now: Timestamp)
    -> Angle
  {
    guard heading.radians.isFinite else { return shown ?? heading }
    guard let last = shown, let timestamp, now > timestamp else {
      if shown == nil { (shown, timestamp) = (heading.wrappedToTurn, now) }
      return shown ?? heading
    }
    let dt = now.seconds(since: timestamp)
    let reported = rateOfTurn?.radiansPerSecond ?? 0
    let rate = reported.isFinite ? reported : 0
    let turned = last.radians + rate * dt
    let apart = (heading - Angle(radians: turned)).wrappedToHalfTurn.radians
    let gain =
      abs(apart) > largestDisagreement.radians ? 1 : 1 - Double.exp(-dt / max(timeConstant, 1e-6))
    let next = Angle(radians: turned + apart * gain).wrappedToTurn
    (shown, self.timestamp) = (next, now)
    return next
  }

  /// Resets the shown heading.
  public mutating func reset() { (shown, timestamp) = (nil, nil) }
}
