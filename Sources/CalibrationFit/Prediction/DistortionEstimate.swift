import Quantities

/// How a calibration was found.
public enum CalibrationMethod: String, CaseIterable, Sendable {
  /// The forward model beside a gyroscope's and an accelerometer's orientation.
  case forward
  /// The ellipsoid that the raw field lies on, with priors; nothing but a magnetometer.
  case ellipsoid
  /// The same, aligned by the angle between field and gravity.
  case ellipsoidAndGravity = "ellipsoid and gravity"
  /// The ellipse of a full level turn.
  case plane
}

/// A distortion as a fit found it, with all that tells how far to trust it.
public struct DistortionEstimate: Equatable, Sendable {
  /// How it was found.
  public var method: CalibrationMethod
  /// What was found.
  public var distortion: FieldDistortion
  /// How uncertain it is.
  public var covariance: DistortionCovariance
  /// The earth's field that goes with it: only its direction is certain, its strength goes with the
  /// shape's.
  public var earthField: EarthField
  /// By how much the magnetometer tells later than the inertial unit, seconds; nil where it was not found.
  public var latencySeconds: Double?
  /// Root mean square of what the model leaves of the observations that count, microtesla.
  public var residualMicrotesla: Double
  /// The share of observations that lie within three sigma, 0 to 1.
  public var inlierShare: Double
  /// How many observations took part.
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
