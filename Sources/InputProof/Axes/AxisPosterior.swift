import Quantities
import RealModule

/// Which sensor, if any, has wrong axes: no fault, or one of the 47 wrong axes of one of three
/// sensors.
///
/// A wrong sensor changes the two relations that it takes part in and leaves the third one, so that
/// the relations together name it. Two faults at a time are not considered: the more plausible one
/// is named first.
struct AxisPosterior: Sendable {
  /// Prior probabilities that a sensor has wrong axes, for recordings without a board file. A
  /// magnetometer is a chip of its own in any orientation; gyroscope and accelerometer are one
  /// chip, so their axes differ at most by a mirror.
  private static let prior = (
    field: 0.11, mirroredRate: 0.02, rate: 0.003, force: 0.01, forceTurned: 0.002
  )
  /// The prior of an accelerometer that reports accelerations with the opposite sign, as some
  /// programs do.
  private static let opposite = 0.01
  /// Factor on the accelerometer's priors without a gyroscope.
  private static let forceAlone = 0.1
  /// Factor on all priors without a gyroscope: only tilting the board then shows a mirrored
  /// magnetometer.
  private static let withoutGyroscope = 3.2
  /// Factor on all priors where the mount has a source.
  static let sourced = 0.05

  /// The probability of no fault.
  private(set) var none: Double
  /// The probability that a sensor is at fault, the best of its axes, and the probability of these
  /// and their mirror image.
  private(set) var field: Suspect
  private(set) var rate: Suspect
  private(set) var force: Suspect

  struct Suspect: Sendable {
    var probability = 0.0
    var prior = 0.0
    var axes = SignedAxes.identity
    var ofAxes = 0.0
    var ofOpposite = 0.0
    /// The probability of the mirror image of the right axes, which an unknown place does not show.
    var ofMirror = 0.0
    /// The prior of all wrong axes but the mirror image.
    var priorOfOthers = 0.0

    /// The probability of axes that differ from the right ones and their mirror image, relative to
    /// the prior.
    var remaining: Double { priorOfOthers > 0 ? (probability - ofMirror) / priorOfOthers : 1 }
  }

  /// - Parameters:
  ///   - turning: Gyroscope against gravity.
  ///   - fieldTurning: Gyroscope against the field.
  ///   - dip: Field against gravity.
  ///   - given: Factor on the priors: 1, or `sourced`.
  ///   - hasGyroscope: False: only field and gravity are compared, and mainly the magnetometer is
  ///     suspected.
  init(
    turning: AxisOdds, fieldTurning: AxisOdds, dip: AxisOdds, share given: Double,
    hasGyroscope: Bool
  ) {
    let share = hasGyroscope ? given : given * Self.withoutGyroscope
    let ofForce = hasGyroscope ? 1.0 : Self.forceAlone
    let evidence = (turning: turning, fieldTurning: fieldTurning, dip: dip)
    let faultless = -(turning[0] + fieldTurning[0] + dip[0])
    var suspects = (Suspect(), Suspect(), Suspect())
    // The largest exponent, so that none overflows.
    var largest = faultless
    for index in 1..<SignedAxes.count {
      let (a, b, c) = Self.logs(index, evidence)
      largest = max(largest, a, b, c)
    }
    var total = 0.0
    func add(_ suspect: inout Suspect, _ index: Int, _ log: Double, _ prior: Double) {
      let weight = prior * share * Double.exp(log - largest)
      suspect.prior += prior * share
      suspect.probability += weight
      if SignedAxes(index: index).isInversion {
        suspect.ofMirror = weight
      } else {
        suspect.priorOfOthers += prior * share
      }
      if weight > suspect.ofAxes {
        (suspect.axes, suspect.ofAxes) = (SignedAxes(index: index), weight)
      }
      total += weight
    }
    for index in 1..<SignedAxes.count {
      let (a, b, c) = Self.logs(index, evidence)
      let axes = SignedAxes(index: index)
      add(&suspects.0, index, a, Self.prior.field / 47)
      add(
        &suspects.1, index, b,
        axes.isMirrored ? Self.prior.mirroredRate / 24 : Self.prior.rate / 23)
      add(&suspects.2, index, c, ofForce * Self.forcePrior(axes))
    }
    let wrong = suspects.0.prior + suspects.1.prior + suspects.2.prior
    let right = (1 - wrong) * Double.exp(faultless - largest)
    total += right
    none = right / total
    func finish(_ suspect: Suspect, _ log: (SignedAxes) -> (Double, Double)) -> Suspect {
      var s = suspect
      s.probability /= total
      s.ofMirror /= total
      s.ofAxes /= total
      let (exponent, prior) = log(suspect.axes.opposite)
      s.ofOpposite = prior * share * Double.exp(exponent - largest) / total
      return s
    }
    field = finish(suspects.0) {
      (Self.logs($0.index, evidence).0, $0 == .identity ? 0 : Self.prior.field / 47)
    }
    rate = finish(suspects.1) { _ in (0, 0) }
    force = finish(suspects.2) {
      (Self.logs($0.index, evidence).2, ofForce * Self.forcePrior($0))
    }
  }

  /// The prior of one of the accelerometer's wrong axes.
  private static func forcePrior(_ axes: SignedAxes) -> Double {
    if axes == .identity { return 0 }
    if axes.isInversion { return opposite }
    return (axes.isMirrored ? prior.force : prior.forceTurned) / 23
  }

  /// The logarithms of the likelihoods of these axes for field, rate and force.
  private static func logs(
    _ index: Int, _ evidence: (turning: AxisOdds, fieldTurning: AxisOdds, dip: AxisOdds)
  ) -> (Double, Double, Double) {
    let axes = SignedAxes(index: index)
    // Turned axes P of a sensor measure the cross product as det(P) P.
    let turned = axes.isMirrored ? axes.opposite.index : index
    return (
      -(evidence.turning[0] + evidence.fieldTurning[turned] + evidence.dip[index]),
      -(evidence.turning[axes.inverse.index] + evidence.fieldTurning[axes.inverse.index]
        + evidence.dip[0]),
      -(evidence.turning[turned] + evidence.fieldTurning[0] + evidence.dip[axes.inverse.index])
    )
  }
}
