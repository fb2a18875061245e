import LinuxIO
import Quantities

/// The iBeacons among BlueZ's devices, by path.
struct BlueZDevices {
  /// Most known beacons; further ones are ignored. BlueZ removes a device after 30 s of silence
  /// (`TemporaryTimeout`), so only many beacons at once reach this limit.
  static let capacity = 1024

  private var beacons: [String: IBeaconAdvertisement] = [:]
  private var lastReport: Timestamp?

  func knows(_ path: String) -> Bool { beacons[path] != nil }

  mutating func remove(_ path: String) { beacons[path] = nil }

  /// Applies a device's changed properties; returns a sighting if they contain a strength.
  ///
  /// BlueZ's list of all objects has no `RSSI` for devices that are not received now.
  mutating func update(
    _ path: String, _ properties: [String: DBusValue], at instant: Timestamp
  ) -> BeaconSighting? {
    if let data = properties["ManufacturerData"] {
      beacons[path] = nil
      if let beacon = Self.beacon(in: data), beacons.count < Self.capacity {
        beacons[path] = beacon
      }
    }
    guard let rssi = properties["RSSI"]?.integer, let beacon = beacons[path] else { return nil }
    lastReport = instant
    return BeaconSighting(
      beacon.identity, measuredPowerDBm: beacon.measuredPowerDBm, rssiDBm: rssi, at: instant)
  }

  /// Whether beacons are known, but none was reported for `seconds`.
  func areSilent(for seconds: Double, at now: Timestamp) -> Bool {
    guard !beacons.isEmpty, let lastReport else { return false }
    return now.seconds(since: lastReport) >= seconds
  }

  /// A sighting of a known beacon, without a strength.
  func sighting(_ path: String, at instant: Timestamp) -> BeaconSighting? {
    beacons[path].map {
      BeaconSighting(
        $0.identity, measuredPowerDBm: $0.measuredPowerDBm, rssiDBm: nil, at: instant)
    }
  }

  private static func beacon(in data: DBusValue) -> IBeaconAdvertisement? {
    for entry in data.entries ?? [] {
      guard let number = entry.key.integer, let company = UInt16(exactly: number),
        let bytes = entry.value.bytes,
        let beacon = IBeaconAdvertisement(manufacturerData: bytes, company: company)
      else { continue }
      return beacon
    }
    return nil
  }
}
