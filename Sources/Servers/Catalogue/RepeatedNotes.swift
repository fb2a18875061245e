import LinuxIO
import LocationHost
import Quantities

/// Warnings of a server that a client can repeat: each text is logged at most once in ten seconds,
/// with a count.
struct RepeatedNotes {
  /// The least interval between two entries of one text, seconds.
  private static let interval = 10.0
  /// Limit of the known texts.
  private static let mostTexts = 64

  private let log: HostLog
  private var logged: [String: (at: Timestamp, count: Int)] = [:]

  init(log: HostLog) { self.log = log }

  mutating func add(_ text: String) {
    let now = MonotonicClock.now
    let known = logged[text] ?? (at: Timestamp(nanoseconds: 0), count: 0)
    if known.count > 0, now.seconds(since: known.at) < Self.interval {
      logged[text] = (known.at, known.count + 1)
      return
    }
    log.warning(known.count > 1 ? "\(text) (\(known.count - 1) more before)" : text)
    if logged.count > Self.mostTexts { logged = [:] }
    logged[text] = (now, 1)
  }
}
