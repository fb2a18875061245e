import Quantities

/// Corrects the mean of a turning field.
///
/// The mean over an arc lies inside the arc: at 200 degrees a second a mean over a fifth of a
/// second is one microtesla too short in a field of 45, at 400 four. To second order, the mean of a
/// curve is its middle plus its second derivative times the time squared over 24. The neighbouring
/// observations give that derivative for any distortion.
struct TurningMean {
  /// The averaging time, seconds.
  var seconds: Double

  /// Maximum change of the field during averaging, microtesla: beyond about 75 degrees the second
  /// order is not sufficient.
  private static var mostChange: Double { 55 }
  /// `mostChange` without a neighbour, so without a correction: the error is one microtesla.
  private static var mostChangeAlone: Double { 30 }
  /// Maximum distance of a neighbour, averaging times.
  private static var reach: Double { 2.5 }

  /// The field in the middle of an observation's interval.
  /// - Returns: nil if the field turned too fast.
  func middle(of o: [FieldObservation], at i: Int) -> SIMD3<Double>? {
    let (before, after) = (rate(o, i - 1, i), rate(o, i, i + 1))
    let change = max(before?.perSecond.length ?? 0, after?.perSecond.length ?? 0) * seconds
    guard let before, let after else { return change > Self.mostChangeAlone ? nil : o[i].field }
    guard change < Self.mostChange else { return nil }
    let second = (after.perSecond - before.perSecond) * (2 / (before.time + after.time))
    return o[i].field - second * (seconds * seconds / 24)
  }

  /// The rate of change of the field between two observations.
  private func rate(
    _ o: [FieldObservation], _ i: Int, _ j: Int
  ) -> (perSecond: SIMD3<Double>, time: Double)? {
    guard o.indices.contains(i), o.indices.contains(j) else { return nil }
    let time = o[j].timestamp.seconds(since: o[i].timestamp)
    guard time > 0, time <= seconds * Self.reach else { return nil }
    return ((o[j].field - o[i].field) / time, time)
  }
}
