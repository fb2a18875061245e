package import Engine

/// Who decides what this program may know: the policy's files, or the daemon that has read them.
package protocol AccessAuthority: AnyObject, Sendable {
  /// What the program may use now, if it can open a source.
  var authorization: CLAuthorizationStatus { get }
  /// How precise a location it may have now.
  var accuracy: CLAccuracyAuthorization { get }
  /// False where the administrator has switched location services off for everybody.
  var isEnabled: Bool { get }
  /// Why the program is restricted, where that is worth more words than the status; nil otherwise.
  var restriction: String? { get }
  /// True: paused updates go on by themselves when the board moves.
  var resumesAutomatically: Bool { get }
  /// True for a program in the background under a policy that gives it headings there only beside location
  /// updates that it has allowed in the background.
  var withholdsHeadings: Bool { get }
  /// Asks for `authorizedWhenInUse` or `authorizedAlways`; observers hear what it changes.
  func request(_ wanted: CLAuthorizationStatus)
  /// Asks for full accuracy for as long as the program runs.
  /// - Returns: nil where it was granted, `promptDeclined` where it was not.
  func requestFullAccuracy(purposeKey: String) -> CLError?
  /// Calls `body` on a thread of the authority's at each change.
  func observe(_ body: @escaping @Sendable () -> Void) -> Observation
}

extension AccessAuthority {
  /// Services are on.
  package var isEnabled: Bool { true }
  /// As Apple documents it today.
  package var resumesAutomatically: Bool { false }
  /// Headings come in the background too.
  package var withholdsHeadings: Bool { false }
  /// The status says it all.
  package var restriction: String? { nil }
}
