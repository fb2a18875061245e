import Configuration
import HostProtocol

/// An application: an identifier of one user. Two users' applications of one identifier are
/// separate.
package struct ApplicationKey: Hashable, Sendable, Comparable {
  /// The user, as the kernel reports it.
  package var uid: UInt32
  /// The identifier in policy and units; safe as a file name.
  package var id: String

  package init(uid: UInt32, id: String) {
    (self.uid, self.id) = (uid, id)
  }

  /// Whether a text is a valid identifier: letters, digits, `.`, `-` and `_`, a letter or digit
  /// first.
  package static func isValid(_ id: String) -> Bool { Policy.isApplicationID(id) }

  package static func < (a: ApplicationKey, b: ApplicationKey) -> Bool {
    (a.uid, a.id) < (b.uid, b.id)
  }
}

extension GrantedAccess {
  /// The access by the policy and the stored decision.
  init(
    _ policy: Policy, _ id: String, hasAccess: Bool, decision: AccessDecision?, isBound: Bool
  ) {
    let authorization = policy.authorization(
      for: id, hasAccess: hasAccess, decision: decision, isBound: isBound)
    let isDenied = authorization == .denied || authorization == .restricted
    self.init(
      authorization: GrantedAuthorization(rawValue: authorization.rawValue) ?? .denied,
      accuracy: policy.accuracy(for: id, isBound: isBound) == .full ? .full : .reduced,
      isEnabled: policy.isEnabled, resumesAutomatically: policy.resumesAutomatically,
      strictBackground: policy.strictBackground,
      headings: policy.headingsAreGranted(to: id, hasAccess: hasAccess, isBound: isBound),
      denial: isDenied
        ? policy.denialReason(for: id, decision: decision, isBound: isBound) : nil)
  }
}
