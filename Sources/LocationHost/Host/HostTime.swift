import Engine
import Foundation
import Quantities
import Synchronization

/// Civil time: of the clock, or of a played recording.
final class HostTime: Sendable {
  /// The least difference that is a step, seconds: two readings of the clocks are not simultaneous.
  private static let leastStep = 0.01

  private let clock: any HostClock
  private let isPlayed: Bool
  private let played = Mutex<UTCTime?>(nil)
  /// Civil time less the uptime at the last step, seconds.
  private let offset: Mutex<Double>

  init(clock: any HostClock, isPlayed: Bool) {
    (self.clock, self.isPlayed) = (clock, isPlayed)
    offset = Mutex(Self.offset(of: clock))
  }

  /// Takes the time of a recording's estimate.
  func take(_ estimate: Estimate) {
    if isPlayed, let utc = estimate.utc { played.withLock { $0 = utc } }
  }

  var now: UTCTime {
    if isPlayed, let played = played.withLock({ $0 }) { return played }
    return UTCTime(secondsSince1970: clock.now().timeIntervalSince1970)
      ?? UTCTime(nanosecondsSince1970: 0)
  }

  /// The step of civil time since the last call, seconds: what it has advanced more than the uptime. Nil for none, and
  /// for a recording, whose gaps are time that has passed.
  func takeStep() -> Double? {
    guard !isPlayed else { return nil }
    return offset.withLock { offset in
      let new = Self.offset(of: clock)
      let step = new - offset
      guard abs(step) >= Self.leastStep else { return nil }
      offset = new
      return step
    }
  }

  /// Calls `body` once after the seconds of the uptime, unless the alarm is cancelled or released before.
  func alarm(after seconds: Double, _ body: @escaping @Sendable () -> Void) -> Observation {
    clock.alarm(after: seconds, body)
  }

  private static func offset(of clock: any HostClock) -> Double {
    clock.now().timeIntervalSince1970 - clock.uptime
  }
}
