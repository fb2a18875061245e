/// What an application may have: the states of `CLAuthorizationStatus`.
public enum Authorization: String, Sendable, Equatable, Codable, CaseIterable {
  /// Nobody has decided yet: the rule is `ask` and the application has not asked, or waits.
  case notDetermined
  /// An administrator's rule, which a request does not change.
  case restricted
  /// Location services are off, the application has no access to a source, or it was refused.
  case denied
  /// At any time, also when events start the application.
  case always
  /// While the application runs.
  case whenInUse
}

/// What an application asks for.
public enum AuthorizationRequest: String, Sendable, Equatable, CaseIterable {
  /// `requestWhenInUseAuthorization()`.
  case whenInUse
  /// `requestAlwaysAuthorization()`.
  case always
}

/// How exact the locations are that an application gets: `CLAccuracyAuthorization`.
public enum AccuracyRule: String, Sendable, Equatable, CaseIterable {
  /// As exact as the sources tell.
  case full
  /// Coarse, a few times an hour, until a purpose is granted.
  case reduced
}

/// What the administrator has said about an application, or about all that are not named.
public enum AuthorizationRule: String, Sendable, Equatable, CaseIterable {
  /// Authorized always, without a question.
  case always
  /// Authorized while it runs, without a question.
  case whenInUse
  /// `notDetermined` until it asks; then `AuthorizationAnswer` decides.
  case ask
  /// Refused.
  case denied
  /// Refused, and not for the user to change.
  case restricted
}

/// What becomes of a request where the rule is `ask`.
public enum AuthorizationAnswer: String, Sendable, Equatable, CaseIterable {
  /// It gets what it asks for.
  case always
  /// It gets `whenInUse`, also where it asks for more.
  case whenInUse
  /// It is refused.
  case denied
  /// It stays `notDetermined` until a person records an `AccessDecision`.
  case wait
}
