import LinuxIO

/// An access point found by a scan.
public struct AccessPoint: Hashable, Sendable {
  /// Its address.
  public var bssid: BSSID
  /// Its network's name, bytes without a defined encoding; empty if hidden.
  public var ssid: [UInt8]
  /// The strength, dBm.
  public var signalDBm: Int?
  /// The channel's frequency, MHz.
  public var frequencyMHz: Int?
  /// The time since its last beacon was received, seconds.
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

  /// Whether it may be sent to a service: its name is visible and does not object, and its address
  /// belongs to one fixed radio.
  /// - Source: Ichnaea, docs/api/geolocate.rst, WiFi Access Point Fields: hidden networks and those
  ///   whose name ends in `_nomap` must not be used.
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

/// A scanner for access points.
public protocol AccessPointSource: Sendable {
  /// The access points in range. Takes up to `WiFiScan.timeoutSeconds`, on the caller's thread.
  /// - Throws: Why no scan is possible.
  func accessPoints() throws(WiFiError) -> [AccessPoint]
}

/// The parameters of both daemons' scans.
enum WiFiScan {
  /// Timeout of a new scan, ns; then the present list is used. A scan of both bands takes 2 to 4 s.
  static let timeout: UInt64 = 8_000_000_000
  /// Interval between checks for the end of the scan, ns.
  private static let pollInterval: UInt64 = 250_000_000
  /// Most access points whose properties are read. A street in a city has tens.
  static let capacity = 128

  /// Waits until the next check for the end of the scan.
  static func pause() {
    MonotonicClock.sleep(until: MonotonicClock.now.advanced(byNanoseconds: pollInterval))
  }
}
