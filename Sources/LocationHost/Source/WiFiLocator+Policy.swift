import Configuration
import Radio

extension WiFiLocator {
  /// The locator that the policy asks for; nil where it names no service: then no scan leaves the machine.
  /// - Parameters:
  ///   - policy: What the administrator allows.
  ///   - onFault: Hears in one line why the service that the policy names cannot be asked.
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

  /// The locator that this machine's policy asks for.
  /// - Parameters:
  ///   - environment: Where the policy is looked for.
  ///   - onFault: As above.
  public convenience init?(
    environment: [String: String], onFault: (String) -> Void = { _ in }
  ) {
    self.init(Policy.loadSafely(environment: environment).policy, onFault: onFault)
  }
}
