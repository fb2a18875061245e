/// The authorization of this program for location services.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// Not decided yet.
  case notDetermined = 0
  /// An administrator's rule forbids it.
  case restricted = 1
  /// The program has no access to a sensor.
  case denied = 2
  /// The program may use every service at any time.
  case authorizedAlways = 3
  /// The program may use most services while it is in use.
  case authorizedWhenInUse = 4

  /// The older name of `authorizedAlways`.
  @available(*, deprecated, message: "Use authorizedAlways")
  public static var authorized: CLAuthorizationStatus { .authorizedAlways }
}

/// The precision of the locations of this program.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// The receiver's accuracy.
  case fullAccuracy = 0
  /// A coarse area of several kilometres.
  case reducedAccuracy = 1
}
