import Quantities

/// The method of a calibration.
public enum CalibrationMethod: String, CaseIterable, Sendable {
  /// The forward model with the orientation from gyroscope and accelerometer.
  case forward
  /// The ellipsoid of the raw field, with priors; magnetometer only.
  case ellipsoid
  /// The ellipsoid, aligned by the angle between field and gravity.
  case ellipsoidAndGravity = "ellipsoid and gravity"
  /// The ellipse of a full level turn.
  case plane
}

/// A distortion from a fit, with its quality.
public struct DistortionEstimate: Equatable, Sendable {
  /// The method.
  public var method: CalibrationMethod
  /// The distortion.
  public var distortion: FieldDistortion
  /// The covariance of the distortion.
  public var covariance: DistortionCovariance
  /// The earth's field in the fit: only its direction is certain, its strength depends on the scale
  /// of the shape.
  public var earthField: EarthField
  /// Delay of the magnetometer relative to the inertial unit, seconds; nil if it was not estimated.
  public var latencySeconds: Double?
  /// Root mean square residual of the inliers, microtesla.
  public var residualMicrotesla: Double
  /// The share of observations within three sigma, 0 to 1.
  public var inlierShare: Double
  /// Number of observations used.
  public var observationCount: Int

  /// Makes an estimate.
  public init(
    method: CalibrationMethod, distortion: FieldDistortion, covariance: DistortionCovariance,
    earthField: EarthField, latencySeconds: Double? = nil, residualMicrotesla: Double,
    inlierShare: Double, observationCount: Int
  ) {
    self.method = method
    self.distortion = distortion
    self.covariance = covariance
    self.earthField = earthField
    self.latencySeconds = latencySeconds
    self.residualMicrotesla = residualMicrotesla
    self.inlierShare = inlierShare
    self.observationCount = observationCount
  }
}
