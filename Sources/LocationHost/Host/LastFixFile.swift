import Foundation
import HostProtocol
import LinuxIO
import Quantities

/// The last fix of this machine's receiver on the disk: one line, replaced in one step, at most once a minute
/// since memory cards wear. A simulated or replayed fix is never written. On one queue or thread only.
package final class LastFixFile: @unchecked Sendable {
  // Unchecked: `state` is read and written under its lock.

  /// Seconds between two writes.
  package static let interval = 60.0

  private let url: URL
  private let log: HostLog
  /// Seconds of a clock that is not set.
  private let clock: @Sendable () -> Double
  private let lock = NSLock()
  private var written: Double?
  private var unwritten: Estimate?
  private var hasReportedFault = false

  /// Makes the file of a state folder.
  package init(stateFolder: String, log: HostLog, clock: @escaping @Sendable () -> Double) {
    url = URL(fileURLWithPath: stateFolder + "/last-fix.json")
    (self.log, self.clock) = (log, clock)
  }

  /// The fix that was stored; nil where there is none that can be read.
  package func read() -> Estimate? {
    do {
      return try EstimateCoding.estimate(text: String(contentsOf: url, encoding: .utf8))
    } catch {
      // A missing or damaged fix costs a wait for the first one and nothing more.
      return nil
    }
  }

  /// Takes a fix, and writes it where that is due.
  package func take(_ estimate: Estimate) {
    // Without a civil time it says nothing to a later program.
    guard !estimate.isSimulated, estimate.fixKind != .simulated, estimate.utc != nil else { return }
    let isDue = lock.withLock {
      unwritten = estimate
      let now = clock()
      guard written.map({ now - $0 >= Self.interval }) ?? true else { return false }
      written = now
      return true
    }
    if isDue { flush() }
  }

  /// Writes what was not written yet.
  package func flush() {
    let estimate = lock.withLock {
      defer { unwritten = nil }
      return unwritten
    }
    guard let estimate else { return }
    do throws(FileFault) {
      try LinuxFiles().writePrivate(Array(EstimateCoding.text(estimate).utf8), to: url.path)
    } catch {
      let isNew = lock.withLock {
        defer { hasReportedFault = true }
        return !hasReportedFault
      }
      if isNew {
        log.warning("\(url.path): the last fix is not stored: \(error.reason)")
      }
    }
  }
}
