import Foundation
import LinuxDBus
import Quantities

/// Hears iBeacons through BlueZ.
///
/// BlueZ reports an advertisement in two ways, and leaves out much of both:
/// - A device's properties change. `RSSI` is told of only where it differs by 8 dB from what was told before,
///   unless a client scans with a filter; `ManufacturerData` only where it differs, unless that filter has
///   `DuplicateData`.
/// - An advertisement monitor (`AdvertisementMonitor1`, which bluetoothd 5.82 offers with `-E` only) that sets no RSSI
///   thresholds is called for every advertisement that fits its pattern, without a strength.
///
/// Hence: for presence a monitor alone, which scans passively; for ranging discovery with a filter, and the
/// monitor beside it, as with one active the kernel has the controller report repeated advertisements too.
/// Without the monitor discovery serves both, and some controllers report a device once a scan (10 s): it begins
/// again where known beacons fall silent.
/// - Source: BlueZ 5.66, src/adapter.c `update_found_devices`, src/device.c `RSSI_THRESHOLD`, src/adv_monitor.c
///   `adv_monitor_filter_rssi`; Linux 6.1, net/bluetooth/hci_sync.c `hci_active_scan_sync`.
public final class BlueZScanner: BeaconScanner, @unchecked Sendable {
  /// Seconds before a scan that was refused or ended is asked for again.
  static let retryPause = 5.0
  /// Seconds without a report of any known beacon, after which discovery without a monitor begins again. Below
  /// the 3 s after which a silent beacon's distance is unknown.
  static let renewalSeconds = 2.0

  private let address: DBusAddress
  private let rfkill: String
  private let lock = NSLock()
  private var session: BlueZSession?

  /// Makes a scanner; BlueZ hears nothing of it before `start`.
  public convenience init(_ address: DBusAddress = .system) {
    self.init(address, rfkill: "/sys/class/rfkill")
  }

  /// With the kernel's radio switches elsewhere.
  package init(_ address: DBusAddress, rfkill: String) {
    self.address = address
    self.rfkill = rfkill
  }

  deinit { stop() }

  /// The adapter that would be used now.
  /// - Throws: Why there is none.
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
    // Another one that comes is no reason to leave this one.
    if let inUse = adapters.first(where: { $0.path == path && $0.isPowered }) { return inUse }
    return try BlueZAdapter.usable(among: adapters)
  }

  /// Listens from now on, or for something else from now on.
  public func start(
    _ purpose: BeaconScanPurpose, _ deliver: @escaping @Sendable (BeaconScanEvent) -> Void
  ) {
    let running = lock.withLock {
      let running = session ?? BlueZSession(address, rfkill: rfkill)
      session = running
      return running
    }
    running.want(purpose, deliver)
  }

  /// Ends it and lets the adapter go.
  public func stop() {
    let ended = lock.withLock {
      defer { session = nil }
      return session
    }
    ended?.end()
  }
}
