import Quantities
import RealModule

/// The intervals between the samples of one sensor: rate, jitter, gaps.
package struct SensorIntervals: Equatable, Sendable {
  /// An interval above this multiple of the median is a gap.
  package static let gapFactor = 2.5
  /// Classes of the intervals' logarithm for each power of ten.
  private static let classes = 200
  /// The logarithm of the shortest interval with a class of its own, 1 µs, and of the longest, 10
  /// 000 s.
  private static let logarithms = (-6, 4)

  private struct Class: Equatable {
    var count = 0
    /// Sums of the deviation from the first interval, and of its square, s and s².
    var sum = 0.0
    var squares = 0.0
  }

  /// The number of samples.
  package private(set) var count = 0
  /// The number of samples with the time of the one before, or an earlier one.
  package private(set) var disordered = 0
  /// The longest interval with its beginning, s.
  package private(set) var longest: (seconds: Double, from: Double)?
  /// The intervals over time, as logarithms of seconds.
  package private(set) var series = DecimatedSeries()
  private var classes: [Class] = []
  private var first: Timestamp?
  private var newest: Timestamp?
  private var reference = 0.0

  /// No samples.
  package init() {}

  /// Adds a sample.
  /// - Parameters:
  ///   - instant: Its time.
  ///   - start: The time of the recording's begin.
  package mutating func add(_ instant: Timestamp, start: Timestamp) {
    count += 1
    first = first ?? instant
    defer { newest = max(newest ?? instant, instant) }
    guard let newest else { return }
    let interval = instant.seconds(since: newest)
    guard interval > 0 else {
      disordered += 1
      return
    }
    if classes.isEmpty {
      let (low, high) = Self.logarithms
      classes = Array(repeating: Class(), count: (high - low) * Self.classes)
      reference = interval
    }
    let logarithm = Double.log10(interval)
    let place = Int(bounded: ((logarithm - Double(Self.logarithms.0)) * Double(Self.classes)))
    let index = min(max(0, place), classes.count - 1)
    classes[index].count += 1
    classes[index].sum += interval - reference
    classes[index].squares += (interval - reference) * (interval - reference)
    let from = newest.seconds(since: start)
    if interval > longest?.seconds ?? 0 { longest = (interval, from) }
    series.add(logarithm, at: instant.seconds(since: start))
  }

  /// The usual interval, s: the mean of the class of the median; nil below two samples.
  package var median: Double? {
    var rest = (intervalCount + 1) / 2
    guard rest > 0 else { return nil }
    for entry in classes where entry.count > 0 {
      rest -= entry.count
      if rest <= 0 { return reference + entry.sum / Double(entry.count) }
    }
    return nil
  }

  /// Samples a second over the whole time; nil below two samples.
  package var rate: Double? {
    guard let first, let newest, newest > first, intervalCount > 0 else { return nil }
    return Double(count - 1) / newest.seconds(since: first)
  }

  /// The deviation of the intervals that are no gaps from their mean, root mean square, s; nil
  /// below two samples.
  package var jitter: Double? {
    let usual = split.usual
    guard usual.count > 0 else { return nil }
    let n = Double(usual.count)
    return max(0, usual.squares / n - usual.sum / n * (usual.sum / n)).squareRoot()
  }

  /// The number of gaps, and their whole length, s.
  package var gaps: (count: Int, seconds: Double) {
    let gaps = split.gaps
    return (gaps.count, gaps.sum + reference * Double(gaps.count))
  }

  private var intervalCount: Int { classes.reduce(0) { $0 + $1.count } }

  /// The sums of usual intervals and of gaps; a class counts as a whole.
  private var split: (usual: Class, gaps: Class) {
    var (usual, gaps) = (Class(), Class())
    let limit = (median ?? .infinity) * Self.gapFactor
    for entry in classes where entry.count > 0 {
      let mean = reference + entry.sum / Double(entry.count)
      func add(to sum: inout Class) {
        sum.count += entry.count
        sum.sum += entry.sum
        sum.squares += entry.squares
      }
      if mean > limit { add(to: &gaps) } else { add(to: &usual) }
    }
    return (usual, gaps)
  }

  /// True if both are equal.
  package static func == (a: Self, b: Self) -> Bool {
    a.count == b.count && a.disordered == b.disordered && a.classes == b.classes
      && a.series == b.series && a.first == b.first && a.newest == b.newest
  }
}
