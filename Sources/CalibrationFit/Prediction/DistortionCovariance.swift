import Quantities

/// The covariance of a distortion's twelve numbers: the shape's rows, then the offset (microtesla).
public struct DistortionCovariance: Equatable, Sendable {
  /// Number of rows and columns.
  public static var order: Int { 12 }
  /// The 144 elements, rows first.
  public private(set) var elements: [Double]

  /// Makes a zero covariance.
  public init() { elements = Array(repeating: 0, count: Self.order * Self.order) }

  /// Makes a covariance from 144 elements, rows first.
  /// - Returns: nil if the count is wrong, an element is not finite, or a variance is negative.
  public init?(elements: [Double]) {
    guard elements.count == Self.order * Self.order, elements.allSatisfy({ $0.isFinite }),
      (0..<Self.order).allSatisfy({ elements[$0 * (Self.order + 1)] >= 0 })
    else { return nil }
    self.elements = elements
  }

  /// The element of a row and a column, 0 to 11.
  public subscript(row: Int, column: Int) -> Double {
    get { elements[row * Self.order + column] }
    set { elements[row * Self.order + column] = newValue }
  }

  /// The variance of a linear combination with these factors.
  func variance(along factors: [Double]) -> Double {
    var sum = 0.0
    for i in 0..<Self.order {
      for j in 0..<Self.order { sum += factors[i] * self[i, j] * factors[j] }
    }
    return max(0, sum)
  }
}
