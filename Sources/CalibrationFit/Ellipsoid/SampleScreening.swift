import Quantities

/// Separates usable samples from unusable ones.
enum SampleScreening {
  /// Minimum number of samples for fourteen unknowns.
  static var least: Int { 24 }
  /// A component is saturated if this share of the samples is at its extreme ...
  static var saturatedShare: Double { 0.1 }
  /// ... while another component moves by this, microtesla: at the extreme of a smooth turn all
  /// three are constant together.
  static var movingSpan: Double { 8 }
  /// Minimum variation of the field of a turned sensor, microtesla.
  static var leastSpread: Double { 5 }

  /// Maximum plausible field, microtesla.
  static var mostField: Double { 10_000 }

  /// The usable samples, without invalid fields and fast turns.
  /// - Throws: The fault of the samples.
  static func samples(
    of observations: [FieldObservation], usingGravity: Bool, averagingTime: Double
  ) throws(CalibrationFitError) -> [EllipsoidSample] {
    let finite = observations.filter { $0.field.isFinite && $0.field.length < mostField }
    guard finite.count >= least else { throw .tooFewSamples(found: finite.count, needed: least) }
    try refuseFrozen(finite)
    try refuseSaturated(finite.map { $0.field })
    let turning = TurningMean(seconds: averagingTime)
    let samples = finite.indices.compactMap { i -> EllipsoidSample? in
      turning.middle(of: finite, at: i).map {
        EllipsoidSample(field: $0, down: usingGravity ? down(finite[i]) : nil)
      }
    }
    guard samples.count >= least else { throw .tooFewSamples(found: samples.count, needed: least) }
    return samples
  }

  /// Minimum length of mean gravity: a shorter one was rotated by more than 80 degrees in its
  /// interval.
  private static var leastDownLength: Double { 0.7 }

  private static func down(_ o: FieldObservation) -> SIMD3<Double>? {
    guard let down = o.axes?.down, down.isFinite, down.length > leastDownLength else { return nil }
    return down.normalized
  }

  private static func refuseFrozen(_ o: [FieldObservation]) throws(CalibrationFitError) {
    guard o.allSatisfy({ ($0.field - o[0].field).length < 1e-6 }) else { return }
    let downs = o.compactMap { down($0) }
    let isStill = downs.allSatisfy { $0.dot(downs[0]) > 0.99 }
    if !downs.isEmpty && isStill { throw .tooLittleMotion("turn the sensor in all directions") }
    throw .frozenMagnetometer
  }

  private static func refuseSaturated(_ fields: [SIMD3<Double>]) throws(CalibrationFitError) {
    let all = FieldRange(fields)
    for i in 0..<3 where all.span[i] > movingSpan {
      for end in [all.low[i], all.high[i]] {
        let stuck = fields.filter { abs($0[i] - end) <= 1e-6 * abs(end) }
        let share = Double(stuck.count) / Double(fields.count)
        guard share > saturatedShare, FieldRange(stuck).span.max() > movingSpan else { continue }
        throw .saturated(share: share)
      }
    }
  }
}

/// The bounding box of fields.
private struct FieldRange {
  var low: SIMD3<Double>
  var high: SIMD3<Double>

  init(_ fields: [SIMD3<Double>]) {
    (low, high) = (fields[0], fields[0])
    for f in fields {
      low = pointwiseMin(low, f)
      high = pointwiseMax(high, f)
    }
  }

  var span: SIMD3<Double> { high - low }
}
