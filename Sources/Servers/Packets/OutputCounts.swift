import Formats
import LinuxIO

/// The counts of the outputs without connections, for the metrics.
final class OutputCounts: Sendable {
  private let counts = Locked<[String: OutputCount]>([:])

  /// Counts a packet of an output.
  func add(_ name: String, isSent: Bool) {
    counts.withLock { counts in
      var count = counts[name] ?? OutputCount(name: name)
      if isSent { count.sent += 1 } else { count.failed += 1 }
      counts[name] = count
    }
  }

  /// All counts by name.
  var all: [OutputCount] { counts.withLock { $0.values.sorted { $0.name < $1.name } } }
}
