import Quantities

/// The correction of samples whose axes or unit are proven to be wrong.
struct InputCorrection: Sendable {
  /// How far an accelerometer's mean of gravity may be off, as a share.
  private static let tolerance = 0.1
  private var factors: [SampleQuantity: Matrix3] = [:]

  /// True while nothing is corrected.
  var isNone: Bool { factors.isEmpty }

  /// Adds the newly proven corrections to the earlier ones.
  /// - Parameters:
  ///   - fault: The fault that was found.
  ///   - lookAlikes: Factors of the force for the case that the chip is not the named one, but
  ///     another one with the same identity register.
  /// - Returns: False where no single correction fits, as when the mirror image of the axes fits
  ///   too because the place is unknown.
  mutating func add(_ fault: InputVerdicts.Fault, lookAlikes: [Double] = []) -> Bool {
    let matrix: Matrix3
    switch fault {
    case .disagreement, .axes(_, _, isMirrorOpen: true), .delay, .clock, .forward, .pressure,
      .stopped:
      return false
    case .axes(_, let axes, _): matrix = axes.matrix.transposed
    case .scale(let quantity, let factor):
      // The factors of units and chips are exact, the measured factor is not.
      let other =
        quantity == .force ? lookAlikes.first { abs(factor / $0 - 1) < Self.tolerance } : nil
      guard let exact = SampleUnit.fitting(factor, quantity)?.factor ?? other else { return false }
      matrix = Matrix3.identity * exact
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
