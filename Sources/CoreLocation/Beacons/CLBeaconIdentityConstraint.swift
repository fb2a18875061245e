package import Radio

/// The group of a beacon within its UUID.
public typealias CLBeaconMajorValue = UInt16
/// The number of a beacon within its major value.
public typealias CLBeaconMinorValue = UInt16

/// Selects beacons by their values; nil matches any value. Equal where all three values are.
open class CLBeaconIdentityConstraint: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  let values: BeaconConstraint

  /// The beacon's UUID.
  open var uuid: UUID { values.uuid }
  /// The major value; nil: any.
  open var major: CLBeaconMajorValue? { values.major }
  /// The minor value; nil: any.
  open var minor: CLBeaconMinorValue? { values.minor }

  /// True: a constraint supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Matches every beacon of the UUID.
  public init(uuid: UUID) {
    values = BeaconConstraint(uuid: uuid)
    super.init()
  }

  /// Matches every beacon of the UUID and major value.
  public init(uuid: UUID, major: CLBeaconMajorValue) {
    values = BeaconConstraint(uuid: uuid, major: major)
    super.init()
  }

  /// Matches one beacon.
  public init(uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue) {
    values = BeaconConstraint(uuid: uuid, major: major, minor: minor)
    super.init()
  }

  package init(_ values: BeaconConstraint) {
    self.values = values
    super.init()
  }

  /// Reads a constraint from an archive.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let values = BeaconConstraint(coder: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// Writes the constraint into an archive.
  open func encode(with coder: NSCoder) { values.encode(with: coder) }

  /// Itself: a constraint never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Equal to a constraint of the same three values.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? CLBeaconIdentityConstraint)?.values == values
  }

  /// The hash of the three values.
  open override var hash: Int { values.hashValue }

  /// The three values in a readable form, which may change.
  open override var description: String { "CLBeaconIdentityConstraint (\(values.text))" }
}
