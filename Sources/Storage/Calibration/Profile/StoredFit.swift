import CalibrationFit
import Quantities

/// The uncertainty and statistics of a fit, to judge the calibration later and to continue from it.
public struct StoredFit: Equatable, Sendable {
  /// The covariance of the *distortion*, which is the calibration's inverse: its shape's rows
  /// (dimensionless), then its offset (microtesla).
  public var covariance: DistortionCovariance?
  /// The earth's field of the fit, microtesla.
  public var earthField: EarthField?
  /// The latency of the magnetometer relative to the inertial unit, seconds.
  public var latencySeconds: Double?
  /// The share of observations within three sigma, 0 to 1.
  public var inlierShare: Double?
  /// The number of observations.
  public var observationCount: Int?

  /// Makes a fit of the known values.
  public init(
    covariance: DistortionCovariance? = nil, earthField: EarthField? = nil,
    latencySeconds: Double? = nil, inlierShare: Double? = nil, observationCount: Int? = nil
  ) {
    (self.covariance, self.earthField) = (covariance, earthField)
    (self.latencySeconds, self.inlierShare) = (latencySeconds, inlierShare)
    self.observationCount = observationCount
  }

  /// Makes the stored part of an estimate.
  public init(_ estimate: DistortionEstimate) {
    self.init(
      covariance: estimate.covariance, earthField: estimate.earthField,
      latencySeconds: estimate.latencySeconds, inlierShare: estimate.inlierShare,
      observationCount: estimate.observationCount)
  }
}
