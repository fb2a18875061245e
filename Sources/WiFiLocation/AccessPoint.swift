/// An access point that was heard in a scan.
public struct AccessPoint: Hashable, Sendable {
  /// Its address.
  public var bssid: BSSID
  /// Its network's name, bytes of no particular encoding; empty where it is hidden.
  public var ssid: [UInt8]
  /// The strength, dBm.
  public var signalDBm: Int?
  /// The channel's frequency, MHz.
  public var frequencyMHz: Int?
  /// How long ago it was heard, seconds.
  public var ageSeconds: Double?

  /// Makes an access point.
  public init(
    bssid: BSSID, ssid: [UInt8], signalDBm: Int? = nil, frequencyMHz: Int? = nil,
    ageSeconds: Double? = nil
  ) {
    self.bssid = bssid
    self.ssid = ssid
    self.signalDBm = signalDBm
    self.frequencyMHz = frequencyMHz
    self.ageSeconds = ageSeconds
  }

  /// Whether it may be sent to a service: its owner lets others see its name and does not object, and its
  /// address says where it is.
  /// - Source: Ichnaea, docs/api/geolocate.rst, WiFi Access Point Fields: hidden networks and those whose
  ///   name ends in `_nomap` must not be used.
  public var mayBeSent: Bool {
    let isHidden = ssid.allSatisfy { $0 == 0 }
    return !isHidden && !ssid.ends(with: Array("_nomap".utf8)) && bssid.isUniversal
  }
}

extension Array where Element: Equatable {
  fileprivate func ends(with other: [Element]) -> Bool {
    count >= other.count && Array(suffix(other.count)) == other
  }
}

/// Something that scans for access points.
public protocol AccessPointSource: Sendable {
  /// What is around. Takes up to `WiFiScan.patienceSeconds`, on the caller's thread.
  /// - Throws: Why nothing can be scanned.
  func accessPoints() throws(WiFiError) -> [AccessPoint]
}

/// What both daemons' scans have in common.
enum WiFiScan {
  /// Seconds that a new scan may take; then what is there is taken. A scan of both bands takes 2 to 4 s.
  static let patienceSeconds = 8.0
  /// Seconds between looks at whether it is done.
  static let pollSeconds = 0.25
  /// Access points that are asked about. A street in a city has tens.
  static let capacity = 128
}
