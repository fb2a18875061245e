import Quantities

/// Looks through the observations of a fit for stretches in which the hard iron was another: something
/// magnetic was put on the board or taken off while it was calibrated.
struct ConsistencyCheck {
  /// The length of a stretch, s.
  static var stretch: Double { 10 }
  /// Only a stretch that reaches so far in attitude can tell.
  static var leastSpread: Angle { Angle(degrees: 20) }
  /// A change below this is the room's, microtesla.
  static var leastChange: Double { 4 }
  /// A change must take the residual down to this share, else it is no change of iron.
  static var residualShare: Double { 0.6 }
  /// The share of stretches that may be off.
  static var toleratedShare: Double { 0.15 }
  /// What comes before a moment may differ from what comes after by this, microtesla.
  static var toleratedShift: Double { 3 }

  /// The share of the stretches that could tell and were off.
  let share: Double
  /// By how much the hard iron after some moment differs from before, at most, microtesla.
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
      // What does not make the residual smaller is the room's bend, not iron.
      changes.append(explains ? step.change : .zero)
    }
    share = changes.count >= 3 ? off / Double(changes.count) : 0
    shift = Self.shift(in: changes)
  }

  /// The largest difference of the means before and after a moment; two stretches on each side at least.
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

  /// What is wrong; nil where nothing is.
  var fault: CalibrationFitError? {
    if shift > Self.toleratedShift { return .ironChanged(microtesla: shift) }
    return share > Self.toleratedShare ? .inconsistent(share: share) : nil
  }
}
