internal import Fusion
package import Quantities

/// Detects a marked change of the magnetic field around the board: another place, or new iron
/// nearby.
///
/// Strength and inclination are compared with those at the last detected change. Where the magnetic
/// model gives the expected field, its change over the distance travelled is removed. A passing car
/// disturbs the field for seconds only, so a change has to persist.
package struct MarkedFieldChange {
  /// The relative change of the strength. Such iron turns a heading by up to about ten degrees.
  package static let strength = 0.2
  /// The change of the inclination, of a similar effect on the heading.
  package static let inclination = Angle(degrees: 10)
  /// Seconds for which the change has to persist.
  package static let persistence = 10.0

  private var reference: (isOfModel: Bool, strength: Double, dip: Double)?
  private var since: Timestamp?

  /// Makes a detector without a reference field.
  package init() {}

  /// Processes an estimate; returns true once for each change.
  package mutating func isMarked(_ estimate: Estimate) -> Bool {
    guard let field = estimate.earthField, field.total > 0 else { return false }
    let model = estimate.modelField
    let seen = (
      isOfModel: model != nil, strength: field.total / (model?.total ?? 1),
      dip: field.dip.radians - (model?.dip.radians ?? 0)
    )
    guard let reference, reference.isOfModel == seen.isOfModel else {
      // No comparable reference: the unit is microtesla without the model, a ratio with it.
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
