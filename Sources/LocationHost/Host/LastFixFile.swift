import Dispatch
import FoundationEssentials
import HostProtocol
import LinuxIO
import Quantities
import Synchronization

/// The last fix of this machine's receiver on disk: one line, replaced atomically, at most once a
/// minute to reduce the wear of memory cards. A simulated or replayed fix is never written.
package final class LastFixFile: Sendable {
  /// Seconds between two writes.
  package static let interval = 60.0

  private let url: URL
  private let health: StateHealth
  /// Seconds of a monotonic clock.
  private let clock: @Sendable () -> Double
  private let state = Mutex(State())

  private struct State {
    var written: Double?
    var unwritten: Estimate?
    /// The newest fix for the operation that is queued; nil if none is queued.
    var queued: Estimate?
    var hasReportedFault = false
  }

  /// Makes the file of a state folder.
  package init(
    stateFolder: String, health: StateHealth, clock: @escaping @Sendable () -> Double
  ) {
    url = Self.url(in: stateFolder)
    (self.health, self.clock) = (health, clock)
  }

  private static func url(in folder: String) -> URL {
    URL(fileURLWithPath: folder + "/last-fix.json")
  }

  /// The stored fix; nil if it is missing or unreadable.
  package func read() -> Estimate? { Self.read(url) }

  /// The fix that a state folder has; nil if it is missing or unreadable.
  package static func stored(in folder: String) -> Estimate? { read(url(in: folder)) }

  private static func read(_ url: URL) -> Estimate? {
    do {
      return try EstimateCoding.estimate(text: LinuxFiles().text(of: url.path))
    } catch {
      // Without a stored fix clients wait for the first fix.
      return nil
    }
  }

  /// Stores a fix on a queue. At most one operation is queued, also when the disk hangs.
  func store(_ fix: Estimate, on queue: DispatchQueue) {
    let isQueued = state.withLock { state in
      defer { state.queued = fix }
      return state.queued != nil
    }
    guard !isQueued else { return }
    queue.async { [self] in
      if let fix = state.withLock({ $0.queued.take() }) { store(fix) }
    }
  }

  /// Writes a fix if the last write is at least `interval` ago; otherwise it stays in memory.
  package func store(_ estimate: Estimate) {
    // A later process cannot use a fix without civil time.
    guard !estimate.isSimulated, estimate.fixKind != .simulated, estimate.utc != nil else { return }
    let now = clock()
    let isDue = state.withLock { state in
      state.unwritten = estimate
      guard state.written.map({ now - $0 >= Self.interval }) ?? true else { return false }
      state.written = now
      return true
    }
    if isDue { flush() }
  }

  /// Writes the newest fix if it is not written yet.
  package func flush() {
    let estimate = state.withLock { state in
      defer { state.unwritten = nil }
      return state.unwritten
    }
    guard let estimate else { return }
    do throws(FileFault) {
      try LinuxFiles().writePrivate(Array(EstimateCoding.text(estimate).utf8), to: url.path)
      state.withLock { $0.hasReportedFault = false }
    } catch {
      let isNew = state.withLock { state in
        // Stored later, unless a newer one comes.
        state.unwritten = state.unwritten ?? estimate
        defer { state.hasReportedFault = true }
        return !state.hasReportedFault
      }
      if isNew {
        health.report(.warning, "\(url.path): the last fix cannot be stored: \(error.reason)")
      }
    }
  }
}
