/// The states of `CLAuthorizationStatus`.
public enum Authorization: String, Sendable, Equatable, Codable, CaseIterable {
  /// Not decided: the rule is `ask`, and the application has sent no request or waits for the
  /// answer.
  case notDetermined
  /// Refused by an administrator's rule; a request has no effect.
  case restricted
  /// Location services are off, the application has no access to a source, or it was refused.
  case denied
  /// At any time, also when an event starts the application.
  case always
  /// While the application runs.
  case whenInUse
}

/// The authorization that an application requests.
public enum AuthorizationRequest: String, Sendable, Equatable, CaseIterable {
  /// `requestWhenInUseAuthorization()`.
  case whenInUse
  /// `requestAlwaysAuthorization()`.
  case always
}

/// The accuracy of an application's locations: `CLAccuracyAuthorization`.
public enum AccuracyRule: String, Sendable, Equatable, CaseIterable {
  /// The accuracy of the sources.
  case full
  /// Coarse, a few times an hour, until a purpose is granted.
  case reduced
}

/// The administrator's rule for an application, or for all that are not named.
public enum AuthorizationRule: String, Sendable, Equatable, CaseIterable {
  /// Authorized always, without a question.
  case always
  /// Authorized while it runs, without a question.
  case whenInUse
  /// `notDetermined` until it sends a request; then `AuthorizationAnswer` decides.
  case ask
  /// Refused.
  case denied
  /// Refused; the user cannot change it.
  case restricted
}

/// The answer to a request where the rule is `ask`.
public enum AuthorizationAnswer: String, Sendable, Equatable, CaseIterable {
  /// The requested authorization.
  case always
  /// `whenInUse`, also for a request of `always`.
  case whenInUse
  /// Refused.
  case denied
  /// `notDetermined` until a person records an `AccessDecision`.
  case wait
}
