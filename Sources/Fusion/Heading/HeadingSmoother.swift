import Quantities
import RealModule

/// Steadies a heading for a display without lagging in a turn: between headings it turns with the rate of
/// turn, and only what the two disagree by is low-passed.
///
/// - Accuracy: in a steady turn it lags by nothing as long as the rate of turn is right; a rate that is off
///   by one degree a second makes `timeConstant` degrees.
public struct HeadingSmoother: Equatable, Sendable {
  /// Time constant, s. Small: the needle trembles; large: it takes long to settle after a correction.
  public var timeConstant: Double
  /// A disagreement beyond this is no noise and is shown at once.
  public var largestDisagreement = Angle(degrees: 30)

  private var shown: Angle?
  private var timestamp: Timestamp?

  /// Makes a smoother that has shown nothing yet.
  public init(timeConstant: Double = 0.5) { self.timeConstant = timeConstant }

  /// Takes in a heading and gives the one to show, from zero to a full turn.
  /// - Parameters:
  ///   - heading: The heading now.
  ///   - rateOfTurn: Clockwise; nil without a gyroscope, and then turns are low-passed too.
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
    let told = rateOfTurn?.radiansPerSecond ?? 0
    let rate = told.isFinite ? told : 0
    let turned = last.radians + rate * dt
    let apart = (heading - Angle(radians: turned)).wrappedToHalfTurn.radians
    let gain =
      abs(apart) > largestDisagreement.radians ? 1 : 1 - Double.exp(-dt / max(timeConstant, 1e-6))
    let next = Angle(radians: turned + apart * gain).wrappedToTurn
    (shown, self.timestamp) = (next, now)
    return next
  }

  /// Forgets what was shown.
  public mutating func reset() { (shown, timestamp) = (nil, nil) }
}
