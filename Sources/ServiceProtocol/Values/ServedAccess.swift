/// What an application is authorized to; the words are those of the policy.
public enum ServedAuthorization: String, Codable, Sendable {
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
public enum ServedAccuracy: String, Codable, Sendable {
  /// As exact as they are known.
  case full
  /// By the cell of a coarse grid.
  case reduced
}

/// What an application may.
public struct ServedAccess: Codable, Equatable, Sendable {
  /// What it is authorized to.
  public var authorization: ServedAuthorization
  /// How exact its locations are.
  public var accuracy: ServedAccuracy
  /// The system switch: `locationServicesEnabled`.
  public var isEnabled: Bool
  /// What is wrong where a fault and no rule decides, in one line; nil for none.
  public var fault: String?

  /// Makes what an application may.
  public init(
    authorization: ServedAuthorization, accuracy: ServedAccuracy, isEnabled: Bool = true,
    fault: String? = nil
  ) {
    self.authorization = authorization
    self.accuracy = accuracy
    self.isEnabled = isEnabled
    self.fault = fault
  }
}
