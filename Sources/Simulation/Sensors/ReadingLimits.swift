/// The resolution and range of a converter.
public struct ReadingLimits: Equatable, Sendable {
  /// The largest magnitude of a reading; nil for no limit. Larger values are clipped.
  public var fullScale: Double?
  /// The size of a step; nil for none.
  public var step: Double?

  /// Makes limits in the sensor's unit.
  public init(fullScale: Double? = nil, step: Double? = nil) {
    self.fullScale = fullScale
    self.step = step
  }

  func callAsFunction(_ x: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(limited(x.x), limited(x.y), limited(x.z))
  }

  private func limited(_ x: Double) -> Double {
    var y = x
    if let step { y = (y / step).rounded() * step }
    if let fullScale { y = min(max(y, -fullScale), fullScale) }
    return y
  }
}
