import Configuration
import HostProtocol

/// Decides what applications may.
package protocol AccessRules: AnyObject, Sendable {
  /// The policy in force.
  var policy: Policy { get }
  /// Reads the policy again.
  func reload()
  /// What an application may.
  func access(of key: ApplicationKey, groups: Set<UInt32>) -> GrantedAccess
  /// Records what a request comes to.
  /// - Returns: What the application may from now on.
  func request(
    _ wanted: GrantedAuthorization, of key: ApplicationKey, groups: Set<UInt32>
  ) -> GrantedAccess
  /// Whether full accuracy is granted for a purpose.
  func grants(_ purpose: String, to key: ApplicationKey) -> Bool
}
