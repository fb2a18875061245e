/// The surroundings of beacons.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
  private let identity: BeaconIdentity
  private let onDisplay = Locked(false)

  /// The beacons' UUID.
  open var uuid: UUID { identity.uuid }
  /// The major value; nil: any.
  open var major: NSNumber? { identity.major.map(NSNumber.init(value:)) }
  /// The minor value; nil: any.
  open var minor: NSNumber? { identity.minor.map(NSNumber.init(value:)) }
  /// The values of the beacons that are meant.
  open var beaconIdentityConstraint: CLBeaconIdentityConstraint {
    CLBeaconIdentityConstraint(identity)
  }
  /// Kept, and without effect: there is no display whose waking could ask for the state.
  open var notifyEntryStateOnDisplay: Bool {
    get { onDisplay.withLock { $0 } }
    set { onDisplay.withLock { $0 = newValue } }
  }
  /// The older name of `uuid`.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { identity.uuid }

  /// Makes a region without a name, of beacons whose UUID is zero, for subclasses.
  public override init() {
    identity = .zero
    super.init()
  }

  package init(_ identity: BeaconIdentity, identifier: String) {
    self.identity = identity
    super.init(identifier: identifier, circle: nil)
  }

  /// Means every beacon of the UUID.
  public init(uuid: UUID, identifier: String) {
    identity = BeaconIdentity(uuid: uuid)
    super.init(identifier: identifier, circle: nil)
  }

  /// Means every beacon of the UUID and major value.
  public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    identity = BeaconIdentity(uuid: uuid, major: major)
    super.init(identifier: identifier, circle: nil)
  }

  /// Means one beacon.
  public init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    identity = BeaconIdentity(uuid: uuid, major: major, minor: minor)
    super.init(identifier: identifier, circle: nil)
  }

  /// Means the beacons that satisfy the constraint.
  public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    identity = beaconIdentityConstraint.identity
    super.init(identifier: identifier, circle: nil)
  }

  /// The form before iOS 13.
  @available(*, deprecated, renamed: "init(uuid:identifier:)")
  public init(proximityUUID: UUID, identifier: String) {
    identity = BeaconIdentity(uuid: proximityUUID)
    super.init(identifier: identifier, circle: nil)
  }

  /// The form before iOS 13.
  @available(*, deprecated, renamed: "init(uuid:major:identifier:)")
  public init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
    identity = BeaconIdentity(uuid: proximityUUID, major: major)
    super.init(identifier: identifier, circle: nil)
  }

  /// The form before iOS 13.
  @available(*, deprecated, renamed: "init(uuid:major:minor:identifier:)")
  public init(
    proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    identity = BeaconIdentity(uuid: proximityUUID, major: major, minor: minor)
    super.init(identifier: identifier, circle: nil)
  }

  /// Reads a region from an archive that `encode(with:)` wrote.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let identity = BeaconIdentity(coder: coder) else { return nil }
    self.identity = identity
    super.init(coder: coder)
    notifyEntryStateOnDisplay = coder.decodeBool(forKey: "notifyEntryStateOnDisplay")
  }

  /// Writes the region into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    identity.encode(with: coder)
    coder.encode(notifyEntryStateOnDisplay, forKey: "notifyEntryStateOnDisplay")
  }

  /// A region of the same name, beacons and notices, that changes by itself.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLBeaconRegion(identity, identifier: identifier).taking(noticesOf: self)
    copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return copy
  }

  /// The identifier and the beacons' values, for people; its form may change.
  open override var description: String {
    "CLBeaconRegion (identifier:'\(identifier)', \(identity))"
  }

  // MARK: Being a beacon

  /// What makes this machine a beacon of the region once it is advertised.
  ///
  /// Under `kCBAdvDataAppleBeaconKey` stand the 21 bytes that follow the prefix 4C 00 02 15 in an
  /// iBeacon's manufacturer data: the UUID, the major and minor value (big-endian, 0 where nil), and the
  /// measured power. A BlueZ advertiser puts 02 15 and these bytes under manufacturer 0x004C.
  /// - Parameter measuredPower: dBm at one metre; nil: -59.
  /// - Returns: A dictionary of that one entry, which the program may change.
  /// - Source: Apple, "Proximity Beacon Specification" R1, table 1.
  open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
    let power = measuredPower.map { Int8(clamping: $0.intValue) } ?? Self.customaryPower
    let bytes = BeaconAdvertisement(identity, measuredPower: power).bytes
    return NSMutableDictionary(
      dictionary: ["kCBAdvDataAppleBeaconKey": NSData(data: Data(bytes))])
  }

  // dBm at one metre, where a program does not measure its own (0xC5, as phones and most beacons tell).
  private static let customaryPower: Int8 = -59
}
