package import Observers

/// Decides on the authorization of this program: the policy's files, or the daemon that has read
/// them.
package protocol AccessAuthority: AnyObject, Sendable {
  /// The current authorization, provided that a source can be opened.
  var authorization: CLAuthorizationStatus { get }
  /// The current precision of locations.
  var accuracy: CLAccuracyAuthorization { get }
  /// False where the administrator has switched location services off for all programs.
  var isEnabled: Bool { get }
  /// Why the program has less access than it could have, with the policy's file; nil otherwise.
  var restriction: String? { get }
  /// True: paused updates resume automatically when the board moves.
  var resumesAutomatically: Bool { get }
  /// True for a program in the background under a policy that permits headings there only together
  /// with background location updates.
  var withholdsHeadings: Bool { get }
  /// True where magnetic headings need no authorization.
  var permitsMagneticHeadings: Bool { get }
  /// Requests `authorizedWhenInUse` or `authorizedAlways`. A change is reported to the observers.
  func request(_ wanted: CLAuthorizationStatus)
  /// Requests full accuracy while the program runs.
  /// - Returns: nil where it was granted, `promptDeclined` where it was not.
  func requestFullAccuracy(purposeKey: String) -> CLError?
  /// Calls `body` at each change, on a thread of the authority.
  func observe(_ body: @escaping @Sendable () -> Void) -> Observation
}

extension AccessAuthority {
  /// Services are on.
  package var isEnabled: Bool { true }
  /// False, as Apple documents it.
  package var resumesAutomatically: Bool { false }
  /// Headings are delivered in the background too.
  package var withholdsHeadings: Bool { false }
  /// Headings need the authorization.
  package var permitsMagneticHeadings: Bool { false }
  /// No further reason.
  package var restriction: String? { nil }
}
