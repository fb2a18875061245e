import LinuxDBus

/// What BlueZ holds for this process.
struct BlueZScan: Equatable {
  /// How far the registration of the pattern is.
  enum Monitor {
    case none, asked, active
    /// The daemon offers none, takes none, or has let it go: discovery has to do.
    case refused
  }

  /// The adapter's object.
  var adapter: String
  var monitor = Monitor.none
  var discovers = false

  init(adapter: String) { self.adapter = adapter }

  /// Whether repeated advertisements may be kept back by the controller. With a monitor active they are not.
  func needsRenewal(for purpose: BeaconScanPurpose) -> Bool {
    purpose == .ranging && discovers && monitor == .refused
  }

  /// Whether a beacon that sends is heard.
  var listens: Bool { discovers || monitor == .active }
}

extension DBusError {
  /// Whether a service answers with an error of that name.
  func isNamed(_ wanted: String) -> Bool {
    guard case .refused(let name, _) = kind else { return false }
    return name == wanted
  }
}
