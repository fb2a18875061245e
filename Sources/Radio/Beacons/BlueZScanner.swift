import LinuxIO
import Quantities
import Synchronization

/// Receives iBeacons through BlueZ.
///
/// BlueZ reports an advertisement in two ways, neither of them complete:
/// - A device's properties change. `RSSI` is reported only if it differs by 8 dB from the last
///   report, unless a client scans with a filter; `ManufacturerData` only if it differs, unless
///   that filter has `DuplicateData`.
/// - An advertisement monitor (`AdvertisementMonitor1`, in bluetoothd 5.82 with `-E` only) without
///   RSSI thresholds is called for every advertisement that matches its pattern, without a
///   strength.
///
/// Therefore presence uses a monitor alone, which scans passively. Ranging uses discovery with a
/// filter and the monitor too: with an active monitor the kernel makes the controller report
/// repeated advertisements. Without monitors discovery serves both. Some controllers then report a
/// device once in each scan (10 s), so discovery is restarted when known beacons fall silent.
/// - Source: BlueZ 5.66, src/adapter.c `update_found_devices`, src/device.c `RSSI_THRESHOLD`,
///   src/adv_monitor.c `adv_monitor_filter_rssi`; Linux 6.1, net/bluetooth/hci_sync.c
///   `hci_active_scan_sync`.
public final class BlueZScanner: BeaconScanner {
  /// Seconds until a refused or ended scan is requested again.
  static let retryPause = 5.0
  /// Seconds without a report of any known beacon after which discovery without a monitor is
  /// restarted; less than the 3 s after which a silent beacon's distance is unknown.
  static let renewalSeconds = 2.0

  private let address: DBusAddress
  private let rfkill: String
  private let session = Mutex<BlueZSession?>(nil)

  /// Makes a scanner; it connects to BlueZ at `start`.
  public convenience init(_ address: DBusAddress = .system) {
    self.init(address, rfkill: "/sys/class/rfkill")
  }

  /// Makes a scanner with another directory of radio switches.
  package init(_ address: DBusAddress, rfkill: String) {
    self.address = address
    self.rfkill = rfkill
  }

  deinit { stop() }

  /// The usable adapter.
  /// - Throws: Why no adapter is usable.
  public static func adapter(_ address: DBusAddress = .system) throws(BeaconError) -> BlueZAdapter {
    try adapter(over: DBusConnection(address), rfkill: "/sys/class/rfkill")
  }

  package static func adapter(
    over connection: DBusConnection, rfkill: String, preferring path: String? = nil
  ) throws(BeaconError) -> BlueZAdapter {
    let objects: ManagedObjects
    do throws(DBusError) {
      objects = try connection.managedObjects(of: BlueZNames.service)
    } catch {
      throw BeaconError(asking: error)
    }
    let blocked = RadioSwitches.blockedAdapters(in: rfkill)
    let adapters = BlueZAdapter.list(objects, blocked: blocked)
    // A new adapter does not replace the one in use.
    if let inUse = adapters.first(where: { $0.path == path && $0.isPowered }) { return inUse }
    return try BlueZAdapter.usable(among: adapters)
  }

  /// Starts a scan or changes its purpose.
  public func start(
    _ purpose: BeaconScanPurpose, _ deliver: @escaping @Sendable (BeaconScanEvent) -> Void
  ) {
    let running = session.withLock { session in
      let running = session ?? BlueZSession(address, rfkill: rfkill)
      session = running
      return running
    }
    running.start(purpose, deliver)
  }

  /// Ends the scan and releases the adapter.
  public func stop() {
    let ended = session.withLock { session in
      defer { session = nil }
      return session
    }
    ended?.end()
  }
}
