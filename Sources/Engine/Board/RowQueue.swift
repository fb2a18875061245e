import Formats
import Foundation
import ReceiverProtocols

/// The queue of samples from the threads of the buses to the thread of the pipeline. Safe from any thread.
final class RowQueue: @unchecked Sendable {
  /// Seconds of samples: exceeded only if the pipeline's thread hangs.
  private static let capacity = 4096

  /// Stamps every fix; nil if no pulse is wired.
  private let pulse: PulseClock?
  private let condition = NSCondition()
  private var rows: [SensorRow] = []
  private var stopped = false

  init(pulse: PulseClock? = nil) { self.pulse = pulse }

  /// True once the board was stopped.
  var isStopped: Bool {
    condition.lock()
    defer { condition.unlock() }
    return stopped
  }

  func stop() {
    condition.lock()
    stopped = true
    condition.broadcast()
    condition.unlock()
  }

  /// Appends samples; a full queue drops its oldest rows.
  func put(_ new: [SensorRow]) {
    guard !new.isEmpty else { return }
    var new = new
    pulse?.stamp(&new)
    condition.lock()
    rows += new
    if rows.count > Self.capacity { rows.removeFirst(rows.count - Self.capacity) }
    condition.signal()
    condition.unlock()
  }

  /// Forwards the receiver's announcement of its next pulse.
  func announce(_ pulse: PulseAnnouncement) { self.pulse?.add(pulse) }

  /// Moves all rows to `taken`; waits at most `seconds` for the first.
  func take(into taken: inout [SensorRow], waitingAtMost seconds: Double) {
    taken.removeAll(keepingCapacity: true)
    condition.lock()
    if rows.isEmpty, !stopped { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
    swap(&rows, &taken)
    condition.unlock()
  }
}
