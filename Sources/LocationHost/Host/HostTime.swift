import Observers
import Quantities
import Synchronization

/// Civil time: of the clock, or of a played recording.
final class HostTime: Sendable {
  /// The least difference that is a step, seconds: two readings of the clocks are not simultaneous.
  private static let leastStep = 0.01

  private let clock: any HostClock
  /// True for the time of a played recording.
  let isPlayed: Bool
  private let played = Mutex<UTCTime?>(nil)
  /// Civil time less the uptime at the last step, seconds.
  private let offset: Mutex<Double>

  init(clock: any HostClock, isPlayed: Bool) {
    (self.clock, self.isPlayed) = (clock, isPlayed)
    let (civil, uptime) = Self.reading(of: clock)
    offset = Mutex(civil - uptime)
  }

  /// Follows the time of a recording's estimate.
  func follow(_ estimate: Estimate) {
    if isPlayed, let utc = estimate.utc { played.withLock { $0 = utc } }
  }

  var now: UTCTime {
    if isPlayed, let played = played.withLock({ $0 }) { return played }
    return Self.time(clock.now().timeIntervalSince1970)
  }

  /// The time without the steps of civil time since the last `readWithStep`. Deadlines are compared
  /// with it, because each step moves them.
  var nowOfLastReading: UTCTime {
    guard !isPlayed else { return now }
    return Self.time(offset.withLock { $0 } + clock.uptime)
  }

  /// The time, and the step of civil time since the last call, seconds: the advance of civil time
  /// less that of the uptime. The step is nil if there was none, and for a recording, in whose gaps
  /// time has really passed.
  func readWithStep() -> (now: UTCTime, step: Double?) {
    guard !isPlayed else { return (now, nil) }
    let (civil, uptime) = Self.reading(of: clock)
    let time = Self.time(civil)
    return offset.withLock { offset in
      let step = civil - uptime - offset
      guard abs(step) >= Self.leastStep else { return (time, nil) }
      offset = civil - uptime
      return (time, step)
    }
  }

  /// Calls `body` once after the seconds of the uptime, unless the alarm is cancelled or released
  /// before. Nil for a recording, whose time may stand still.
  func alarm(after seconds: Double, _ body: @escaping @Sendable () -> Void) -> Observation? {
    isPlayed ? nil : clock.alarm(after: seconds, body)
  }

  private static func time(_ seconds: Double) -> UTCTime {
    UTCTime(secondsSince1970: seconds) ?? UTCTime(nanosecondsSince1970: 0)
  }

  /// Both clocks at one instant: a reading is repeated where time has passed meanwhile.
  private static func reading(of clock: any HostClock) -> (civil: Double, uptime: Double) {
    var reading = (civil: 0.0, uptime: 0.0)
    for _ in 0..<8 {
      let before = clock.uptime
      reading = (clock.now().timeIntervalSince1970, clock.uptime)
      if reading.uptime - before < leastStep / 10 { break }
    }
    return reading
  }
}
