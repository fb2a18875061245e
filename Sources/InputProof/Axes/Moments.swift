/// The second moments of vectors of one length, without their mean removed: a symmetric matrix,
/// allocated once.
struct Moments: Sendable {
  let size: Int
  private var sums: [Double]
  private(set) var count = 0

  init(size: Int) {
    self.size = size
    sums = [Double](repeating: 0, count: size * size)
  }

  /// The sum of the products of two elements.
  subscript(i: Int, j: Int) -> Double { i <= j ? sums[i * size + j] : sums[j * size + i] }

  /// Adds a vector of `size` elements.
  mutating func add(_ vector: UnsafeBufferPointer<Double>) {
    let size = size
    sums.withUnsafeMutableBufferPointer { sums in
      for i in 0..<size {
        let value = vector[i]
        for j in i..<size { sums[i * size + j] += value * vector[j] }
      }
    }
    count += 1
  }

  mutating func clear() {
    for i in sums.indices { sums[i] = 0 }
    count = 0
  }

  /// The sum of the products of two linear forms of the vector.
  func product(_ a: LinearForm, _ b: LinearForm) -> Double {
    var sum = 0.0
    for i in 0..<a.count {
      let (index, factor) = a[i]
      for j in 0..<b.count {
        let (other, weight) = b[j]
        sum += factor * weight * self[index, other]
      }
    }
    return sum
  }
}

/// A linear form with at most eight terms.
struct LinearForm {
  private var indices = SIMD8<Int>.zero
  private var factors = SIMD8<Double>.zero
  private(set) var count = 0

  subscript(i: Int) -> (index: Int, factor: Double) { (indices[i], factors[i]) }

  mutating func add(_ index: Int, _ factor: Double) {
    (indices[count], factors[count]) = (index, factor)
    count += 1
  }
}
