/// Something that hears beacons: BlueZ, or a test.
public protocol BeaconScanner: AnyObject, Sendable {
  /// Listens from now on, or for something else from now on; events come on a thread of the scanner's own.
  func start(_ purpose: BeaconScanPurpose, _ deliver: @escaping @Sendable (BeaconScanEvent) -> Void)
  /// Ends it and lets the adapter go. Nothing is delivered once this has returned, but for what is being
  /// delivered at that moment.
  func stop()
}

/// What beacons are listened for.
public enum BeaconScanPurpose: Int, Comparable, Sendable {
  /// Whether they are around: passive where the daemon can, which leaves other radio traffic alone.
  case presence
  /// How strong they are, advertisement by advertisement.
  case ranging

  /// Ranging serves both.
  public static func < (a: BeaconScanPurpose, b: BeaconScanPurpose) -> Bool {
    a.rawValue < b.rawValue
  }
}

/// What a scanner has to say.
public enum BeaconScanEvent: Equatable, Sendable {
  /// It listens; what is not heard from now on is silent.
  case listening(adapter: String)
  /// A beacon was heard.
  case sighting(BeaconSighting)
  /// It cannot listen for now; it goes on by itself once the cause is gone.
  case unavailable(BeaconError)
}
