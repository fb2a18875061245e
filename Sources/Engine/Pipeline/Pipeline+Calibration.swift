import CalibrationFit
import Fusion
import Quantities
import RealModule
import Storage

/// The calibration in use, its accuracy, and the change to another one.
extension Pipeline {
  /// Interval between reports of the learnt deviation, s: it changes in hours.
  private static var deviationInterval: Double { 3600.0 }

  /// Largest turn of the field by a new calibration for which the heading is kept, rad.
  private static var largestRecalibration: Double { 0.3 }

  /// Largest change of the field by a new calibration for which the learnt deviation is kept, microtesla.
  private static var smallRecalibration: Double { 2.0 }

  /// Upper limit of the iron assumed to remain after a new calibration, one sigma, microtesla.
  private static var largestIronLeft: Double { 2.0 }

  /// Reports the learnt deviation to `onDeviation`, once an hour.
  mutating func offerDeviation(at fix: Fix) {
    let due = deviationOffered.map { fix.timestamp.seconds(since: $0) > Self.deviationInterval }
    guard due ?? true, let keep = configuration.onDeviation,
      let now = fix.utc ?? utc(at: fix.timestamp), let stored = vehicle?.stored(at: now)
    else { return }
    deviationOffered = fix.timestamp
    keep(stored)
  }

  /// Changes to a calibration found by the online calibration.
  mutating func recalibrate(
    _ event: OnlineCalibrationEvent, _ raw: MagneticField<SensorFrame>
  ) {
    configuration.onCalibration?(event)
    guard let committed = event.calibration, let next = AppliedCalibration(committed) else {
      // The old calibration is still applied, but its accuracy is now unknown.
      calibration = .none
      return
    }
    go(over: next, earth: committed.estimate.earthField, raw)
  }

  private mutating func go(
    over next: AppliedCalibration, earth: EarthField, _ raw: MagneticField<SensorFrame>
  ) {
    let turn = applied.flatMap { fieldTurn(of: raw, from: $0.calibration, to: next.calibration) }
    // The remaining error of the calibration, as an angle of the horizontal field.
    let left = next.calibration.predictedHeadingError?.radians ?? 0
    attitude.recalibrate(
      turningFieldBy: turn, earth: earth,
      ironSigma: min(earth.horizontal * left, Self.largestIronLeft))
    let before = applied.map { $0.calibration(raw) } ?? raw
    // The deviation was learnt with the previous calibration. It adapts to small changes by itself; the
    // user's swing is kept.
    if (next.calibration(raw) - before).magnitude > Self.smallRecalibration {
      vehicle = vehicle.map { VehicleDeviation(anewAfter: $0) }
    }
    applied = next
    calibration = .fitted(next.calibration)
  }

  /// Changes to a calibration that the user has made or set; the online calibration continues from it.
  mutating func use(_ given: GivenCalibration, _ raw: MagneticField<SensorFrame>) {
    online?.restart(from: given.estimate)
    if case .fitted(let fitted) = given.choice, let estimate = given.estimate {
      let next = AppliedCalibration(fitted, estimate: estimate)
      go(over: next, earth: estimate.earthField, raw)
      return
    }
    // The earth's field for this calibration is unknown: the attitude estimator starts again.
    attitude = Self.estimator(configuration, mounting)
    calibration = given.choice
    applied = nil
    if case .fitted(let fitted) = given.choice {
      applied = AppliedCalibration(fitted, estimate: nil)
    }
  }

  /// The turn of the horizontal field from the old calibration, with the iron learnt besides it, to the new
  /// one; nil above the limit for which the heading is kept.
  private func fieldTurn(
    of raw: MagneticField<SensorFrame>, from old: MagnetometerCalibration,
    to new: MagnetometerCalibration
  ) -> Angle? {
    guard let attitude = attitude.solution?.attitude else { return nil }
    let before = mounting(old(raw)) - self.attitude.learntIron
    let (a, b) = (attitude(before).components, attitude(mounting(new(raw))).components)
    let turn = Double.atan2(y: a.x * b.y - a.y * b.x, x: a.x * b.x + a.y * b.y)
    return abs(turn) < Self.largestRecalibration ? Angle(radians: turn) : nil
  }

  /// The filter's accuracy combined with the calibration's remaining error; nil without a calibration.
  func accuracy(of solution: AttitudeSolution) -> Angle? {
    guard let accuracy = solution.headingAccuracy else { return nil }
    // The direction of the bow is unknown.
    if configuration.board.hasUnknownMount { return nil }
    switch calibration {
    case .none: return nil
    case .assumed: return accuracy
    case .fitted:
      guard let left = applied?.error(at: solution.attitude * mounting).radians else { return nil }
      return Angle(radians: min(.pi, Self.together(accuracy.radians, 2 * left)))
    }
  }
}
