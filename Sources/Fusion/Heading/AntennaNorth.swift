import Quantities
import RealModule

/// True north by a receiver with two antennas, as a turn of the attitude filter's north. The attitude filter carries a
/// heading on between the receiver's messages, in turns and without them; its north wanders slowly, by the drift of the
/// gyroscope or by the field's disturbances.
///
/// Model. One state, the turn, with a random walk.
public struct AntennaNorth: Sendable {
  /// Random walk of the attitude filter's north, rad/√s: 0.3 degrees in a second, 2.3 in a minute.
  private static let wander = 0.005
  /// Age of a heading when its message arrives, one sigma, s: solution and transmission take 0.05 to 0.2 s.
  private static let lateness = 0.1
  /// Longest time without a message for which the turn is known, s.
  private static let longestSilence = 120.0
  /// Innovation, in sigmas, beyond which a heading is rejected, and the number of such headings in a row after which they are
  /// believed.
  private static let (gate, reacquisitionCount) = (5.0, 5)

  private var turn = 0.0
  private var variance = 0.0
  private var newest: Timestamp?
  private var rejected = 0

  /// Makes one that does not know north.
  public init() {}

  /// Uses a heading of the receiver.
  /// - Parameters:
  ///   - heading: The heading.
  ///   - sigma: Its accuracy.
  ///   - attitude: The attitude filter's attitude at that time.
  ///   - rate: The rate of turn, rad/s.
  ///   - t: The time of the heading.
  public mutating func update<North: Frame>(
    _ heading: TrueHeading, sigma: Angle, attitude: Rotation<BodyFrame, North>, rateOfTurn rate: Double,
    at t: Timestamp
  ) {
    let late = rate * Self.lateness
    let noise = sigma.radians * sigma.radians + late * late
    let measured = heading.angle.radians - attitude.attitudeAngles.heading.radians
    guard measured.isFinite, noise.isFinite else { return }
    guard let before = value(at: t) else {
      (turn, variance, newest, rejected) = (Self.wrapped(measured), noise, t, 0)
      return
    }
    let innovation = Self.wrapped(measured - before.radians)
    let predicted = before.sigma * before.sigma
    let s = predicted + noise
    guard innovation * innovation <= Self.gate * Self.gate * s else {
      rejected += 1
      if rejected >= Self.reacquisitionCount { newest = nil }
      return
    }
    let gain = predicted / s
    turn = Self.wrapped(before.radians + gain * innovation)
    (variance, newest, rejected) = (predicted * (1 - gain), t, 0)
  }

  /// The clockwise turn from true north to the attitude filter's north with its one sigma, rad: an attitude's heading and the
  /// turn together are the true heading. Nil where no recent heading is known.
  public func value(at t: Timestamp) -> (radians: Double, sigma: Double)? {
    guard let newest else { return nil }
    let age = max(0, t.seconds(since: newest))
    guard age <= Self.longestSilence else { return nil }
    return (turn, (variance + Self.wander * Self.wander * age).squareRoot())
  }

  private static func wrapped(_ radians: Double) -> Double {
    Angle(radians: radians).wrappedToHalfTurn.radians
  }
}
