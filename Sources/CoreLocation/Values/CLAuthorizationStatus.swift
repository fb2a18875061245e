/// Whether this program may use location services.
public enum CLAuthorizationStatus: Int32, Sendable {
  /// Nobody has decided yet.
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

/// How precise a location this program may have.
public enum CLAccuracyAuthorization: Int, Sendable {
  /// What the receiver gives.
  case fullAccuracy = 0
  /// The area only.
  case reducedAccuracy = 1
}
