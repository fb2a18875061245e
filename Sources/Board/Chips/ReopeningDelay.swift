import LinuxIO
import Quantities

/// The wait before a lost device is opened again: longer after each failure, but it ends when the
/// device appears.
struct ReopeningDelay {
  /// Interval between checks for the device, s: it must be back in service within two seconds.
  private static let step = 0.5
  private static let longest = 30.0

  private var delay = RetryDelay(first: Self.step, longest: Self.longest)

  /// The device is in service.
  mutating func reset() { delay.reset() }

  /// Waits, but not after the queue was stopped.
  mutating func wait(for path: String, _ hardware: any BoardHardware, _ queue: SampleQueue) {
    let end = MonotonicClock.now.advanced(bySeconds: delay.next())
    var wasAbsent = false
    while !queue.isStopped {
      let isPresent = hardware.isPresent(path)
      if isPresent, wasAbsent { return }
      if !isPresent { wasAbsent = true }
      let left = end.seconds(since: MonotonicClock.now)
      guard left > 0 else { return }
      queue.waitForStop(atMost: min(left, Self.step))
    }
  }
}
