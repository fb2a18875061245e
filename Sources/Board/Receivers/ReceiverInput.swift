import Observers
import Quantities
import ReceiverProtocols

/// One of a board's receivers, as the threads that serve it share it.
struct ReceiverInput: Sendable {
  let index: Int
  let selection: ReceiverSelection
  /// nil if its pulse is not wired.
  let clock: PulseClock?
  let monitor: ReceiverMonitor
  let output: ObserverList<ReceiverOutput>

  /// Decides on a report, and publishes what it contains beyond the fix.
  /// - Parameters:
  ///   - report: The report.
  ///   - arrival: When it was complete.
  /// - Returns: What becomes a row; nil for an epoch of a receiver that is not used.
  func admit(_ report: ReceiverReport, at arrival: Timestamp) -> ReceiverReport? {
    switch report {
    case .pulse(let announcement): clock?.add(announcement)
    case .heading, .alignment: break
    case .epoch(let epoch):
      monitor.receiver(epoch: epoch)
      let admission = selection.admit(epoch, of: index, at: arrival)
      if let notice = admission.notice { monitor.notice(ofPeer: notice) }
      guard let used = admission.epoch else {
        // The pairing of its pulses goes on.
        _ = clock?.instant(of: epoch.validFix)
        return nil
      }
      output.publish(.epoch(used))
      return .epoch(used)
    }
    return report
  }

  /// Sets the instants of the fixes by the receiver's pulses, where known.
  func stamp(_ rows: inout [SensorSamples]) {
    guard let clock else { return }
    for index in rows.indices {
      guard let fix = rows[index].fix, let instant = clock.instant(of: fix) else { continue }
      rows[index].fix?.timestamp = instant
    }
  }

  /// How much the receiver has reported.
  var progress: ReceiverSelection.Progress { selection.progress(of: index) }

  /// Publishes received bytes while the receiver is used.
  func publish(_ bytes: UnsafeRawBufferPointer) {
    if selection.isUsed(index) { output.publish(bytes) }
  }

  /// Publishes a pulse while the receiver is used.
  func publish(_ pulse: PulseReport) {
    guard !output.isEmpty, selection.isUsed(index) else { return }
    output.notify(.pulse(pulse))
  }
}
