import CalibrationFit
import Quantities

/// What else the fit said: enough to judge the calibration later and to go on from it.
public struct StoredFit: Equatable, Sendable {
  /// How uncertain the *distortion* is, which is the calibration's inverse: its shape's rows
  /// (dimensionless), then its offset (microtesla).
  public var covariance: DistortionCovariance?
  /// The earth's field that goes with the calibration, microtesla.
  public var earthField: EarthField?
  /// By how much the magnetometer tells later than the inertial unit, seconds.
  public var latencySeconds: Double?
  /// The share of observations that lay within three sigma, 0 to 1.
  public var inlierShare: Double?
  /// How many observations took part.
  public var observationCount: Int?

  /// Makes a fit of what is known.
  public init(
    covariance: DistortionCovariance? = nil, earthField: EarthField? = nil,
    latencySeconds: Double? = nil, inlierShare: Double? = nil, observationCount: Int? = nil
  ) {
    (self.covariance, self.earthField) = (covariance, earthField)
    (self.latencySeconds, self.inlierShare) = (latencySeconds, inlierShare)
    self.observationCount = observationCount
  }

  /// Takes from an estimate what a profile keeps.
  public init(_ estimate: DistortionEstimate) {
    self.init(
      covariance: estimate.covariance, earthField: estimate.earthField,
      latencySeconds: estimate.latencySeconds, inlierShare: estimate.inlierShare,
      observationCount: estimate.observationCount)
  }
}
