/// What the engine knows of a heading beyond Apple's members.
extension CLHeading {
  /// Degrees that hold 95 % of the errors of the true heading: those of the magnetic one and of the magnetic
  /// model; negative where nothing is known of them. It is told also where `trueHeading` itself waits for
  /// location updates.
  public var trueHeadingAccuracy: CLLocationDirection { storedValues.trueHeadingAccuracy ?? -1 }

  /// The magnetic field as it is measured now, calibrated, microtesla; negative without a magnetometer.
  public var fieldStrength: Double { storedValues.fieldStrength ?? -1 }

  /// The magnetic field below the horizon, degrees, down positive: as it is measured now, where the attitude
  /// is known, else by the magnetic model; not a number where neither is there.
  public var inclination: CLLocationDegrees { storedValues.inclination ?? .nan }

  /// Magnetic north clockwise from true north, degrees, east positive, by the magnetic model; not a number without
  /// a place and a date. It is told also where `trueHeading` waits for location updates.
  public var declination: CLLocationDegrees { storedValues.declination ?? .nan }

  /// True where the field is not the earth's now: iron or a magnet is near, and the heading leans on the
  /// gyroscope.
  public var isDisturbed: Bool { storedValues.isDisturbed ?? false }

  /// How the device stands above the earth, or the body that the headings are given for; nil where the
  /// level or the heading is not known. The orientation of the headings plays no part.
  public var attitude: CLAttitude? { storedValues.attitude }
}
