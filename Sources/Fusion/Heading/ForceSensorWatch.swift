import Quantities

/// Detects an accelerometer that does not measure gravity.
///
/// - It reads almost nothing for seconds, as from an axis without a value or a bus that answers all
///   ones: no body falls freely for long. Only a sensor that measured gravity before is judged.
/// - An axis repeats a value to the last bit while gravity along it must have changed, or repeats a
///   value that may be its limit.
public struct ForceSensorWatch: Sendable {
  /// A force below this is no gravity, m/s².
  public static var weakest: Double { 2 }
  /// Time for which a force may be weaker, s.
  private static var longestFall: Double { 5 }
  /// Change of gravity along an unchanged axis from which it has stopped, m/s²: several times the
  /// resolution of the coarsest accelerometers (8 bits at 2 g: 0.15).
  private static var stoppedChange: Double { 1 }
  /// Longest time for which an axis may repeat a value that may be its limit, s: motion reaches the
  /// limit for moments only.
  private static var longestKept: Double { 0.5 }
  /// A force above this, m/s², for this total time, s, shows that the sensor measures gravity.
  private static var strong: Double { 5 }
  private static var leastStrong: Double { 5 }
  /// A longer interval between two forces is a gap, s.
  private static var longestStep: Double { 1 }

  private var last: (value: SIMD3<Double>, at: Timestamp)?
  /// Seconds of weak forces less those of others, 0 to twice the limit.
  private var weakSeconds = 0.0
  private var strongSeconds = 0.0
  private var isWeak = false
  private var axes = (Axis(), Axis(), Axis())

  /// Makes a watch without samples.
  public init() {}

  /// True while the forces cannot be gravity.
  public var hasStopped: Bool {
    isWeak || axes.0.hasStopped || axes.1.hasStopped || axes.2.hasStopped
  }

  /// Whether an axis has the value of the sample before: then `add` needs the direction up.
  public func repeats(_ f: SIMD3<Double>) -> Bool {
    last.map { f.x == $0.value.x || f.y == $0.value.y || f.z == $0.value.z } ?? false
  }

  /// Adds a force.
  /// - Parameters:
  ///   - f: The specific force along the sensor's own axes, m/s².
  ///   - up: The direction up along the same axes by an attitude that does not follow this force
  ///     alone; nil where it is unknown.
  ///   - t: The time.
  public mutating func add(force f: SIMD3<Double>, up: SIMD3<Double>?, at t: Timestamp) {
    defer { last = (f, t) }
    guard let before = last else { return }
    let dt = t.seconds(since: before.at)
    guard dt > 0, dt <= Self.longestStep else { return }
    let length = f.length
    if length > Self.strong { strongSeconds = min(strongSeconds + dt, Self.leastStrong) }
    let change = length < Self.weakest && strongSeconds >= Self.leastStrong ? dt : -dt
    weakSeconds = min(max(0, weakSeconds + change), 2 * Self.longestFall)
    isWeak = weakSeconds > (isWeak ? 0 : Self.longestFall)
    let old = before.value
    axes.0.add(f.x, isSame: f.x == old.x, up: up?.x, seconds: dt)
    axes.1.add(f.y, isSame: f.y == old.y, up: up?.y, seconds: dt)
    axes.2.add(f.z, isSame: f.z == old.z, up: up?.z, seconds: dt)
  }

  /// The direction up along an axis since its value has changed.
  private struct Axis: Sendable {
    private var (least, most) = (1.0, -1.0)
    private var (seconds, count) = (0.0, 0)
    private(set) var hasStopped = false

    mutating func add(_ value: Double, isSame: Bool, up: Double?, seconds dt: Double) {
      guard isSame else {
        self = Axis()
        return
      }
      seconds += dt
      count += 1
      if let up { (least, most) = (min(least, up), max(most, up)) }
      let isBeyond =
        abs(value) > FullScaleDetector.leastForce && seconds > ForceSensorWatch.longestKept
      let change = StrapdownFilter.gravity * (most - least)
      let hasTurned =
        change > ForceSensorWatch.stoppedChange && count >= RateSensorWatch.fewestEqual
      if isBeyond || hasTurned { hasStopped = true }
    }
  }
}
