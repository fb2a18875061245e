import LinuxIO

/// The state of this process's scan in BlueZ.
struct BlueZScan: Equatable {
  /// The state of the pattern's registration.
  enum Monitor {
    case none, asked, active
    /// The daemon has no monitors, refused this one or released it: discovery is used instead.
    case refused
  }

  /// The adapter's object path.
  var adapter: String
  var monitor = Monitor.none
  var discovers = false

  init(adapter: String) { self.adapter = adapter }

  /// Whether the controller may suppress repeated advertisements; it does not with an active
  /// monitor.
  func needsRenewal(for purpose: BeaconScanPurpose) -> Bool {
    purpose == .ranging && discovers && monitor == .refused
  }

  /// Whether sending beacons are received.
  var listens: Bool { discovers || monitor == .active }
}

extension DBusError {
  /// Whether a service answered with an error of this name.
  func isNamed(_ wanted: String) -> Bool {
    guard case .refused(let name, _) = kind else { return false }
    return name == wanted
  }
}
