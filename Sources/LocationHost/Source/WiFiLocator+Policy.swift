import Configuration
import Radio

extension WiFiLocator {
  /// The locator for the policy's service; nil if the policy names none. Without it no scan leaves
  /// the machine.
  /// - Parameters:
  ///   - policy: The administrator's policy.
  ///   - onFault: Receives a one-line reason if the policy's service cannot be used.
  public convenience init?(_ policy: Policy, onFault: (String) -> Void = { _ in }) {
    guard let rules = policy.wifiLocation else { return nil }
    do throws(WiFiError) {
      var configuration = try WiFiConfiguration(rules.url, key: rules.key)
      configuration.minimumIntervalSeconds = rules.intervalSeconds
      self.init(configuration)
    } catch {
      onFault("\(error)")
      return nil
    }
  }

  /// The locator for the service of this machine's policy.
  /// - Parameters:
  ///   - environment: The variables that name the policy's files.
  ///   - onFault: Receives a one-line reason if the policy's service cannot be used.
  public convenience init?(
    environment: [String: String], onFault: (String) -> Void = { _ in }
  ) {
    self.init(Policy.loadSafely(environment: environment).policy, onFault: onFault)
  }
}
