internal import LinuxIO
package import Radio

/// The region in which at least one matching beacon is received.
open class CLBeaconRegion: CLRegion, @unchecked Sendable {
  private let constraint: BeaconConstraint
  private let onDisplay = Locked(false)

  /// The beacons' UUID.
  open var uuid: UUID { constraint.uuid }
  /// The major value; nil: any.
  open var major: NSNumber? { constraint.major.map(NSNumber.init(value:)) }
  /// The minor value; nil: any.
  open var minor: NSNumber? { constraint.minor.map(NSNumber.init(value:)) }
  /// The values of the matching beacons.
  open var beaconIdentityConstraint: CLBeaconIdentityConstraint {
    CLBeaconIdentityConstraint(constraint)
  }
  /// Stored without effect: there is no display whose activation would request the state.
  open var notifyEntryStateOnDisplay: Bool {
    get { onDisplay.withLock { $0 } }
    set { onDisplay.withLock { $0 = newValue } }
  }
  /// The older name of `uuid`.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { constraint.uuid }

  /// Makes a region without an identifier, of the zero UUID, for subclasses.
  public override init() {
    constraint = BeaconConstraint(uuid: .zero)
    super.init()
  }

  package init(_ constraint: BeaconConstraint, identifier: String) {
    self.constraint = constraint
    super.init(identifier: identifier, circle: nil)
  }

  /// Matches every beacon of the UUID.
  public init(uuid: UUID, identifier: String) {
    constraint = BeaconConstraint(uuid: uuid)
    super.init(identifier: identifier, circle: nil)
  }

  /// Matches every beacon of the UUID and major value.
  public init(uuid: UUID, major: CLBeaconMajorValue, identifier: String) {
    constraint = BeaconConstraint(uuid: uuid, major: major)
    super.init(identifier: identifier, circle: nil)
  }

  /// Matches one beacon.
  public init(
    uuid: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    constraint = BeaconConstraint(uuid: uuid, major: major, minor: minor)
    super.init(identifier: identifier, circle: nil)
  }

  /// Matches the beacons that satisfy the constraint.
  public init(beaconIdentityConstraint: CLBeaconIdentityConstraint, identifier: String) {
    constraint = beaconIdentityConstraint.values
    super.init(identifier: identifier, circle: nil)
  }

  /// The form before iOS 13.
  @available(*, deprecated, renamed: "init(uuid:identifier:)")
  public init(proximityUUID: UUID, identifier: String) {
    constraint = BeaconConstraint(uuid: proximityUUID)
    super.init(identifier: identifier, circle: nil)
  }

  /// The form before iOS 13.
  @available(*, deprecated, renamed: "init(uuid:major:identifier:)")
  public init(proximityUUID: UUID, major: CLBeaconMajorValue, identifier: String) {
    constraint = BeaconConstraint(uuid: proximityUUID, major: major)
    super.init(identifier: identifier, circle: nil)
  }

  /// The form before iOS 13.
  @available(*, deprecated, renamed: "init(uuid:major:minor:identifier:)")
  public init(
    proximityUUID: UUID, major: CLBeaconMajorValue, minor: CLBeaconMinorValue, identifier: String
  ) {
    constraint = BeaconConstraint(uuid: proximityUUID, major: major, minor: minor)
    super.init(identifier: identifier, circle: nil)
  }

  /// Reads a region from an archive that `encode(with:)` wrote.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let constraint = BeaconConstraint(coder: coder) else { return nil }
    self.constraint = constraint
    super.init(coder: coder)
    notifyEntryStateOnDisplay = coder.decodeBool(forKey: "notifyEntryStateOnDisplay")
  }

  /// Writes the region into an archive.
  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    constraint.encode(with: coder)
    coder.encode(notifyEntryStateOnDisplay, forKey: "notifyEntryStateOnDisplay")
  }

  /// An independent copy with the same identifier, beacons and notification settings.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = CLBeaconRegion(constraint, identifier: identifier).taking(noticesOf: self)
    copy.notifyEntryStateOnDisplay = notifyEntryStateOnDisplay
    return copy
  }

  /// The identifier and the beacons' values in a readable form, which may change.
  open override var description: String {
    "CLBeaconRegion (identifier:'\(identifier)', \(constraint.text))"
  }

  // MARK: Advertising

  /// The advertisement data with which this machine acts as a beacon of the region.
  ///
  /// `kCBAdvDataAppleBeaconKey` has the 21 bytes that follow the prefix 4C 00 02 15 in an iBeacon's
  /// manufacturer data: the UUID, the major and minor value (big-endian, 0 where nil), and the
  /// measured power. A BlueZ advertiser puts 02 15 and these bytes under manufacturer 0x004C.
  /// - Parameter measuredPower: dBm at one metre; nil: -59.
  /// - Returns: A mutable dictionary of that one entry.
  /// - Source: Apple, "Proximity Beacon Specification" R1, table 1.
  open func peripheralData(withMeasuredPower measuredPower: NSNumber?) -> NSMutableDictionary {
    let power = measuredPower.map { Int8(clamping: $0.intValue) }
    let advertisement = IBeaconAdvertisement(
      identity: BeaconIdentity(constraint),
      measuredPowerDBm: power ?? IBeaconAdvertisement.usualMeasuredPowerDBm)
    return NSMutableDictionary(
      dictionary: ["kCBAdvDataAppleBeaconKey": NSData(data: Data(advertisement.beaconData))])
  }
}
