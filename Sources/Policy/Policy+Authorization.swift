extension Policy {
  /// What an application is authorized to.
  ///
  /// In this order: a rule `restricted`; the system switch off or no access: denied; the rule; for
  /// `ask` the decision that was recorded.
  /// - Parameters:
  ///   - applicationID: Which application.
  ///   - hasAccess: True where the process can open a source and `admits` its user.
  ///   - decision: What was decided about it before; nil for nothing.
  /// - Returns: The state that the application sees.
  public func authorization(
    for applicationID: String, hasAccess: Bool, decision: AccessDecision? = nil
  ) -> Authorization {
    let rule = rule(for: applicationID)
    if rule == .restricted { return .restricted }
    guard isEnabled, hasAccess else { return .denied }
    switch rule {
    case .always: return .always
    case .whenInUse: return .whenInUse
    case .ask: return decision?.authorization ?? .notDetermined
    case .denied, .restricted: return .denied
    }
  }

  /// What a request comes to. It changes something only where the rule is `ask` and nothing is decided
  /// yet, or once from `whenInUse` to `always`.
  /// - Parameters:
  ///   - request: What the application asks for.
  ///   - applicationID: Which application.
  ///   - current: What it is authorized to now.
  ///   - decision: What was decided about it before; nil for nothing.
  /// - Returns: What to record for the application; nil where the request changes nothing. Its
  ///   authorization may be the current one: that the application has asked is recorded too.
  public func afterRequest(
    _ request: AuthorizationRequest, for applicationID: String, current: Authorization,
    decision: AccessDecision? = nil
  ) -> AccessDecision? {
    guard rule(for: applicationID) == .ask else { return nil }
    let answer = applications[applicationID]?.answer ?? defaultAnswer
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

  /// How exact an application's locations are.
  public func accuracy(for applicationID: String) -> AccuracyRule {
    applications[applicationID]?.accuracy ?? defaultAccuracy
  }

  /// Whether an application gets full accuracy for a purpose.
  /// - Parameters:
  ///   - key: The purpose's key; one that the policy does not name is not granted.
  ///   - applicationID: Which application.
  /// - Returns: True where the policy says `grant`.
  public func purposeIsGranted(_ key: String, for applicationID: String) -> Bool {
    applications[applicationID]?.purposes[key] ?? false
  }

  /// The systemd unit to start for an application: the one that the policy names, else
  /// `corelocation-app@ID.service`.
  /// - Parameter applicationID: Which application.
  /// - Returns: The unit's name; nil where the text is no application identifier.
  public func unit(for applicationID: String) -> String? {
    guard Self.isApplicationID(applicationID) else { return nil }
    return applications[applicationID]?.unit ?? "corelocation-app@\(applicationID).service"
  }

  /// Whether a text can name an application: letters, digits, dots, hyphens and underscores, with a letter
  /// or digit first, at most 200. Such a text is also a safe name of a file and of a unit's instance.
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

  private func rule(for applicationID: String) -> AuthorizationRule {
    applications[applicationID]?.authorization ?? defaultAuthorization
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
