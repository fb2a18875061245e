/// Properties of a heading beyond Apple's members.
extension CLHeading {
  /// The bound of 95 % of the errors of the true heading, degrees: those of the magnetic heading
  /// and of the magnetic model. Negative where they are not known. It is available also without
  /// location updates, which `trueHeading` needs.
  public var trueHeadingAccuracy: CLLocationDirection { storedValues.trueHeadingAccuracy ?? -1 }

  /// The strength of the measured, calibrated magnetic field, microtesla; negative without a
  /// magnetometer.
  public var fieldStrength: Double { storedValues.fieldStrength ?? -1 }

  /// The inclination of the magnetic field below the horizon, degrees, down positive. It is
  /// measured where the attitude is known, else taken from the magnetic model; NaN without either.
  public var inclination: CLLocationDegrees { storedValues.inclination ?? .nan }

  /// The direction of magnetic north clockwise from true north, degrees, east positive, by the
  /// magnetic model; NaN without a position and a date. It is available also without location
  /// updates, which `trueHeading` needs.
  public var declination: CLLocationDegrees { storedValues.declination ?? .nan }

  /// True while iron or a magnet disturbs the earth's field and the heading follows the gyroscope.
  public var isDisturbed: Bool { storedValues.isDisturbed ?? false }

  /// The attitude of the device, or of the body that headings refer to; nil where the level or the
  /// heading is not known. It does not depend on `headingOrientation`.
  public var attitude: CLAttitude? { storedValues.attitude }
}
