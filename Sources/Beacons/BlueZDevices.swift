import LinuxDBus
import Quantities

/// The iBeacons among BlueZ's devices, by path.
struct BlueZDevices {
  /// BlueZ drops a device that it has not heard for 30 s (`TemporaryTimeout`), so that only a crowd of
  /// beacons comes here; those beyond are not heard.
  static let capacity = 1024

  private var beacons: [String: IBeaconAdvertisement] = [:]
  private var lastReport: Timestamp?

  func knows(_ path: String) -> Bool { beacons[path] != nil }

  mutating func remove(_ path: String) { beacons[path] = nil }

  /// Takes a device's changed properties; a sighting where they hold a strength.
  ///
  /// A list of all objects holds no strength of devices that are not heard: `RSSI` is there only while they
  /// are.
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

  /// Whether beacons are known, and none was reported for so many seconds.
  func areSilent(for seconds: Double, at now: Timestamp) -> Bool {
    guard !beacons.isEmpty, let lastReport else { return false }
    return now.seconds(since: lastReport) >= seconds
  }

  /// A sighting without a strength, of a beacon that is known.
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
