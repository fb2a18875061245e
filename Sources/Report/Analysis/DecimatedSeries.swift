import Quantities

/// A series over time in bounded memory: the time is divided into equal intervals of which the
/// least and the greatest value are stored; the intervals become longer as the series does.
/// Extremes are never lost.
package struct DecimatedSeries: Equatable, Sendable {
  /// One interval.
  package struct Interval: Equatable, Sendable {
    /// The time of the first and the last value, s.
    package var first: Double
    package var last: Double
    /// The least and the greatest value.
    package var low: Double
    package var high: Double
    /// Whether the least value came before the greatest.
    package var isLowFirst: Bool
    /// Whether values were missing before it: a line ends there.
    package var startsLine: Bool
  }

  /// The intervals, in order of time.
  package private(set) var intervals: [Interval] = []
  private let capacity: Int
  /// The length of an interval, s; short at first, as it doubles only when the capacity is reached.
  private var width = 1e-3
  private var start = 0.0
  private var isInterrupted = true

  /// An empty series.
  /// - Parameter capacity: The greatest number of intervals; each is drawn with two points.
  package init(capacity: Int = 700) { self.capacity = max(2, capacity) }

  /// Adds a value; one that is not finite interrupts the series.
  package mutating func add(_ value: Double, at time: Double) {
    guard value.isFinite, time.isFinite else { return interrupt() }
    if intervals.isEmpty { start = time }
    while time - start >= width * Double(capacity) { widen() }
    defer { isInterrupted = false }
    guard let last = intervals.last, !isInterrupted, index(time) <= index(last.first) else {
      if intervals.count >= capacity { widen() }
      intervals.append(
        Interval(
          first: time, last: time, low: value, high: value, isLowFirst: true,
          startsLine: isInterrupted))
      return
    }
    let newest = intervals.count - 1
    intervals[newest].last = max(last.last, time)
    if value < last.low { (intervals[newest].low, intervals[newest].isLowFirst) = (value, false) }
    if value > last.high { (intervals[newest].high, intervals[newest].isLowFirst) = (value, true) }
  }

  /// Marks that values are missing: the line ends.
  package mutating func interrupt() { isInterrupted = true }

  /// The range of all values; nil without any.
  package var range: ClosedRange<Double>? {
    guard let low = intervals.map(\.low).min(), let high = intervals.map(\.high).max() else {
      return nil
    }
    return low...high
  }

  /// The lines of the series: its points in their order, divided where values are missing.
  package var lines: [[PlotPoint]] {
    var lines: [[PlotPoint]] = []
    var before: Interval?
    let gap = longestStep
    for interval in intervals {
      if lines.isEmpty || interval.startsLine || interval.first - (before?.last ?? 0) > gap {
        lines.append([])
      }
      let values =
        interval.isLowFirst ? (interval.low, interval.high) : (interval.high, interval.low)
      lines[lines.count - 1].append(PlotPoint(x: interval.first, y: values.0))
      if interval.low < interval.high {
        lines[lines.count - 1].append(PlotPoint(x: interval.last, y: values.1))
      }
      before = interval
    }
    return lines
  }

  /// The longest step between intervals that a line is drawn over, s: five usual ones.
  private var longestStep: Double {
    let steps = zip(intervals, intervals.dropFirst()).map { $1.first - $0.last }.sorted()
    guard !steps.isEmpty else { return .infinity }
    return max(5 * steps[steps.count / 2], 2 * width)
  }

  private func index(_ time: Double) -> Double { ((time - start) / width).rounded(.down) }

  /// Doubles the intervals' length and joins those that then coincide.
  private mutating func widen() {
    width *= 2
    var joined: [Interval] = []
    joined.reserveCapacity(intervals.count)
    for interval in intervals {
      guard let last = joined.last, index(last.first) == index(interval.first),
        // At the capacity also lines are joined: memory is bounded.
        !interval.startsLine || intervals.count >= capacity
      else {
        joined.append(interval)
        continue
      }
      joined[joined.count - 1].last = interval.last
      let (isLower, isHigher) = (interval.low < last.low, interval.high > last.high)
      joined[joined.count - 1].low = min(last.low, interval.low)
      joined[joined.count - 1].high = max(last.high, interval.high)
      if isLower || isHigher {
        joined[joined.count - 1].isLowFirst =
          isLower && isHigher ? interval.isLowFirst : isHigher
      }
    }
    intervals = joined
  }
}

/// Makes an angle that jumps by a turn continuous.
package struct ContinuousAngle: Equatable, Sendable {
  private var newest: Double?

  /// A beginning.
  package init() {}

  /// The angle, degrees, with so many turns that it is nearest to the one before.
  package mutating func next(_ degrees: Double) -> Double {
    let value = newest.map { degrees - 360 * ((degrees - $0) / 360).rounded() } ?? degrees
    newest = value
    return value
  }

  /// The angle, degrees, nearest to the newest one, which stays.
  package func nearest(_ degrees: Double) -> Double {
    newest.map { degrees - 360 * ((degrees - $0) / 360).rounded() } ?? degrees
  }
}
