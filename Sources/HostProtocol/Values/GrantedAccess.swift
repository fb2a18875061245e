/// An application's authorization; the words are those of the policy.
public enum GrantedAuthorization: String, CaseIterable, Codable, Sendable {
  /// Not decided yet.
  case notDetermined
  /// An administrator's rule forbids it.
  case restricted
  /// Denied.
  case denied
  /// Granted, also in the background.
  case always
  /// Granted while the application is in use.
  case whenInUse

  /// The order of the authorizations: a greater number permits more. One that is not decided may
  /// still become any.
  fileprivate var rank: Int {
    switch self {
    case .restricted, .denied: 0
    case .notDetermined: 1
    case .whenInUse: 2
    case .always: 3
    }
  }

  /// True if the application may receive estimates.
  public var isGranted: Bool { self == .always || self == .whenInUse }
}

/// The accuracy of an application's locations.
public enum GrantedAccuracy: String, CaseIterable, Codable, Sendable {
  /// The accuracy of the source.
  case full
  /// The middle of a coarse grid cell.
  case reduced
}

/// An application's access: authorization and accuracy.
public struct GrantedAccess: Codable, Equatable, Sendable {
  /// The authorization.
  public var authorization: GrantedAuthorization
  /// The accuracy of its locations.
  public var accuracy: GrantedAccuracy
  /// The system switch: `locationServicesEnabled`.
  public var isEnabled: Bool
  /// Why the application has less access than the policy's rules for it give: the policy cannot be
  /// read, the user is outside the group, or the name belongs to other users. One line with the
  /// remedy; nil otherwise.
  public var fault: String?
  /// True if paused location updates resume without the application; nil is false.
  public var resumesAutomatically: Bool?
  /// True if an application in the background receives headings only together with location updates
  /// that it has allowed in the background; nil is false.
  public var strictBackground: Bool?
  /// True if the application receives magnetic headings without the authorization, where its demand
  /// has `magneticHeadings`; nil is false.
  public var headings: Bool?
  /// Why the policy denies the authorization: one line with the file of the rule; nil where it does
  /// not.
  public var denial: String?

  /// Makes the access of an application.
  public init(
    authorization: GrantedAuthorization, accuracy: GrantedAccuracy, isEnabled: Bool = true,
    fault: String? = nil, resumesAutomatically: Bool? = nil, strictBackground: Bool? = nil,
    headings: Bool? = nil, denial: String? = nil
  ) {
    self.authorization = authorization
    self.accuracy = accuracy
    self.isEnabled = isEnabled
    self.fault = fault
    self.resumesAutomatically = resumesAutomatically
    self.strictBackground = strictBackground
    (self.headings, self.denial) = (headings, denial)
  }

  /// Why the application has no access to locations.
  public var refusal: String { fault ?? denial ?? "the policy does not permit it" }

  /// True if it permits less than another access.
  public func isLess(than other: GrantedAccess) -> Bool {
    let (rank, otherRank) = (authorization.rank, other.authorization.rank)
    return rank == otherRank ? accuracy == .reduced && other.accuracy == .full : rank < otherRank
  }
}
