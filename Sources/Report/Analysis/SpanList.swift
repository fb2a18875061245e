/// Spans of time in which something holds, in bounded memory: beyond the capacity the nearest two
/// are joined for the drawing; the figures stay exact.
package struct SpanList: Equatable, Sendable {
  /// The greatest number of spans that are drawn.
  private static let capacity = 100

  /// The spans, s.
  package private(set) var spans: [ClosedRange<Double>] = []
  /// The number of spans.
  package private(set) var count = 0
  /// The longest span; nil without any.
  package private(set) var longest: ClosedRange<Double>?
  /// The time within spans, s.
  package private(set) var seconds = 0.0
  private var begin: Double?

  /// No spans.
  package init() {}

  /// Adds an instant.
  package mutating func add(_ holds: Bool, at time: Double) {
    if holds {
      if begin == nil {
        begin = time
        count += 1
      }
    } else {
      end(at: time)
    }
  }

  /// Ends the span that has begun.
  package mutating func end(at time: Double) {
    guard let begin else { return }
    self.begin = nil
    let span = begin...max(begin, time)
    spans.append(span)
    seconds += span.upperBound - span.lowerBound
    if longest.map({ $0.upperBound - $0.lowerBound < time - begin }) ?? true { longest = span }
    guard spans.count > Self.capacity else { return }
    let gaps = zip(spans, spans.dropFirst()).map { $1.lowerBound - $0.upperBound }
    guard let nearest = gaps.indices.min(by: { gaps[$0] < gaps[$1] }) else { return }
    spans[nearest] = spans[nearest].lowerBound...spans[nearest + 1].upperBound
    spans.remove(at: nearest + 1)
  }
}
