import CalibrationFit
import Quantities

extension [Double] {
  /// The value that a share of all lies below.
  func quantile(_ share: Double) -> Double {
    let ascending = sorted()
    return ascending.isEmpty
      ? .nan : ascending[Swift.min(count - 1, Int(bounded: share * Double(count)))]
  }
}

extension DistortionEstimate {
  /// The predicted heading error, one sigma in degrees, at the worst attitude tilted below 45
  /// degrees.
  func predictedError(
    about down: SIMD3<Double> = SIMD3(0, 0, 1), tilt: Angle = HeadingErrorPrediction.usualTilt
  ) -> Double {
    HeadingErrorPrediction(self).map { Angle(radians: $0.worst(about: down, tilt: tilt)).degrees }
      ?? 180
  }
}
