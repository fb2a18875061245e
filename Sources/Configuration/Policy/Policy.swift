/// The administrator's rules for applications and their accuracy, and the parameters of location
/// services.
///
/// The default value is that of a machine without a policy file: every user who can open a source
/// gets locations at full accuracy.
public struct Policy: Sendable, Equatable {
  /// The system switch: false is `locationServicesEnabled() == false`.
  public var isEnabled = true
  /// The rule for applications that are not named.
  public var defaultAuthorization = AuthorizationRule.always
  /// The answer to a request where the rule is `ask`, for applications without their own.
  public var defaultAnswer = AuthorizationAnswer.always
  /// The accuracy for applications without their own.
  public var defaultAccuracy = AccuracyRule.full
  /// Whether applications without a rule of their own may replace or reset the board's calibration.
  public var defaultCalibration = true
  /// Whether applications without a rule of their own receive magnetic headings without the
  /// authorization for locations, as on an iPhone.
  public var defaultHeadings = true
  /// The group whose members may use the services; nil for every user.
  public var group: String?
  /// The applications that are named, by their identifiers.
  public var applications: [String: ApplicationPolicy] = [:]
  /// When a region's boundary counts as crossed.
  public var regions = RegionRules()
  /// When a change of place is significant.
  public var significantChange = SignificantChangeRules()
  /// When a stay is a visit.
  public var visits = VisitRules()
  /// True: paused updates resume when the board moves. False: the application has to start them
  /// again.
  public var resumesAutomatically = false
  /// True: headings in the background only together with location updates, as on an iPhone.
  public var strictBackground = false
  /// The Wi-Fi location service; nil for none, so that no scan is sent.
  public var wifiLocation: WiFiLocationRules?
  /// The files that the rules were read from.
  public var origins = PolicyOrigins()

  /// Makes the policy of a machine without a policy file.
  public init() {}

  /// The policy where the files cannot be read: every application is restricted, also from
  /// headings, and no Wi-Fi scan is sent.
  public static var restricted: Policy {
    var policy = Policy()
    policy.defaultAuthorization = .restricted
    policy.defaultAccuracy = .reduced
    policy.defaultCalibration = false
    policy.defaultHeadings = false
    return policy
  }
}
