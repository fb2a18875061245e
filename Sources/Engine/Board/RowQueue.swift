import Foundation
import ReceiverProtocols
import Recording

/// Hands samples from the threads of the buses to the one of the pipeline. Safe from any thread.
final class RowQueue: @unchecked Sendable {
  /// More rows than this wait only where the pipeline's thread hangs: seconds of samples.
  private static let capacity = 4096

  /// Sees every fix that goes in, where a receiver's pulse is wired.
  private let pulse: PulseClock?
  private let condition = NSCondition()
  private var rows: [SensorRow] = []
  private var stopped = false

  init(pulse: PulseClock? = nil) { self.pulse = pulse }

  /// True once the board is no longer wanted.
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

  /// Puts samples in; the oldest fall out of a full queue.
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

  /// Hands on what the receiver announces of its next pulse.
  func announce(_ pulse: PulseAnnouncement) { self.pulse?.add(pulse) }

  /// Takes all that waits into `taken`, after a wait of at most `seconds` for the first.
  func take(into taken: inout [SensorRow], waitingAtMost seconds: Double) {
    taken.removeAll(keepingCapacity: true)
    condition.lock()
    if rows.isEmpty, !stopped { _ = condition.wait(until: Date(timeIntervalSinceNow: seconds)) }
    swap(&rows, &taken)
    condition.unlock()
  }
}
