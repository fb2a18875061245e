import Configuration
import HostProtocol
import LinuxIO

/// Decides the access of applications.
package protocol AccessRules: AnyObject, Sendable {
  /// The policy in force.
  var policy: Policy { get }
  /// Reads the policy again.
  func reload()
  /// The access of a client that claims an application's name.
  func access(of key: ApplicationKey, claim: Claim) -> GrantedAccess
  /// Stores the decision on a client's request, if the policy requires one.
  func request(_ wanted: GrantedAuthorization, of key: ApplicationKey, claim: Claim)
  /// Whether full accuracy is granted to a client for a purpose.
  func grants(_ purpose: String, to key: ApplicationKey, claim: Claim) -> Bool
  /// The reason why a client may not calibrate the board; nil where it may.
  func calibrationFault(of key: ApplicationKey, claim: Claim) -> String?
  /// Increases when a policy was read or a decision was stored: an access that was found at an
  /// older number may be out of date.
  var revision: Int { get }
  /// Why the user of a connection to one of the servers receives nothing; nil where the user may
  /// connect.
  func refusal(of user: ConnectionUser) -> String?
  /// Stores the decisions that could not be stored.
  func storeAgain()
}

extension AccessRules {
  /// The policy and the decisions stay.
  package var revision: Int { 0 }
  /// Everyone may connect.
  package func refusal(of user: ConnectionUser) -> String? { nil }
  /// Nothing is stored.
  package func storeAgain() {}
}
