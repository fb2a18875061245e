extension SIMD3<Double> {
  /// Whether no component leaves a range of either sign.
  @inlinable
  func isWithin(_ fullScale: Double) -> Bool {
    abs(x) <= fullScale && abs(y) <= fullScale && abs(z) <= fullScale
  }
}
