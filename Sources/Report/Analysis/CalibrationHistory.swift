/// The changes of the calibration in their order.
package struct CalibrationHistory: Equatable, Sendable {
  /// A change with its time.
  package struct Entry: Equatable, Sendable {
    /// Seconds from the begin.
    package var time: Double
    /// The change.
    package var change: CalibrationLog.Change
  }

  /// The greatest number of changes that are stored; of further ones the newest replaces the last.
  private static let capacity = 500

  /// The changes.
  package private(set) var entries: [Entry] = []
  /// The number of changes after the start.
  package private(set) var count = 0

  /// When the first calibration was in use, s; nil where there was none.
  package var firstAt: Double? { entries.first { $0.change.calibration != nil }?.time }

  mutating func add(_ change: CalibrationLog.Change, at time: Double) {
    if change.kind != .start { count += 1 }
    if entries.count >= Self.capacity { entries.removeLast() }
    entries.append(Entry(time: time, change: change))
  }
}
