import InputProof
import Quantities

/// The unit and the range of the sensors, and, without a gyroscope, the axes of the magnetometer against gravity: by `InputProof`,
/// as while the board runs.
enum ScaleRule {
  static func findings(_ data: CheckData) -> [CheckFinding] {
    var proof = InputProof(hasSourcedMount: data.board.areAxesStated)
    if let field = data.modelField { proof.expect(field) }
    for row in data.rows { proof.add(row) }
    guard let fault = proof.verdicts.fault else { return [] }
    let device: String =
      switch fault.quantity {
      case .field: data.name(of: .field)
      case .rate, .force: data.name(of: .inertia)
      case .pressure: data.name(of: .pressure)
      }
    switch fault {
    case .scale(_, let factor):
      return [
        CheckFinding(
          .wrongScale, on: device, "\(fault)",
          figure: "true values are \(Figures.fixed(factor, 4)) times as large",
          remedy: fault.remedy)
      ]
    case .axes where !data.hasGyroscope:
      return [
        CheckFinding(
          .wrongMount, on: device, "\(fault)", figure: "by field and gravity alone",
          remedy: fault.remedy)
      ]
    // The rules with a gyroscope name chip and axis.
    case .axes, .disagreement: return []
    }
  }
}
