import Foundation
import Quantities
import ServiceProtocol

/// The last fix of this machine's receiver on the disk: one line, replaced in one step, at most once a minute
/// since memory cards wear. A simulated or replayed fix is never written.
final class LastFixFile {
  /// Seconds between two writes.
  static let interval = 60.0

  private let url: URL
  private let log: ServiceLog
  private var written: UInt64?
  private var isBehind: Estimate?
  private var hasComplained = false

  init(stateFolder: String, log: ServiceLog) {
    url = URL(fileURLWithPath: stateFolder + "/last-fix.json")
    self.log = log
  }

  /// The fix that was kept; nil where there is none that can be read.
  func read() -> Estimate? {
    do {
      return try EstimateCoding.estimate(text: String(contentsOf: url, encoding: .utf8))
    } catch {
      // A missing or damaged fix costs a wait for the first one and nothing more.
      return nil
    }
  }

  /// Takes a fix, and writes it where that is due.
  func take(_ estimate: Estimate) {
    // Without a civil time it says nothing to a later program.
    guard !estimate.isSimulated, estimate.fixKind != .simulated, estimate.utc != nil else { return }
    isBehind = estimate
    let now = DispatchTime.now().uptimeNanoseconds
    guard written.map({ Double(now - $0) * 1e-9 >= Self.interval }) ?? true else { return }
    written = now
    flush()
  }

  /// Writes what was not written yet.
  func flush() {
    guard let estimate = isBehind else { return }
    isBehind = nil
    var text: [UInt8] = []
    EstimateCoding.append(estimate, to: &text)
    do {
      try PrivateFile.write(Data(text), to: url.path)
    } catch {
      guard !hasComplained else { return }
      hasComplained = true
      log.warning("\(url.path): the last fix is not kept: \(error.localizedDescription)")
    }
  }
}
