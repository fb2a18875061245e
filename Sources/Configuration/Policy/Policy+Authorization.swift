extension Policy {
  /// The authorization of an application.
  ///
  /// The first of these decides: the rule `restricted`; the system switch off, or no access:
  /// denied; the rule; for `ask` the recorded decision.
  /// - Parameters:
  ///   - applicationID: The application.
  ///   - hasAccess: True where the process can open a source and the policy `admits` its user.
  ///   - decision: The recorded decision; nil for none.
  ///   - isBound: Whether the client is bound to the application's name (`isBound(user:unit:to:)`).
  /// - Returns: The state that the client sees.
  public func authorization(
    for applicationID: String, hasAccess: Bool, decision: AccessDecision? = nil,
    isBound: Bool = true
  ) -> Authorization {
    func outcome(_ rule: AuthorizationRule) -> Authorization {
      if rule == .restricted { return .restricted }
      guard isEnabled, hasAccess else { return .denied }
      switch rule {
      case .always: return .always
      case .whenInUse: return .whenInUse
      case .ask: return decision?.authorization ?? .notDetermined
      case .denied, .restricted: return .denied
      }
    }
    let own = outcome(rules(for: applicationID, isBound: true).authorization)
    // The default also limits a decision that was recorded under another policy.
    return isBound ? own : EffectiveRules.stricter(own, outcome(defaultAuthorization))
  }

  /// The decision on a request. A request has an effect only where the rule is `ask`: once from
  /// `notDetermined`, and once from `whenInUse` to `always`.
  /// - Parameters:
  ///   - request: The requested authorization.
  ///   - applicationID: The application.
  ///   - current: Its present authorization.
  ///   - decision: The recorded decision; nil for none.
  ///   - isBound: Whether the client is bound to the application's name.
  /// - Returns: The decision to record; nil where the request has no effect. Its authorization may
  ///   be the present one, because the request itself is recorded too.
  public func afterRequest(
    _ request: AuthorizationRequest, for applicationID: String, current: Authorization,
    decision: AccessDecision? = nil, isBound: Bool = true
  ) -> AccessDecision? {
    let rules = rules(for: applicationID, isBound: isBound)
    guard rules.authorization == .ask else { return nil }
    let answer = rules.answer
    let hasAskedForAlways = decision?.hasAskedForAlways ?? false
    switch (current, request) {
    case (.notDetermined, _):
      return AccessDecision(
        authorization: Self.answered(answer, request), hasAskedForAlways: request == .always)
    case (.whenInUse, .always) where !hasAskedForAlways:
      return AccessDecision(
        authorization: answer == .always ? .always : .whenInUse, hasAskedForAlways: true)
    default:
      return nil
    }
  }

  /// The accuracy of an application's locations.
  /// - Parameters:
  ///   - applicationID: The application.
  ///   - isBound: Whether the client is bound to its name.
  /// - Returns: The accuracy without a purpose that is granted temporarily.
  public func accuracy(for applicationID: String, isBound: Bool = true) -> AccuracyRule {
    rules(for: applicationID, isBound: isBound).accuracy
  }

  /// Whether an application gets full accuracy for a purpose.
  /// - Parameters:
  ///   - key: The purpose's key; a key that the policy does not name is not granted.
  ///   - applicationID: The application.
  ///   - isBound: Whether the client is bound to its name.
  /// - Returns: True where the policy has `grant`.
  public func purposeIsGranted(
    _ key: String, for applicationID: String, isBound: Bool = true
  ) -> Bool {
    rules(for: applicationID, isBound: isBound).purposes.contains(key)
  }

  /// Whether an application receives magnetic headings without the authorization for locations.
  ///
  /// The rule `restricted` forbids headings too; the switch `enabled` and the rules `denied` and
  /// `ask` are about locations, as on an iPhone.
  /// - Parameters:
  ///   - applicationID: The application.
  ///   - hasAccess: True where the policy `admits` its user.
  ///   - isBound: Whether the client is bound to its name.
  /// - Returns: False where headings need the authorization.
  public func headingsAreGranted(
    to applicationID: String, hasAccess: Bool, isBound: Bool = true
  ) -> Bool {
    let rules = rules(for: applicationID, isBound: isBound)
    return hasAccess && rules.grantsHeadings && rules.authorization != .restricted
  }

  /// The systemd unit to start for an application: the one that the policy names, else
  /// `corelocation-app@ID.service`.
  /// - Parameter applicationID: The application.
  /// - Returns: The unit's name; nil for an invalid application identifier.
  public func unit(for applicationID: String) -> String? {
    guard Self.isApplicationID(applicationID) else { return nil }
    return applications[applicationID]?.unit ?? Self.standardUnit(of: applicationID)
  }

  /// Whether a text is a valid application identifier: at most 200 letters, digits, dots, hyphens
  /// and underscores, with a letter or digit first. It is then also safe as a file name and as the
  /// instance name of a systemd unit.
  public static func isApplicationID(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetterOrDigit(first), text.utf8.count <= 200 else {
      return false
    }
    return text.utf8.allSatisfy { isLetterOrDigit($0) || Array(".-_".utf8).contains($0) }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  private static func answered(
    _ answer: AuthorizationAnswer, _ request: AuthorizationRequest
  ) -> Authorization {
    switch answer {
    case .always: request == .always ? .always : .whenInUse
    case .whenInUse: .whenInUse
    case .denied: .denied
    case .wait: .notDetermined
    }
  }
}
