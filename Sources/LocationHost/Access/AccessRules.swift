import Configuration
import HostProtocol

/// Decides the access of applications.
package protocol AccessRules: AnyObject, Sendable {
  /// The policy in force.
  var policy: Policy { get }
  /// Reads the policy again.
  func reload()
  /// The access of an application.
  func access(of key: ApplicationKey, groups: Set<UInt32>) -> GrantedAccess
  /// Stores the decision on a request, if the policy requires one.
  /// - Returns: The application's access after the request.
  func request(
    _ wanted: GrantedAuthorization, of key: ApplicationKey, groups: Set<UInt32>
  ) -> GrantedAccess
  /// Whether full accuracy is granted for a purpose.
  func grants(_ purpose: String, to key: ApplicationKey) -> Bool
}
