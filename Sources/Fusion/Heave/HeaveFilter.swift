import Quantities
import RealModule

/// How far a boat is above its mean height in the waves, from vertical acceleration.
///
/// Integrating twice lets the smallest error of the accelerometer run away, so slow motion is filtered out:
/// a third-order Butterworth high-pass with the corner at `longestPeriod`. Its three states are height, climb and
/// the integral of height, which takes the accelerometer's offset along.
///
/// - Accuracy: of the filter alone, for waves of period T: amplitude within (T / longestPeriod)^6 / 2, phase
///   early by 2 T / longestPeriod radians. With the default, 8 s swell is right in amplitude and early by
///   8 degrees. It needs two `longestPeriod` to settle.
public struct HeaveFilter: Equatable, Sendable {
  /// Period in seconds at the corner. Small: settles fast, swell comes early; large: the accelerometer's
  /// drift shows.
  public var longestPeriod: Double

  /// Height above the mean, metres, up.
  public private(set) var metres = 0.0
  /// Climb, metres per second.
  public private(set) var metresPerSecond = 0.0
  private var integral = 0.0
  private var timestamp: Timestamp?
  private var seconds = 0.0

  /// A step longer than this is a gap, and the filter starts again, s.
  private static var longestStep: Double { 1 }

  /// Makes a filter at its mean height.
  public init(longestPeriod: Double = 120) { self.longestPeriod = longestPeriod }

  /// True once what it started with has faded.
  public var isSettled: Bool { seconds > 2 * longestPeriod }

  /// True once it has taken anything in.
  public var hasStarted: Bool { timestamp != nil }

  /// Takes in the acceleration without gravity, m/s², downward as in the earth frame.
  public mutating func update(downwardAcceleration down: Double, at now: Timestamp) {
    guard down.isFinite else { return }
    guard let last = timestamp else {
      timestamp = now
      return
    }
    let dt = now.seconds(since: last)
    guard dt > 0 else { return }
    guard dt <= Self.longestStep else {
      self = HeaveFilter(longestPeriod: longestPeriod)
      timestamp = now
      return
    }
    timestamp = now
    seconds += dt
    // Poles of the Butterworth polynomial s³ + 2ws² + 2w²s + w³.
    let w = 2 * Double.pi / longestPeriod
    let acceleration =
      -down - 2 * w * metresPerSecond - 2 * w * w * metres - w * w * w * integral
    metresPerSecond += acceleration * dt
    metres += metresPerSecond * dt
    integral += metres * dt
  }
}
