/// The rules for one application; nil means the rule for all applications.
public struct ApplicationPolicy: Sendable, Equatable {
  /// Whether it gets locations.
  public var authorization: AuthorizationRule?
  /// The answer to a request where the rule is `ask`.
  public var answer: AuthorizationAnswer?
  /// The accuracy of its locations.
  public var accuracy: AccuracyRule?
  /// The purposes of temporary full accuracy by their keys: true for granted.
  public var purposes: [String: Bool]
  /// Whether it may replace or reset the board's calibration.
  public var calibration: Bool?
  /// Whether it receives magnetic headings without the authorization for locations.
  public var headings: Bool?
  /// The users whose clients are the application; other clients get no more than the default.
  public var users: [PolicyUser]
  /// The systemd unit to start when an event is pending and the application does not run. A client
  /// in it is the application.
  public var unit: String?

  /// Makes the rules for one application.
  public init(
    authorization: AuthorizationRule? = nil, answer: AuthorizationAnswer? = nil,
    accuracy: AccuracyRule? = nil, purposes: [String: Bool] = [:], calibration: Bool? = nil,
    headings: Bool? = nil, users: [PolicyUser] = [], unit: String? = nil
  ) {
    (self.authorization, self.answer, self.accuracy) = (authorization, answer, accuracy)
    (self.purposes, self.calibration, self.headings) = (purposes, calibration, headings)
    (self.users, self.unit) = (users, unit)
  }
}
