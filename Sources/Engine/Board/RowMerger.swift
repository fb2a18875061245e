import Quantities
import Recording

/// Puts the samples of several chips and buses in order of time. A field or pressure sample waits until
/// inertial samples cover its instant, so that it meets the attitude of that instant.
package struct RowMerger {
  /// No sample waits longer than this, ns: the inertial unit may be late, or gone.
  private static let patience: UInt64 = 30_000_000

  private var waiting: [SensorRow] = []
  private var covered = Timestamp(nanoseconds: 0)
  private var handedOut = Timestamp(nanoseconds: 0)

  package init() {}

  /// Takes a sample in.
  package mutating func put(_ row: SensorRow) {
    if row.inertial != nil { covered = max(covered, row.timestamp) }
    let place = waiting.lastIndex { $0.timestamp <= row.timestamp }.map { $0 + 1 } ?? 0
    waiting.insert(row, at: place)
  }

  /// Hands out what need not wait any longer, in order of time. Nothing waits where `expectsInertia` is
  /// false: no inertial unit is in service.
  package mutating func take(
    at now: Timestamp, expectsInertia: Bool, _ deliver: (SensorRow) -> Void
  ) {
    var taken = 0
    for row in waiting {
      guard
        !expectsInertia || row.timestamp <= covered
          || row.timestamp.advanced(byNanoseconds: Self.patience) <= now
      else { break }
      taken += 1
      // Attitude is carried forward only. A field or pressure sample that its chip averaged for long comes
      // late and is still worth having.
      if row.inertial != nil {
        guard row.timestamp > handedOut else { continue }
        handedOut = row.timestamp
      }
      deliver(row)
    }
    waiting.removeFirst(taken)
  }
}
