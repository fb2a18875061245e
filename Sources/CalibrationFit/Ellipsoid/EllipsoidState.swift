import Quantities

/// The unknowns of the ellipsoid fit as one vector: the shape's rows (0 to 8), the offset (9 to 11,
/// microtesla), the earth field's strength (12, microtesla) and dip (13, radians). The last two of
/// the sixteen are unused zeros for the vector registers.
struct EllipsoidState: Equatable, Sendable {
  var numbers = SIMD16<Double>.zero

  /// Number of used elements.
  static var order: Int { 14 }
  static var strengthIndex: Int { 12 }
  static var dipIndex: Int { 13 }

  init(shape: Matrix3, offset: SIMD3<Double>, strength: Double, dip: Double) {
    for i in 0..<3 {
      for j in 0..<3 { numbers[3 * i + j] = shape[i, j] }
      numbers[9 + i] = offset[i]
    }
    (numbers[12], numbers[13]) = (strength, dip)
  }

  var shape: Matrix3 {
    let n = numbers
    return Matrix3(rows: SIMD3(n[0], n[1], n[2]), SIMD3(n[3], n[4], n[5]), SIMD3(n[6], n[7], n[8]))
  }
  var offset: SIMD3<Double> { SIMD3(numbers[9], numbers[10], numbers[11]) }
  var strength: Double {
    get { numbers[12] }
    set { numbers[12] = newValue }
  }
  var dip: Double {
    get { numbers[13] }
    set { numbers[13] = newValue }
  }

  /// True for a distortion that a board can have: not mirrored, not flat, with a plausible field.
  var isPossible: Bool {
    let d = shape.determinant
    return d > 0.1 && d < 10 && strength > 5 && strength < 150 && abs(dip) <= Double.pi / 2
  }
}
