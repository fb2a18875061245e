import Quantities

extension DeviationModel {
  /// How many numbers a model is stored as.
  public static var storedCount: Int { 33 }

  /// The model as numbers, to be stored: the forward row and the rightward row (microtesla), then the rows
  /// of the covariance blocks forward-forward, forward-rightward and rightward-rightward (microtesla²).
  /// The floor of the error is not in it: it belongs to the way.
  public var stored: [Double] {
    var numbers: [Double] = []
    let blocks = [covariance.xx, covariance.xy, covariance.yy]
    let rows = [forward, rightward] + blocks.flatMap { [$0.r0, $0.r1, $0.r2] }
    for row in rows { numbers += [row.x, row.y, row.z] }
    return numbers
  }

  /// Takes up what was stored.
  ///
  /// It is nil where there are not so many numbers, or they are no model: one is not finite, or a variance
  /// is negative.
  public init?(stored numbers: [Double]) {
    guard numbers.count == Self.storedCount else { return nil }
    func row(_ k: Int) -> SIMD3<Double> {
      SIMD3(numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2])
    }
    func block(_ k: Int) -> Matrix3 { Matrix3(rows: row(k), row(k + 1), row(k + 2)) }
    self.init(forward: row(0), rightward: row(1), sigmas: .zero)
    (covariance.xx, covariance.xy, covariance.yy) = (block(2), block(5), block(8))
    guard forward.isFinite, rightward.isFinite, covariance.isValid else { return nil }
  }
}
