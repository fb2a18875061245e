import Chips
import InputProof
import Quantities

/// The unit and the range of the sensors, their stamps, the barometer, and, without a gyroscope,
/// the axes of the magnetometer against gravity: by `InputProof`, as while the board runs.
enum ScaleRule {
  static func findings(_ data: CheckData) -> [CheckFinding] {
    var proof = InputProof(hasSourcedMount: data.board.areAxesStated)
    if let field = data.modelField { proof.expect(field) }
    for row in data.rows { proof.add(row) }
    guard let fault = proof.verdicts.fault else { return [] }
    let quantity: ChipModel.Quantity? =
      switch fault.quantity {
      case .field: .field
      case .rate, .force: .inertia
      case .pressure: .pressure
      case nil: nil
      }
    let device = quantity.map { data.name(of: $0) } ?? "board"
    let chip = quantity.flatMap { data.chips($0).first?.sensor.chip }
    let remedy = [chip?.lookAlikeRemedy, fault.remedy].compactMap { $0 }.joined(
      separator: "; else ")
    func finding(_ kind: CheckFinding.Kind, figure: String) -> CheckFinding {
      CheckFinding(kind, on: device, "\(fault)", figure: figure, remedy: remedy)
    }
    switch fault {
    case .scale(_, let factor):
      let figure = "true values are \(CheckFigures.fixed(factor, 4)) times as large"
      return [finding(.wrongScale, figure: figure)]
    case .axes where !data.hasGyroscope:
      return [finding(.wrongMount, figure: "by field and gravity alone")]
    case .pressure:
      return [finding(.wrongScale, figure: "by its own samples and a receiver's height")]
    case .delay: return [finding(.timing, figure: "by the turns of the board")]
    case .clock: return [finding(.timing, figure: "by the receiver's time")]
    // The rules with a gyroscope name chip and axis, and that of the course the mount.
    case .axes, .disagreement, .forward, .stopped: return []
    }
  }
}
