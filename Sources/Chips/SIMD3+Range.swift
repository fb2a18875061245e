extension SIMD3<Double> {
  /// Whether no component leaves a range of either sign.
  @inlinable
  func isWithin(_ fullScale: Double) -> Bool {
    abs(x) <= fullScale && abs(y) <= fullScale && abs(z) <= fullScale
  }

  /// The number of axes whose size is at least a limit.
  func axes(from limit: Double) -> Int {
    (abs(x) >= limit ? 1 : 0) + (abs(y) >= limit ? 1 : 0) + (abs(z) >= limit ? 1 : 0)
  }
}
