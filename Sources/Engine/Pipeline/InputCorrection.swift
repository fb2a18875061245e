import Quantities

/// The correction of samples whose axes or unit are proven to be wrong.
struct InputCorrection: Sendable {
  private var field: Matrix3?
  private var rate: Matrix3?
  private var force: Matrix3?
  private var pressure: Double?

  /// True while nothing is corrected.
  var isNone: Bool { field == nil && rate == nil && force == nil && pressure == nil }

  /// Takes over what is proven beside what was corrected before.
  /// - Returns: False where no single correction fits, as in an unknown place with a mirror image that fits as well.
  mutating func add(_ fault: InputVerdicts.Fault) -> Bool {
    let matrix: Matrix3
    switch fault {
    case .disagreement, .axes(_, _, isMirrorOpen: true): return false
    case .axes(_, let axes, _): matrix = axes.matrix.transposed
    case .scale(let quantity, let factor):
      // A unit is exact, the strength that showed it is not.
      guard let unit = SampleUnit.fitting(factor, quantity) else { return false }
      if quantity == .pressure {
        pressure = (pressure ?? 1) * unit.factor
        return true
      }
      matrix = Matrix3.identity * unit.factor
    }
    switch fault.quantity {
    case .field: field = matrix * (field ?? .identity)
    case .rate: rate = matrix * (rate ?? .identity)
    case .force: force = matrix * (force ?? .identity)
    case .pressure: return false
    }
    return true
  }

  /// Corrects all samples of a row.
  func correct(_ row: SensorSamples) -> SensorSamples {
    var row = row
    if let field, let sample = row.field {
      row.field?.field = MagneticField(components: field * sample.field.components)
    }
    if let rate, let value = row.inertial?.angularRate {
      row.inertial?.angularRate = AngularRate(components: rate * value.components)
    }
    if let force, let value = row.inertial?.specificForce {
      row.inertial?.specificForce = SpecificForce(components: force * value.components)
    }
    if let pressure { row.pressure?.hectopascal *= pressure }
    return row
  }
}
