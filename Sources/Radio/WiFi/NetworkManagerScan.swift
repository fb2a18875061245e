import Glibc
import LinuxIO
import Quantities

/// Access points by NetworkManager.
/// - Source: NetworkManager, D-Bus API reference: org.freedesktop.NetworkManager, .Device,
///   .Device.Wireless, .AccessPoint.
package struct NetworkManagerScan {
  static let service = "org.freedesktop.NetworkManager"
  private static let path = "/org/freedesktop/NetworkManager"
  private static let wireless = service + ".Device.Wireless"
  private static let accessPoint = service + ".AccessPoint"
  /// NM_DEVICE_TYPE_WIFI.
  private static let wiFiType = 2

  let connection: DBusConnection

  /// The access points in range, by a new scan if NetworkManager permits it.
  func accessPoints() throws(WiFiError) -> [AccessPoint] {
    var points: [AccessPoint] = []
    let devices: [String]
    do throws(DBusError) {
      devices = try wiFiDevices()
      for device in devices { try refresh(device) }
      for device in devices { points += try list(device) }
    } catch {
      throw WiFiError(asking: error)
    }
    guard !devices.isEmpty else { throw WiFiError(.noDevice) }
    return points
  }

  private func wiFiDevices() throws(DBusError) -> [String] {
    let answer = try connection.call(
      DBusCall(Self.service, Self.path, Self.service, "GetDevices"))
    var devices: [String] = []
    for device in answer.first?.elements ?? [] {
      guard let path = device.text else { continue }
      let type = try connection.property(
        "DeviceType", of: Self.service + ".Device", at: path, service: Self.service)
      if type.integer == Self.wiFiType { devices.append(path) }
    }
    return devices
  }

  /// Requests a scan and waits for its end. NetworkManager refuses it to users without permission,
  /// and soon after another scan: the present list is used then.
  private func refresh(_ device: String) throws(DBusError) {
    let before = try lastScan(device)
    do throws(DBusError) {
      _ = try connection.call(
        DBusCall(Self.service, device, Self.wireless, "RequestScan", [.properties([:])]))
    } catch {
      switch error.kind {
      case .refused, .accessDenied: return
      default: throw error
      }
    }
    let end = MonotonicClock.now.advanced(byNanoseconds: WiFiScan.timeout)
    while try lastScan(device) == before, MonotonicClock.now < end { WiFiScan.pause() }
  }

  private func lastScan(_ device: String) throws(DBusError) -> Int? {
    try connection.property("LastScan", of: Self.wireless, at: device, service: Self.service)
      .integer
  }

  private func list(_ device: String) throws(DBusError) -> [AccessPoint] {
    let answer = try connection.call(
      DBusCall(Self.service, device, Self.wireless, "GetAllAccessPoints"))
    var points: [AccessPoint] = []
    for element in (answer.first?.elements ?? []).prefix(WiFiScan.capacity) {
      guard let path = element.text else { continue }
      let asked = DBusCall(
        Self.service, path, "org.freedesktop.DBus.Properties", "GetAll",
        [.string(Self.accessPoint)])
      let properties: [String: DBusValue]
      do throws(DBusError) {
        properties = try connection.call(asked).first?.members ?? [:]
      } catch {
        // The access point was removed since the list was made. A missing daemon is an error.
        guard case .refused = error.kind else { throw error }
        continue
      }
      if let point = Self.point(properties, bootSeconds: Self.bootSeconds) { points.append(point) }
    }
    return points
  }

  static func point(_ properties: [String: DBusValue], bootSeconds: Double) -> AccessPoint? {
    guard let bssid = properties["HwAddress"]?.text.flatMap({ BSSID($0) }) else { return nil }
    // -1: never, for a network that is only configured.
    let seen = properties["LastSeen"]?.integer.flatMap { $0 >= 0 ? $0 : nil }
    return AccessPoint(
      bssid: bssid, ssid: properties["Ssid"]?.bytes ?? [],
      signalDBm: properties["Strength"]?.integer.flatMap(dBm(percent:)),
      frequencyMHz: properties["Frequency"]?.integer.flatMap { $0 > 0 ? $0 : nil },
      ageSeconds: seen.map { max(0, bootSeconds - Double($0)) })
  }

  /// The strength for a percentage, which NetworkManager computes from -100 to -40 dBm.
  /// - Source: NetworkManager, src/core/nm-core-utils.c, `nm_wifi_utils_level_to_quality`.
  package static func dBm(percent: Int) -> Int? {
    guard 0...100 ~= percent else { return nil }
    return Int(bounded: (-100 + 0.6 * Double(percent)).rounded())
  }

  /// Seconds of CLOCK_BOOTTIME, the clock of `LastSeen` and `LastScan`.
  private static var bootSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
