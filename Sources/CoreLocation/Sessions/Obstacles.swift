/// The reasons why a service is limited or gives no data, as the asynchronous interfaces report
/// them.
struct Obstacles: OptionSet, Hashable, Sendable {
  let rawValue: Int

  static let denied = Obstacles(rawValue: 1 << 0)
  static let deniedGlobally = Obstacles(rawValue: 1 << 1)
  static let restricted = Obstacles(rawValue: 1 << 2)
  static let requestInProgress = Obstacles(rawValue: 1 << 3)
  static let insufficientlyInUse = Obstacles(rawValue: 1 << 4)
  static let serviceSessionRequired = Obstacles(rawValue: 1 << 5)
  static let accuracyLimited = Obstacles(rawValue: 1 << 6)
  static let alwaysDenied = Obstacles(rawValue: 1 << 7)
  static let fullAccuracyDenied = Obstacles(rawValue: 1 << 8)
  static let locationUnavailable = Obstacles(rawValue: 1 << 9)
  static let conditionUnsupported = Obstacles(rawValue: 1 << 10)
  static let conditionLimitExceeded = Obstacles(rawValue: 1 << 11)
  static let persistenceUnavailable = Obstacles(rawValue: 1 << 12)

  /// The obstacles under which no locations are delivered.
  static let authorization: Obstacles = [.denied, .deniedGlobally, .restricted, .requestInProgress]

  /// The obstacle of an authorization status.
  init(_ status: CLAuthorizationStatus) {
    switch status {
    case .notDetermined: self = .requestInProgress
    case .restricted: self = .restricted
    case .denied: self = .denied
    case .authorizedAlways, .authorizedWhenInUse: self = []
    }
  }

  /// The obstacles of the authority's current decisions.
  init(_ authority: any AccessAuthority) {
    self.init(authority.authorization)
    if !authority.isEnabled { formUnion([.denied, .deniedGlobally]) }
    if isEmpty, authority.accuracy == .reducedAccuracy { insert(.accuracyLimited) }
  }

  /// The obstacles of a program, as its managers report them: without a source it is denied.
  init(_ services: LocationServices) {
    self.init(services.authority)
    if services.authority.authorization.isAuthorized, !services.hasSource {
      self = [.denied, .deniedGlobally]
    }
  }

  init(rawValue: Int) { self.rawValue = rawValue }
}
