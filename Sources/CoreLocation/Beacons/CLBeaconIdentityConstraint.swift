/// The larger group that a beacon belongs to within its UUID.
public typealias CLBeaconMajorValue = UInt16
/// The beacon's number within its major value.
public typealias CLBeaconMinorValue = UInt16

/// Which beacons are meant; what is nil may be anything. Equal where all three values are.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  let identity: BeaconIdentity

  /// The beacon's UUID.
  open var uuid: UUID { identity.uuid }
  /// The major value; nil: any.
  open var major: CLBeaconMajorValue? { identity.major }
  /// The minor value; nil: any.
  open var minor: CLBeaconMinorValue? { identity.minor }

  /// True: it can be read from an archive of which only the class is trusted.
  open class var supportsSecureCoding: Bool { true }

  /// Means every beacon of the UUID.
  public init(uuid: UUID) {
    identity = BeaconIdentity(uuid: uuid)
    super.init()
  }

  /// Means every beacon of the UUID and major value.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    identity = BeaconIdentity(uuid: uuid, major: major)
    super.init()
  }

  /// Means one beacon.
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

  /// Follows the three values.
  open override var hash: Int { identity.hashValue }

  /// The three values, for people; its form may change.
  open override var description: String { "CLBeaconIdentityConstraint (\(identity))" }
}
