import CalibrationFit
import CalibrationStore
import Fusion
import Quantities
import RealModule

/// Which calibration is in use, how good it is, and how it gives way to another.
extension Pipeline {
  /// What a vehicle's course has taught is offered to be kept so often, s: it changes in hours.
  private static var deviationInterval: Double { 3600.0 }

  /// A calibration that turns the field by more makes north be found anew, rad.
  private static var largestRecalibration: Double { 0.3 }

  /// A calibration that changes the field by less leaves what course has taught, microtesla.
  private static var smallRecalibration: Double { 2.0 }

  /// A new calibration is not taken to leave more iron than this, one sigma, microtesla.
  private static var largestIronLeft: Double { 2.0 }

  /// Offers what was learnt of the vehicle to whoever keeps it, now and then.
  mutating func offerDeviation(at fix: Fix) {
    let due = deviationOffered.map { fix.timestamp.seconds(since: $0) > Self.deviationInterval }
    guard due ?? true, let keep = configuration.onDeviation,
      let now = fix.utc ?? utc(at: fix.timestamp), let stored = vehicle?.stored(at: now)
    else { return }
    deviationOffered = fix.timestamp
    keep(stored)
  }

  /// Goes over to the calibration that an online one has found.
  mutating func recalibrate(
    _ event: OnlineCalibrationEvent, _ raw: MagneticField<SensorFrame>
  ) {
    configuration.onCalibration?(event)
    guard let committed = event.calibration, let next = AppliedCalibration(committed) else {
      // The heading goes on by the old one: a bounded error is better than none; but nobody knows it.
      calibration = .none
      return
    }
    go(over: next, earth: committed.estimate.earthField, raw)
  }

  private mutating func go(
    over next: AppliedCalibration, earth: EarthField, _ raw: MagneticField<SensorFrame>
  ) {
    let turn = applied.flatMap { fieldTurn(of: raw, from: $0.calibration, to: next.calibration) }
    // What the calibration may have left, as a field across the heading.
    let left = next.calibration.predictedHeadingError?.radians ?? 0
    attitude.recalibrate(
      turningFieldBy: turn, earth: earth,
      ironSigma: min(earth.horizontal * left, Self.largestIronLeft))
    let before = applied.map { $0.calibration(raw) } ?? raw
    // What course taught, it taught of the field through the calibration before. It follows small changes
    // by itself; a swing is a person's word and stays.
    if (next.calibration(raw) - before).magnitude > Self.smallRecalibration {
      vehicle = vehicle.map { VehicleDeviation(anewAfter: $0) }
    }
    applied = next
    calibration = .fitted(next.calibration)
  }

  /// Goes over to a calibration that somebody has made or set; the online one goes on from it.
  mutating func use(_ given: GivenCalibration, _ raw: MagneticField<SensorFrame>) {
    online?.restart(from: given.estimate)
    if case .fitted(let fitted) = given.choice, let estimate = given.estimate {
      let next = AppliedCalibration(fitted, estimate: estimate)
      go(over: next, earth: estimate.earthField, raw)
      return
    }
    // Nobody says which earth's field goes with it: all that rests on the one before goes.
    attitude = Self.estimator(configuration, mounting)
    calibration = given.choice
    applied = nil
    if case .fitted(let fitted) = given.choice {
      applied = AppliedCalibration(fitted, estimate: nil)
    }
  }

  /// By how much the level part of a field turns from one calibration, with the iron that was learnt beside
  /// it, to another; nil where it is so much
  /// that the heading before says nothing.
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

  /// The filter's own accuracy and what the calibration leaves; nil where nothing is known of the iron.
  func accuracy(of solution: AttitudeSolution) -> Angle? {
    guard let accuracy = solution.headingAccuracy else { return nil }
    // Where forward is nobody has said.
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
