/// What the policy says about one application; nil leaves it to the rule for all.
public struct ApplicationPolicy: Sendable, Equatable {
  /// Whether it may have locations.
  public var authorization: AuthorizationRule?
  /// What a request becomes where the rule is `ask`.
  public var answer: AuthorizationAnswer?
  /// How exact its locations are.
  public var accuracy: AccuracyRule?
  /// Purposes of full accuracy for a time, by their keys: true for granted.
  public var purposes: [String: Bool]
  /// The systemd unit that is started when an event is due and the application does not run.
  public var unit: String?

  /// Makes what a policy says about one application.
  public init(
    authorization: AuthorizationRule? = nil, answer: AuthorizationAnswer? = nil,
    accuracy: AccuracyRule? = nil, purposes: [String: Bool] = [:], unit: String? = nil
  ) {
    (self.authorization, self.answer, self.accuracy) = (authorization, answer, accuracy)
    (self.purposes, self.unit) = (purposes, unit)
  }
}
