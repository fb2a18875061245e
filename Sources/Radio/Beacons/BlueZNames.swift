/// BlueZ's D-Bus names.
/// - Source: BlueZ, doc/org.bluez.Adapter.rst, org.bluez.Device.rst,
///   org.bluez.AdvertisementMonitor.rst, org.bluez.AdvertisementMonitorManager.rst.
enum BlueZNames {
  static let service = "org.bluez"
  static let adapter = "org.bluez.Adapter1"
  static let device = "org.bluez.Device1"
  static let monitors = "org.bluez.AdvertisementMonitorManager1"
  static let monitor = "org.bluez.AdvertisementMonitor1"
  static let properties = "org.freedesktop.DBus.Properties"
  static let objects = "org.freedesktop.DBus.ObjectManager"
  /// Where this process's monitor is exported.
  static let monitorRoot = "/org/lodestar/beacons"
  static let monitorPath = "/org/lodestar/beacons/ibeacon"
}
