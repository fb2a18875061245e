import Quantities

/// The distribution of a quantity in bounded memory, for quantiles: classes of equal width.
package struct WeightedHistogram: Equatable, Sendable {
  private var weights: [Double]
  private let least: Double
  private let width: Double
  /// The sum of the weights.
  package private(set) var total = 0.0
  private var sum = 0.0
  /// The least and the greatest value; nil without any.
  package private(set) var range: ClosedRange<Double>?

  /// An empty histogram.
  /// - Parameters:
  ///   - range: The values that the classes cover; others count in the first or the last class.
  ///   - width: The width of a class: the error of a quantile.
  package init(_ range: ClosedRange<Double>, width: Double) {
    (least, self.width) = (range.lowerBound, width)
    weights = Array(
      repeating: 0,
      count: max(1, Int(bounded: ((range.upperBound - range.lowerBound) / width).rounded(.up))))
  }

  /// Adds a value with a weight, such as the seconds for which it holds.
  package mutating func add(_ value: Double, weight: Double = 1) {
    guard value.isFinite, weight > 0 else { return }
    let place = Int(bounded: ((value - least) / width).rounded(.down))
    weights[min(max(0, place), weights.count - 1)] += weight
    total += weight
    sum += weight * value
    range =
      range.map { min($0.lowerBound, value)...max($0.upperBound, value) } ?? value...value
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

  /// The share of the weight below a limit at the edge of a class; nil without values.
  package func share(below limit: Double) -> Double? {
    guard total > 0 else { return nil }
    let count = Int(bounded: ((limit - least) / width).rounded())
    return weights.prefix(max(0, count)).reduce(0, +) / total
  }
}
