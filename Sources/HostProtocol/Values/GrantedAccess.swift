/// What an application is authorized to; the words are those of the policy.
public enum GrantedAuthorization: String, Codable, Sendable {
  /// Nobody has decided.
  case notDetermined
  /// An administrator's rule forbids it.
  case restricted
  /// It may not.
  case denied
  /// It may, also in the background.
  case always
  /// It may while somebody uses it.
  case whenInUse

  /// True where estimates may be had.
  public var isGranted: Bool { self == .always || self == .whenInUse }
}

/// How exact an application's locations are.
public enum GrantedAccuracy: String, Codable, Sendable {
  /// As exact as they are known.
  case full
  /// By the cell of a coarse grid.
  case reduced
}

/// What an application may.
public struct GrantedAccess: Codable, Equatable, Sendable {
  /// What it is authorized to.
  public var authorization: GrantedAuthorization
  /// How exact its locations are.
  public var accuracy: GrantedAccuracy
  /// The system switch: `locationServicesEnabled`.
  public var isEnabled: Bool
  /// Why the application is restricted or denied where that is no rule of the policy for it: a policy that cannot
  /// be read, a user outside the group. One line with the remedy; nil for none.
  public var fault: String?
  /// True where paused location updates resume without the application; nil is false.
  public var resumesAutomatically: Bool?
  /// True where an application in the background receives headings only beside location updates that it has
  /// allowed in the background; nil is false.
  public var strictBackground: Bool?

  /// Makes the access of an application.
  public init(
    authorization: GrantedAuthorization, accuracy: GrantedAccuracy, isEnabled: Bool = true,
    fault: String? = nil, resumesAutomatically: Bool? = nil, strictBackground: Bool? = nil
  ) {
    self.authorization = authorization
    self.accuracy = accuracy
    self.isEnabled = isEnabled
    self.fault = fault
    self.resumesAutomatically = resumesAutomatically
    self.strictBackground = strictBackground
  }
}
