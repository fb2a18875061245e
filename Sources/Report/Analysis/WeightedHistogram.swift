import Quantities

/// The distribution of a quantity in bounded memory, for quantiles: classes of equal width, which
/// doubles where a value lies beyond them all.
package struct WeightedHistogram: Equatable, Sendable {
  private var weights: [Double]
  private var least: Double
  private var width: Double
  /// The sum of the weights.
  package private(set) var total = 0.0
  private var sum = 0.0
  /// The least and the greatest value; nil without any.
  package private(set) var range: ClosedRange<Double>?

  /// An empty histogram.
  /// - Parameters:
  ///   - range: The values that the classes cover at first.
  ///   - width: The width of a class: the error of a quantile.
  package init(_ range: ClosedRange<Double>, width: Double) {
    (least, self.width) = (range.lowerBound, width)
    let count = Int(bounded: ((range.upperBound - range.lowerBound) / width / 2).rounded(.up))
    weights = Array(repeating: 0, count: 2 * max(1, count))
  }

  /// Adds a value with a weight, such as the seconds for which it holds.
  package mutating func add(_ value: Double, weight: Double = 1) {
    guard value.isFinite, weight > 0 else { return }
    cover(value)
    let place = Int(bounded: ((value - least) / width).rounded(.down))
    weights[min(max(0, place), weights.count - 1)] += weight
    total += weight
    sum += weight * value
    range =
      range.map { min($0.lowerBound, value)...max($0.upperBound, value) } ?? value...value
  }

  /// Doubles the width until the classes cover a value. A value that is no measurement, a million
  /// times beyond, counts in the outermost class.
  private mutating func cover(_ value: Double) {
    for _ in 0..<20 {
      let span = width * Double(weights.count)
      let isBelow = value < least
      guard isBelow || value >= least + span else { return }
      let half = weights.count / 2
      var joined = [Double](repeating: 0, count: weights.count)
      let first = isBelow ? half : 0
      for i in 0..<half { joined[first + i] = weights[2 * i] + weights[2 * i + 1] }
      weights = joined
      if isBelow { least -= span }
      width *= 2
    }
  }

  /// The mean; nil without values.
  package var mean: Double? { total > 0 ? sum / total : nil }

  /// The median; nil without values.
  package var median: Double? { quantile(0.5) }

  /// The value that a share of the weight lies below; nil without values.
  package func quantile(_ share: Double) -> Double? {
    guard total > 0, let range else { return nil }
    var rest = share * total
    for (index, weight) in weights.enumerated() where weight > 0 {
      if rest <= weight {
        let value = least + (Double(index) + rest / weight) * width
        return min(max(value, range.lowerBound), range.upperBound)
      }
      rest -= weight
    }
    return range.upperBound
  }

  /// The share of the weight below a limit, to a class; nil without values.
  package func share(below limit: Double) -> Double? {
    guard total > 0 else { return nil }
    let count = Int(bounded: ((limit - least) / width).rounded())
    return weights.prefix(max(0, count)).reduce(0, +) / total
  }
}
