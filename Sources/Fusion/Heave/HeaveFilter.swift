import Quantities
import RealModule

/// Height of a boat above its mean height in waves, from vertical acceleration.
///
/// Double integration amplifies the smallest accelerometer error, so slow motion is filtered out by
/// a third-order Butterworth high-pass with its corner at `longestPeriod`. The three states are
/// height, vertical speed and the integral of height, which removes the accelerometer's offset.
///
/// - Accuracy: of the filter alone, for waves of period T: amplitude within (T / longestPeriod)^6 /
///   2, phase lead 2 T / longestPeriod radians. With the default, 8 s swell has the correct
///   amplitude and a phase lead of 8 degrees. The filter settles in two `longestPeriod`.
public struct HeaveFilter: Equatable, Sendable {
  /// Period in seconds at the corner. Small: settles fast, larger phase lead; large: the
  /// accelerometer's drift shows.
  public var longestPeriod: Double

  /// Height above the mean, metres, up.
  public private(set) var metres = 0.0
  /// Vertical speed, metres per second, up.
  public private(set) var metresPerSecond = 0.0
  private var integral = 0.0
  private var timestamp: Timestamp?
  private var seconds = 0.0

  /// A step longer than this is a gap and resets the filter, s.
  private static var longestStep: Double { 1 }

  /// Makes a filter at the mean height.
  public init(longestPeriod: Double = 120) { self.longestPeriod = longestPeriod }

  /// True once the initial transient has decayed.
  public var isSettled: Bool { seconds > 2 * longestPeriod }

  /// True after the first sample.
  public var hasStarted: Bool { timestamp != nil }

  /// Processes the acceleration without gravity, m/s², downward as in the earth frame.
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
