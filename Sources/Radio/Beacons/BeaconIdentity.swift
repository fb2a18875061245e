import FoundationEssentials

/// The identity that a beacon sends.
public struct BeaconIdentity: Hashable, Codable, Sendable {
  /// The owner's UUID.
  public var uuid: UUID
  /// The group, such as a building.
  public var major: UInt16
  /// The beacon within the group.
  public var minor: UInt16

  /// Makes an identity.
  public init(uuid: UUID, major: UInt16, minor: UInt16) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }
}

extension BeaconIdentity: Comparable {
  /// An order that does not depend on signals: by UUID, major, minor.
  public static func < (a: BeaconIdentity, b: BeaconIdentity) -> Bool {
    if a.uuid != b.uuid { return a.uuid.uuidString < b.uuid.uuidString }
    return (a.major, a.minor) < (b.major, b.minor)
  }
}

/// A condition on beacons: all of a UUID, one of its groups, or a single beacon.
public struct BeaconConstraint: Hashable, Codable, Sendable {
  /// The owner's UUID.
  public var uuid: UUID
  /// The group; nil for all.
  public var major: UInt16?
  /// The beacon; nil for all. Without a major it applies to every group.
  public var minor: UInt16?

  /// Makes a constraint.
  public init(uuid: UUID, major: UInt16? = nil, minor: UInt16? = nil) {
    self.uuid = uuid
    self.major = major
    self.minor = minor
  }

  /// Makes the constraint that one beacon meets.
  public init(_ identity: BeaconIdentity) {
    self.init(uuid: identity.uuid, major: identity.major, minor: identity.minor)
  }

  /// Whether a beacon meets the condition.
  public func contains(_ identity: BeaconIdentity) -> Bool {
    identity.uuid == uuid && (major ?? identity.major) == identity.major
      && (minor ?? identity.minor) == identity.minor
  }
}

extension BeaconIdentity {
  /// The beacon with a constraint's values; a value that is nil becomes 0.
  package init(_ constraint: BeaconConstraint) {
    self.init(uuid: constraint.uuid, major: constraint.major ?? 0, minor: constraint.minor ?? 0)
  }
}
