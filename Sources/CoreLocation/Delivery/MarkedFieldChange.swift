internal import Fusion
package import Quantities

/// Notices that the field around the board is markedly another than it was: another place's, or new iron.
///
/// Strength and inclination are compared with those that held when it was noticed last; where the magnetic
/// model tells what the place should have, its own change is taken out, so that a voyage is no change.
/// A car that drives past disturbs for seconds only: the change has to last.
package struct MarkedFieldChange {
  /// The share of the strength. Iron of that size turns a heading by up to about ten degrees.
  package static let strength = 0.2
  /// Of inclination: likewise.
  package static let inclination = Angle(degrees: 10)
  /// Seconds that the change has to last.
  package static let persistence = 10.0

  private var reference: (isOfModel: Bool, strength: Double, dip: Double)?
  private var since: Timestamp?

  /// Makes a watch that has seen nothing.
  package init() {}

  /// Takes an estimate; true once for each change.
  package mutating func isMarked(_ estimate: Estimate) -> Bool {
    guard let field = estimate.earthField, field.total > 0 else { return false }
    let model = estimate.modelField
    let seen = (
      isOfModel: model != nil, strength: field.total / (model?.total ?? 1),
      dip: field.dip.radians - (model?.dip.radians ?? 0)
    )
    guard let reference, reference.isOfModel == seen.isOfModel else {
      // Nothing to compare with: microtesla without the model, shares of its field with it.
      (reference, since) = (seen, nil)
      return false
    }
    let ratio = abs(seen.strength / reference.strength - 1)
    let tilt = abs(seen.dip - reference.dip)
    guard ratio > Self.strength || tilt > Self.inclination.radians else {
      since = nil
      return false
    }
    let start = since ?? estimate.timestamp
    since = start
    guard estimate.timestamp.seconds(since: start) >= Self.persistence else { return false }
    (self.reference, since) = (seen, nil)
    return true
  }
}
