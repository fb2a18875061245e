import Configuration
import HostProtocol

/// An application: what a program calls itself, of one user. Neither says anything about the other's programs.
package struct ApplicationKey: Hashable, Sendable, Comparable {
  /// The user, by the kernel's word.
  package var uid: UInt32
  /// What policy and units name; safe as a file's name.
  package var id: String

  package init(uid: UInt32, id: String) {
    (self.uid, self.id) = (uid, id)
  }

  /// Whether a text can name an application: letters, digits, `.`, `-` and `_`, a letter or digit first.
  package static func isValid(_ id: String) -> Bool { Policy.isApplicationID(id) }

  package static func < (a: ApplicationKey, b: ApplicationKey) -> Bool {
    (a.uid, a.id) < (b.uid, b.id)
  }
}

extension GrantedAccess {
  /// What an application may by the policy and by what was decided under it.
  init(_ policy: Policy, _ id: String, hasAccess: Bool, decision: AccessDecision?) {
    let authorization = policy.authorization(for: id, hasAccess: hasAccess, decision: decision)
    self.init(
      authorization: GrantedAuthorization(rawValue: authorization.rawValue) ?? .denied,
      accuracy: policy.accuracy(for: id) == .full ? .full : .reduced,
      isEnabled: policy.isEnabled, resumesAutomatically: policy.resumesAutomatically,
      strictBackground: policy.strictBackground)
  }
}
