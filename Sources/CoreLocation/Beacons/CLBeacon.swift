package import Radio

/// A received beacon.
open class CLBeacon: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Set once, before the object is shared.
  private var values: BeaconValues

  /// The beacon's UUID.
  open var uuid: UUID { values.identity.uuid }
  /// The older name of `uuid`.
  @available(*, deprecated, renamed: "uuid")
  open var proximityUUID: UUID { uuid }
  /// The major value: the group of the beacon.
  open var major: NSNumber { NSNumber(value: values.identity.major) }
  /// The minor value: its number within the group.
  open var minor: NSNumber { NSNumber(value: values.identity.minor) }
  /// The class of its distance.
  open var proximity: CLProximity { values.proximity }
  /// One sigma of its distance, metres, to compare beacons of the same proximity; negative where it
  /// is not known.
  open var accuracy: CLLocationAccuracy { values.accuracy }
  /// The mean received power since the last report, dBm.
  open var rssi: Int { values.rssi }
  /// The time of reception.
  open var timestamp: Date { values.timestamp }

  /// True: a beacon supports secure coding.
  open class var supportsSecureCoding: Bool { true }

  /// Makes a beacon without known values, for subclasses.
  public override init() {
    values = BeaconValues(
      identity: BeaconIdentity(uuid: .zero, major: 0, minor: 0), timestamp: Date())
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

  /// The beacon's values, distance and received power in a readable form, which may change.
  open override var description: String {
    let distance = String(format: "%.2fm", accuracy)
    return
      "CLBeacon (\(BeaconConstraint(values.identity).text), proximity:\(proximity.rawValue) +/- \(distance), "
      + "rssi:\(rssi), timestamp:\(timestamp))"
  }
}

/// The values of a received beacon.
package struct BeaconValues: Equatable, Sendable {
  /// The identity.
  package var identity: BeaconIdentity
  /// The class of its distance.
  package var proximity = CLProximity.unknown
  /// One sigma of its distance, metres; negative where it is not known.
  package var accuracy: Double = -1
  /// The received power, dBm; 0 where it is not known.
  package var rssi = 0
  /// The time of reception.
  package var timestamp: Date

  /// Makes the values of a beacon with an unknown distance.
  package init(identity: BeaconIdentity, timestamp: Date) {
    self.identity = identity
    self.timestamp = timestamp
  }

  init?(coder: NSCoder) {
    guard let archived = BeaconConstraint(coder: coder), coder.containsValue(forKey: "timestamp"),
      let proximity = CLProximity(rawValue: coder.decodeInteger(forKey: "proximity"))
    else { return nil }
    let seconds = coder.decodeDouble(forKey: "timestamp")
    self.init(
      identity: BeaconIdentity(archived),
      timestamp: Date(timeIntervalSinceReferenceDate: seconds))
    self.proximity = proximity
    accuracy = coder.decodeDouble(forKey: "accuracy")
    rssi = coder.decodeInteger(forKey: "rssi")
  }

  func encode(with coder: NSCoder) {
    BeaconConstraint(identity).encode(with: coder)
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: "timestamp")
    coder.encode(proximity.rawValue, forKey: "proximity")
    coder.encode(accuracy, forKey: "accuracy")
    coder.encode(rssi, forKey: "rssi")
  }
}
