/// The file of each rule of a policy, for messages.
///
/// Equal to every other: policies of equal rules are equal, wherever they were read.
public struct PolicyOrigins: Sendable, Equatable {
  private var files: [String: String] = [:]

  /// The key of an application's entry, or of a rule in it.
  static func key(of applicationID: String, _ rule: String? = nil) -> String {
    ["applications", applicationID, rule].compactMap(\.self).joined(separator: ".")
  }

  mutating func set(_ path: String, of key: String) { files[key] = path }

  /// The file of a rule; nil for a rule that no file has.
  func file(of key: String) -> String? { files[key] }

  /// Always true.
  public static func == (_: PolicyOrigins, _: PolicyOrigins) -> Bool { true }
}

extension Policy {
  /// Why an application has no authorization: one line that names the file of the rule that
  /// decides.
  /// - Parameters:
  ///   - applicationID: The application.
  ///   - decision: The recorded decision; nil for none.
  ///   - isBound: Whether the client is bound to the application's name.
  /// - Returns: nil where the rules and the decision deny nothing.
  public func denialReason(
    for applicationID: String, decision: AccessDecision? = nil, isBound: Bool = true
  ) -> String? {
    let rule = rules(for: applicationID, isBound: isBound).authorization
    let key =
      applications[applicationID]?.authorization == rule
      ? PolicyOrigins.key(of: applicationID, "authorization") : "default"
    let place = place(of: key)
    if rule == .restricted {
      return "\(place) restricts location services for '\(applicationID)'"
    }
    if !isEnabled { return "location services are switched off by \(self.place(of: "enabled"))" }
    if rule == .denied { return "\(place) denies '\(applicationID)' its location" }
    guard rule == .ask, decision?.authorization == .denied else { return nil }
    return
      "the request of '\(applicationID)' for its location was denied; its rule 'ask' is that of "
      + place
  }

  /// "the policy file PATH", or "the policy" for a rule that no file has.
  func place(of key: String) -> String {
    origins.file(of: key).map { "the policy file \($0)" } ?? "the policy"
  }

  /// The file with an application's entry, else the folder of the administrator's files.
  func file(ofEntry applicationID: String) -> String {
    origins.file(of: PolicyOrigins.key(of: applicationID)) ?? Self.standardFolder
  }
}
