/// The rules for a client: the application's own over the default, or for each the stricter one of
/// both.
struct EffectiveRules: Equatable {
  var authorization: AuthorizationRule
  /// The most that a request can obtain; without the rule `ask`, the most that the rule gives.
  var answer: AuthorizationAnswer
  var accuracy: AccuracyRule
  /// The keys of the granted purposes.
  var purposes: Set<String>
  var grantsCalibration: Bool
  /// Grants magnetic headings without the authorization for locations.
  var grantsHeadings: Bool

  /// The rules of an application that the policy does not name.
  init(defaultOf policy: Policy) {
    self.init(ApplicationPolicy(), policy)
  }

  /// The rules of an application over the default.
  init(_ application: ApplicationPolicy, _ policy: Policy) {
    authorization = application.authorization ?? policy.defaultAuthorization
    answer =
      switch authorization {
      case .always: .always
      case .whenInUse: .whenInUse
      case .ask: application.answer ?? policy.defaultAnswer
      case .denied, .restricted: .denied
      }
    accuracy = application.accuracy ?? policy.defaultAccuracy
    purposes = Set(application.purposes.filter(\.value).keys)
    grantsCalibration = application.calibration ?? policy.defaultCalibration
    grantsHeadings = application.headings ?? policy.defaultHeadings
  }

  /// The stricter one of each rule.
  func stricter(_ other: EffectiveRules) -> EffectiveRules {
    var rules = self
    rules.authorization = Self.stricter(authorization, other.authorization)
    rules.answer = Self.stricter(answer, other.answer)
    rules.accuracy = Self.stricter(accuracy, other.accuracy)
    rules.purposes = purposes.intersection(other.purposes)
    rules.grantsCalibration = grantsCalibration && other.grantsCalibration
    rules.grantsHeadings = grantsHeadings && other.grantsHeadings
    return rules
  }

  static func stricter<Rule: RankedRule>(_ one: Rule, _ other: Rule) -> Rule {
    one.rank <= other.rank ? one : other
  }
}

/// A rule whose values are ordered from strict to lenient.
protocol RankedRule {
  /// Small for a strict value; equal for equal values only.
  var rank: Int { get }
}

extension AuthorizationRule: RankedRule {
  var rank: Int {
    switch self {
    case .restricted: 0
    case .denied: 1
    case .ask: 2
    case .whenInUse: 3
    case .always: 4
    }
  }
}

extension Authorization: RankedRule {
  var rank: Int {
    switch self {
    case .restricted: 0
    case .denied: 1
    case .notDetermined: 2
    case .whenInUse: 3
    case .always: 4
    }
  }
}

extension AuthorizationAnswer: RankedRule {
  var rank: Int {
    switch self {
    case .denied: 1
    case .wait: 2
    case .whenInUse: 3
    case .always: 4
    }
  }
}

extension AccuracyRule: RankedRule {
  var rank: Int {
    switch self {
    case .reduced: 0
    case .full: 1
    }
  }
}
