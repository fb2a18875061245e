import Formats
import Quantities

/// Sorts the samples of several chips and buses by time. A field or pressure sample waits until
/// inertial samples cover its instant, so that it is processed with the attitude of that instant;
/// so does a sample of a gyroscope beside an accelerometer of another chip.
package struct SampleMerger {
  /// Longest delay of a sample, ns: the inertial unit may be late or removed.
  private static let longestDelay: UInt64 = 30_000_000
  /// Longest delay where gyroscope and accelerometer are two chips; one may average for longer.
  private static let longestDelayOfTwo: UInt64 = 100_000_000

  private var hasTwoUnits = false
  private var waiting: [SensorSamples] = []
  /// The newest sample of each kind; nil for one that never came.
  private var newest: (rate: Timestamp?, force: Timestamp?)
  private var handedOut = Timestamp(nanoseconds: 0)

  package init() {}

  /// Inserts a sample.
  package mutating func put(_ row: SensorSamples) {
    if let inertial = row.inertial {
      if inertial.angularRate == nil || inertial.specificForce == nil { hasTwoUnits = true }
      if inertial.angularRate != nil {
        newest.rate = max(newest.rate ?? row.timestamp, row.timestamp)
      }
      if inertial.specificForce != nil {
        newest.force = max(newest.force ?? row.timestamp, row.timestamp)
      }
    }
    let place = waiting.lastIndex { $0.timestamp <= row.timestamp }.map { $0 + 1 } ?? 0
    waiting.insert(row, at: place)
  }

  /// The instant up to which inertial samples have come, and how long a sample waits for them. A
  /// quantity that is missing for longer, as where its chip is lost, is not waited for.
  private var coverage: (until: Timestamp, delay: UInt64) {
    guard let rate = newest.rate, let force = newest.force else {
      return (newest.rate ?? newest.force ?? Timestamp(nanoseconds: 0), Self.longestDelay)
    }
    let (older, newer) = (min(rate, force), max(rate, force))
    let delay = hasTwoUnits ? Self.longestDelayOfTwo : Self.longestDelay
    return newer.nanoseconds - older.nanoseconds > delay
      ? (newer, Self.longestDelay) : (older, delay)
  }

  /// Delivers the samples that need not wait longer, in order of time. All are delivered if
  /// `expectsInertia` is false: no inertial unit is in service.
  package mutating func deliver(
    at now: Timestamp, expectsInertia: Bool, _ deliver: (SensorSamples) -> Void
  ) {
    var taken = 0
    let (covered, delay) = coverage
    for row in waiting {
      guard
        !expectsInertia || row.timestamp <= covered
          || row.timestamp.advanced(byNanoseconds: delay) <= now
      else { break }
      taken += 1
      // Attitude is propagated forward only: a late inertial sample is dropped. A field or pressure
      // sample may be late because its chip averages for long; it is still used.
      if row.inertial != nil {
        guard row.timestamp > handedOut else { continue }
        handedOut = row.timestamp
      }
      deliver(row)
    }
    waiting.removeFirst(taken)
  }
}
