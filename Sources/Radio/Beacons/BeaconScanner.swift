/// A scanner for beacons: BlueZ, or a test's.
public protocol BeaconScanner: AnyObject, Sendable {
  /// Starts a scan or changes its purpose; events arrive on the scanner's own thread.
  func start(_ purpose: BeaconScanPurpose, _ deliver: @escaping @Sendable (BeaconScanEvent) -> Void)
  /// Ends the scan and releases the adapter. No event is delivered after the return, except one
  /// whose delivery is in progress.
  func stop()
}

/// The purpose of a scan.
public enum BeaconScanPurpose: Int, Comparable, Sendable {
  /// Presence: a passive scan if the daemon supports it, which does not disturb other radio
  /// traffic.
  case presence
  /// Ranging: the strength of each advertisement.
  case ranging

  /// Ranging is the larger: it includes presence.
  public static func < (a: BeaconScanPurpose, b: BeaconScanPurpose) -> Bool {
    a.rawValue < b.rawValue
  }
}

/// An event of a scanner.
public enum BeaconScanEvent: Equatable, Sendable {
  /// The scan is active; silence counts from now on.
  case listening(adapter: String)
  /// A beacon was received.
  case sighting(BeaconSighting)
  /// The scan is not possible now; it continues by itself when the cause is removed.
  case unavailable(BeaconError)
}
