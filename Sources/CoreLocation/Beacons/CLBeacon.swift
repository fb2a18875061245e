/// A beacon that was heard.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Set once, before anybody else sees the object.
  private var values: BeaconValues

  /// The beacon's UUID.
  open var uuid: UUID { values.identity.uuid }
  /// The older name of `uuid`.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// The larger group that it belongs to.
  open var major: NSNumber { NSNumber(value: values.identity.major ?? 0) }
  /// Its number within the group.
  open var minor: NSNumber { NSNumber(value: values.identity.minor ?? 0) }
  /// How far it is, in words.
  open var proximity: CLProximity { values.proximity }
  /// One sigma of how far it is, metres, to compare beacons of the same proximity; negative where it
  /// is not known.
  open var accuracy: CLLocationAccuracy { values.accuracy }
  /// The mean strength since the last report, dBm.
  open var rssi: Int { values.rssi }
  /// When it was heard.
  open var timestamp: Date { values.timestamp }

  /// True: it can be read from an archive of which only the class is trusted.
  open class var supportsSecureCoding: Bool { true }

  /// Makes a beacon of which nothing is known, for subclasses.
  public override init() {
    values = BeaconValues(identity: .zero, timestamp: Date())
    super.init()
  }

  package convenience init(_ values: BeaconValues) {
    self.init()
    self.values = values
  }

  /// Reads a beacon from an archive that `encode(with:)` wrote.
  /// - Returns: nil where the archive holds none.
  public required init?(coder: NSCoder) {
    guard let values = BeaconValues(coder: coder) else { return nil }
    self.values = values
    super.init()
  }

  /// Writes the beacon into an archive.
  open func encode(with coder: NSCoder) { values.encode(with: coder) }

  /// Itself: a beacon never changes.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The beacon's values, distance and strength, for people; its form may change.
  open override var description: String {
    let distance = String(format: "%.2fm", accuracy)
    return "CLBeacon (\(values.identity), proximity:\(proximity.rawValue) +/- \(distance), "
      + "rssi:\(rssi), timestamp:\(timestamp))"
  }
}

/// The numbers of a beacon that was heard.
package struct BeaconValues: Equatable, Sendable {
  /// Which beacon.
  package var identity: BeaconIdentity
  /// How far it is, in words.
  package var proximity = CLProximity.unknown
  /// One sigma of how far it is, metres; negative where it is not known.
  package var accuracy: Double = -1
  /// dBm; 0 where it is not known.
  package var rssi = 0
  /// When it was heard.
  package var timestamp: Date

  /// Makes the values of a beacon whose distance is not known.
  package init(identity: BeaconIdentity, timestamp: Date) {
    self.identity = identity
    self.timestamp = timestamp
  }

  init?(coder: NSCoder) {
    guard let identity = BeaconIdentity(coder: coder), coder.containsValue(forKey: "timestamp"),
      let proximity = CLProximity(rawValue: coder.decodeInteger(forKey: "proximity"))
    else { return nil }
    let seconds = coder.decodeDouble(forKey: "timestamp")
    self.init(identity: identity, timestamp: Date(timeIntervalSinceReferenceDate: seconds))
    self.proximity = proximity
    accuracy = coder.decodeDouble(forKey: "accuracy")
    rssi = coder.decodeInteger(forKey: "rssi")
  }

  func encode(with coder: NSCoder) {
    identity.encode(with: coder)
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
    coder.encode(proximity.rawValue, forKey: "proximity")
    coder.encode(accuracy, forKey: "accuracy")
    coder.encode(rssi, forKey: "rssi")
  }
}
