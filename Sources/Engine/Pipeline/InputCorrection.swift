import Quantities

/// The correction of samples whose axes or unit are proven to be wrong.
struct InputCorrection: Sendable {
  private var factors: [SampleQuantity: Matrix3] = [:]

  /// True while nothing is corrected.
  var isNone: Bool { factors.isEmpty }

  /// Takes over what is proven beside what was corrected before.
  /// - Returns: False where no single correction fits, as in an unknown place with a mirror image that fits as well.
  mutating func add(_ fault: InputVerdicts.Fault) -> Bool {
    let matrix: Matrix3
    switch fault {
    case .disagreement, .axes(_, _, isMirrorOpen: true), .delay, .clock, .forward, .pressure:
      return false
    case .axes(_, let axes, _): matrix = axes.matrix.transposed
    case .scale(let quantity, let factor):
      // A unit is exact, the strength that showed it is not.
      guard let unit = SampleUnit.fitting(factor, quantity) else { return false }
      matrix = Matrix3.identity * unit.factor
    }
    guard let quantity = fault.quantity else { return false }
    factors[quantity] = matrix * (factors[quantity] ?? .identity)
    return true
  }

  /// Corrects all samples of a row.
  func correct(_ row: SensorSamples) -> SensorSamples {
    var row = row
    for (quantity, matrix) in factors { row.multiply(quantity, by: matrix) }
    return row
  }
}
