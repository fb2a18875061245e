import Quantities

/// Undoes what a mean takes from a field that turns meanwhile.
///
/// The mean over an arc lies inside the arc: at 200 degrees in a second a mean over a fifth of a second is
/// one microtesla too short in a field of 45, at 400 four. To second order the mean of a curve is its
/// middle and a twenty-fourth of its second derivative times the time squared; the neighbours tell that
/// derivative, whatever the distortion.
struct TurningMean {
  /// How long a mean was taken, seconds.
  var seconds: Double

  /// The field may change by this much within a mean, microtesla: beyond some 75 degrees the second order
  /// is not enough.
  private static var mostChange: Double { 55 }
  /// The same where a neighbour is missing and nothing can be undone: one microtesla is lost.
  private static var mostChangeAlone: Double { 30 }
  /// A neighbour further away than this many means is none.
  private static var reach: Double { 2.5 }

  /// The field in the middle of an observation's interval.
  /// - Returns: nil where the field turned too fast to tell.
  func middle(of o: [FieldObservation], at i: Int) -> SIMD3<Double>? {
    let (before, after) = (rate(o, i - 1, i), rate(o, i, i + 1))
    let change = max(before?.perSecond.length ?? 0, after?.perSecond.length ?? 0) * seconds
    guard let before, let after else { return change > Self.mostChangeAlone ? nil : o[i].field }
    guard change < Self.mostChange else { return nil }
    let second = (after.perSecond - before.perSecond) * (2 / (before.time + after.time))
    return o[i].field - second * (seconds * seconds / 24)
  }

  /// By how much the field changes from one observation to the next.
  private func rate(
    _ o: [FieldObservation], _ i: Int, _ j: Int
  ) -> (perSecond: SIMD3<Double>, time: Double)? {
    guard o.indices.contains(i), o.indices.contains(j) else { return nil }
    let time = o[j].timestamp.seconds(since: o[i].timestamp)
    guard time > 0, time <= seconds * Self.reach else { return nil }
    return ((o[j].field - o[i].field) / time, time)
  }
}
