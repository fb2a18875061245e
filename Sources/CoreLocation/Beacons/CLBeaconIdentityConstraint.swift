/// The group of a beacon within its UUID.
public typealias CLBeaconMajorValue = UInt16
/// The number of a beacon within its major value.
public typealias CLBeaconMinorValue = UInt16

/// Selects beacons by their values; nil matches any value. Equal where all three values are.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  let identity: BeaconIdentity

  /// The beacon's UUID.
  open var uuid: UUID { identity.uuid }
  /// The major value; nil: any.
  open var major: CLBeaconMajorValue? { identity.major }
  /// The minor value; nil: any.
  open var minor: CLBeaconMinorValue? { identity.minor }

  /// True: a constraint supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Matches every beacon of the UUID.
  public init(uuid: UUID) {
    identity = BeaconIdentity(uuid: uuid)
    super.init()
  }

  /// Matches every beacon of the UUID and major value.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major)
    super.init()
  }

  /// Matches one beacon.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
    super.init()
  }

  package init(_ identity: BeaconIdentity) {
    self.identity = identity
    super.init()
  }

  /// Reads a constraint from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let identity = BeaconIdentity(coder: coder) else { return nil }
    self.identity = identity
    super.init()
  }

  /// Writes the constraint into an archive.
  open func encode(with coder: NSCoder) { identity.encode(with: coder) }

  /// Itself: a constraint never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Equal to a constraint of the same three values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLBeaconIdentityConstraint)?.identity == identity
  }

  /// The hash of the three values.
  open override var hash: Int { identity.hashValue }

  /// The three values in a readable form, which may change.
  open override var description: String { "CLBeaconIdentityConstraint (\(identity))" }
}
