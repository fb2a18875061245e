import Quantities

/// Searches the observations of a fit for stretches with a different hard iron: something magnetic
/// was put on the board or removed during the calibration.
struct ConsistencyCheck {
  /// The length of a stretch, s.
  static var stretch: Double { 10 }
  /// Minimum attitude spread of a stretch that is evaluated.
  static var leastSpread: Angle { Angle(degrees: 20) }
  /// A smaller change is local field distortion, microtesla.
  static var leastChange: Double { 4 }
  /// A change of iron reduces the residual to at most this share.
  static var residualShare: Double { 0.6 }
  /// The tolerated share of inconsistent stretches.
  static var toleratedShare: Double { 0.15 }
  /// The tolerated difference between the mean before and after a moment, microtesla.
  static var toleratedShift: Double { 3 }

  /// The share of inconsistent stretches among those evaluated.
  let share: Double
  /// The largest difference of hard iron between before and after a moment, microtesla.
  let shift: Double

  init(_ estimate: DistortionEstimate, _ observations: [FieldObservation]) {
    var changes: [SIMD3<Double>] = []
    var off = 0.0
    var i = 0
    while i < observations.count {
      let begin = observations[i].timestamp
      var end = i
      while end < observations.count,
        observations[end].timestamp.seconds(since: begin) < Self.stretch
      { end += 1 }
      let part = Array(observations[i..<end])
      i = max(end, i + 1)
      guard let score = ValidationScore(estimate, on: part),
        score.spread.radians > Self.leastSpread.radians, let step = OffsetStep(estimate, in: part)
      else { continue }
      let explains = step.residualAfter < Self.residualShare * step.residualBefore
      if explains, step.change.length > max(Self.leastChange, 4 * step.sigma) { off += 1 }
      // A change that does not reduce the residual is local field distortion, not iron.
      changes.append(explains ? step.change : .zero)
    }
    share = changes.count >= 3 ? off / Double(changes.count) : 0
    shift = Self.shift(in: changes)
  }

  /// The largest difference of the means before and after a moment, with at least two stretches on
  /// each side.
  private static func shift(in changes: [SIMD3<Double>]) -> Double {
    guard changes.count >= 4 else { return 0 }
    var most = 0.0
    for k in 2...(changes.count - 2) {
      let before = changes[..<k].reduce(SIMD3<Double>.zero, +) / Double(k)
      let after = changes[k...].reduce(SIMD3<Double>.zero, +) / Double(changes.count - k)
      most = max(most, (after - before).length)
    }
    return most
  }

  /// The fault; nil if there is none.
  var fault: CalibrationFitError? {
    if shift > Self.toleratedShift { return .ironChanged(microtesla: shift) }
    return share > Self.toleratedShare ? .inconsistent(share: share) : nil
  }
}
