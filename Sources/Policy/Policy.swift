/// What the administrator allows, to whom and how exactly, and the rules that location services go by.
///
/// The default value is what a machine without a policy file has: everything for everybody who can
/// open a source.
public struct Policy: Sendable, Equatable {
  /// The system switch: false is `locationServicesEnabled() == false`.
  public var isEnabled = true
  /// The rule for applications that are not named.
  public var defaultAuthorization = AuthorizationRule.always
  /// What a request becomes where the rule is `ask`, for applications that do not say.
  public var defaultAnswer = AuthorizationAnswer.always
  /// How exact locations are for applications that do not say.
  public var defaultAccuracy = AccuracyRule.full
  /// The group whose members may use the services; nil for everybody.
  public var group: String?
  /// The applications that are named, by their identifiers.
  public var applications: [String: ApplicationPolicy] = [:]
  /// When a region's boundary counts as crossed.
  public var regions = RegionRules()
  /// When a change of place is significant.
  public var significantChange = SignificantChangeRules()
  /// When a stay is a visit.
  public var visits = VisitRules()
  /// True: paused updates go on by themselves when the board moves. False: the application starts them.
  public var resumesAutomatically = false
  /// True: headings in the background only beside location updates, as on an iPhone.
  public var strictBackground = false
  /// The Wi-Fi location service; nil where scans go nowhere.
  public var wifiLocation: WiFiLocationRules?

  /// Makes the policy of a machine without a policy file.
  public init() {}

  /// What holds where the policy cannot be read: restricted for everybody, and no scan leaves the machine.
  public static var restricted: Policy {
    var policy = Policy()
    policy.defaultAuthorization = .restricted
    policy.defaultAccuracy = .reduced
    return policy
  }
}
